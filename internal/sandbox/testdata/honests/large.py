# honest: a long list there and back
def solve(xs): return xs[::-1] + ['x']

# tests
xs = list(range(50_000))
r = solve(xs)
assert r[:3] == [49_999, 49_998, 49_997] and len(r) == 50_001 and r[-1] == 'x'
