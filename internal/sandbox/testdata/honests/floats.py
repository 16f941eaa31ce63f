# honest: floats to the last bit
def solve(xs): return [x for x in xs] + [float('inf'), -0.0, 0.1 + 0.2]

# tests
import math
r = solve([1e-320, 1.7976931348623157e308, float('nan')])
assert r[0] == 1e-320 and r[1] == 1.7976931348623157e308 and math.isnan(r[2]) and r[3] == math.inf and math.copysign(1, r[4]) == -1 and r[5] == 0.30000000000000004
