# honest: results that are or hold the arguments
def solve(a, b): return [b, a, a]

# tests
a, b = [1], [2]
r = solve(a, b)
assert r[0] is b and r[1] is a and r[2] is a
x = solve(a, a)
assert x[0] is x[1] is a
