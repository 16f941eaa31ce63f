# honest: StopIteration from a call, which the tests wait for
def solve(it):
    return next(it)

# tests
it = iter([1])
assert solve(it) == 1
try:
    solve(it)
    assert 0
except StopIteration: pass
import unittest
with unittest.TestCase().assertRaises(StopIteration): solve(iter([]))
import contextlib
with contextlib.suppress(StopIteration): solve(iter([]))
def f():
    return solve(iter([]))
try: f()
except StopIteration: pass
ok = False
try: ok = all(map(solve, [iter([1])]))
finally: assert ok
