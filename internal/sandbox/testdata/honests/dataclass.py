# honest: dataclasses, equal by value among themselves
# names: P
from dataclasses import dataclass, field
@dataclass(order=True, frozen=True)
class P:
    x: int
    y: int = 0
def solve(xs): return sorted(P(x) for x in xs)

# tests
a = solve([2, 1])
assert a == [P(1), P(2)] and a[0].x == 1 and a[0] < a[1] and max(a) == P(2) and len({P(1), P(1)}) == 1 and repr(a[0]) == 'P(x=1, y=0)'
assert sorted([P(3), P(1)])[0] == P(1)
