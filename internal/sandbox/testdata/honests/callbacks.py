# honest: functions of the tests, errors and all
# names: safe back
import functools
def solve(f, xs): return functools.reduce(f, map(f and (lambda x: x), xs))
def safe(f):
    try: return f()
    except ValueError as e: return str(e)
def back(f, n): return f(back, n - 1) if n else 'end'

# tests
assert solve(lambda a, b: a * b, [1, 2, 3, 4]) == 24
def bad(): raise ValueError('from the test')
assert safe(bad) == 'from the test'
assert back(lambda b, n: b(lambda b, n: 'x', n), 3) == 'x'
seen = []
assert solve(lambda a, b: seen.append(a) or a + b, iter([1, 2, 3])) == 6 and seen == [1, 3]
assert solve(max, [1, 5, 2]) == 5
try: solve(lambda a, b: a / 0, [1, 2])
except ZeroDivisionError: pass
else: assert False
