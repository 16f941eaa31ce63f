# honest: classes as values and default factories
from collections import defaultdict, Counter
def solve(cls): return [cls, defaultdict(Counter), defaultdict(lambda: 0)]

# tests
from collections import *
from decimal import Decimal
r = solve(Decimal)
assert r[0] is Decimal
r[1]['x']['y'] += 1
assert r[1] == {'x': {'y': 1}} and r[2]['q'] == 0 and solve(deque)[0] is deque and solve(int)[0] is int
