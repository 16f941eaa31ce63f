# honest: every plain type keeps its type
import collections, datetime, decimal, fractions
def solve(v=None):
    if v is not None: return v
    return [(1,), (), frozenset({1}), {2}, b'\x00\xff', bytearray(b'x'), 1j, range(3), slice(1), ..., decimal.Decimal('1.10'), fractions.Fraction(1, 3), datetime.date(2024, 2, 29),
            datetime.datetime(2024, 1, 1, 12, 30, 0, 5, tzinfo=datetime.timezone.utc), datetime.timedelta(1, 2, 3), datetime.time(1, 2), collections.deque([1], 2), collections.OrderedDict(a=1), collections.Counter('aab'),
            collections.defaultdict(list, {1: [2]}), True, None, '\ud800 \U0001f600 \x00', int, len]

# tests
import collections, datetime, decimal, fractions
r = solve()
want = [(1,), (), frozenset({1}), {2}, b'\x00\xff', bytearray(b'x'), 1j, range(3), slice(1), ..., decimal.Decimal('1.10'), fractions.Fraction(1, 3), datetime.date(2024, 2, 29),
    datetime.datetime(2024, 1, 1, 12, 30, 0, 5, tzinfo=datetime.timezone.utc), datetime.timedelta(1, 2, 3), datetime.time(1, 2), collections.deque([1], 2), collections.OrderedDict(a=1), collections.Counter('aab'),
    collections.defaultdict(list, {1: [2]}), True, None, '\ud800 \U0001f600 \x00', int, len]
assert r == want and [type(x) for x in r] == [type(x) for x in want]
for x in want:
    if x is not None:
        y = solve(x)
        assert type(y) is type(x) and y == x, x
r[19]['new'].append(1)
assert r[16].maxlen == 2
