# honest: rows that are one and the same list
def solve(n):
    row = [0] * n
    return [row] * n

# tests
m = solve(2)
m[0][0] = 1
assert m == [[1, 0], [1, 0]] and m[0] is m[1]
