# honest: a raised recursion limit
import sys
sys.setrecursionlimit(10**6)
def solve(n): return 0 if n == 0 else 1 + solve(n - 1)

# tests
assert solve(3000) == 3000
