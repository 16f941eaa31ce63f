# cheat: a recursion without end, limits raised
import sys
sys.setrecursionlimit(10**9)
def solve(xs): return solve(xs)
