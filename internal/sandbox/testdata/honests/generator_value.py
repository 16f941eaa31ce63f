# honest: a generator that is sent values and returns one
def solve(n):
    x = yield n
    while x: x = yield x * 2
    return 9

# tests
g = solve(1)
assert next(g) == 1 and g.send(4) == 8
try: g.send(0)
except StopIteration as e: assert e.value == 9
else: assert 0
g = solve(1); next(g); g.close()
g = solve(3)
assert [*g] == [3, ]
assert sum(solve(3)) == 3
def outer():
    v = yield from solve(2)
    assert v == 9
assert list(outer()) == [2]
