# honest: lists nested deeper than the recursion limit
def solve(n):
    t = []
    for _ in range(n): t = [t]
    return t

# tests
t, n = solve(5000), 0
while t: t, n = t[0], n + 1
assert n == 5000
