# honest: namedtuples, enums and str subclasses count as their values
import collections, enum
P = collections.namedtuple('P', 'x y')
class E(enum.IntEnum): A = 3
class S(str): pass
class L(list): pass
def solve(x): return [P(1, 2), E.A, S('s'), L([1]), True]

# tests
assert solve(0) == [(1, 2), 3, 's', [1], True]
