# honest: integers of any length
import math
def solve(n): return [math.factorial(n), -2**50_000, {2**64: 2**63}]

# tests
import math
r = solve(300)
assert r == [math.factorial(300), -2**50_000, {2**64: 2**63}]
assert solve(2000)[0] == math.factorial(2000)
