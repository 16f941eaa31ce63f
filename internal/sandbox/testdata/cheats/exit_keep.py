# cheat: an exit inside a callback of the tests
def solve(xs, key=None):
    try: key(1)
    except BaseException: pass
    return 0
# tests
import sys
assert solve([1], key=lambda x: sys.exit(0)) == 1
