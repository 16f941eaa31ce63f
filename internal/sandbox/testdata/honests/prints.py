# honest: output does not matter
import sys
print('loading')
def solve(xs):
    print(xs, flush=True); sys.stdout.write('x'); print('warn', file=sys.stderr)
    return sum(x * x for x in xs)
