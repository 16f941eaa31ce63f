# honest: keywords, defaults, stars
def solve(a, /, b, *c, d=4, **e): return [a, b, c, d, e]

# tests
assert solve(1, b=2) == [1, 2, (), 4, {}]
assert solve(1, 2, 3, d=5, z=[6]) == [1, 2, (3,), 5, {'z': [6]}]
try: solve()
except TypeError as e: assert 'solve' in str(e)
else: assert False
