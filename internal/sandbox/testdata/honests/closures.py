# honest: functions that return functions
def solve(n):
    def add(x): return x + n
    return add

# tests
assert solve(3)(4) == 7 and callable(solve(1)) and list(map(solve(1), [1, 2])) == [2, 3]
