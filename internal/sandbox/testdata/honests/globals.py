# honest: globals and caches between calls
import functools
calls = 0
@functools.lru_cache(maxsize=None)
def sq(x): return x * x
def solve(xs):
    global calls
    calls += 1
    return sum(map(sq, xs))
