# attack: recurse with the limit lifted
# expect: error RecursionError|MemoryError; stop memory|wall|steps|killed
import sys
sys.setrecursionlimit(2**31 - 1)
def f(n):
    return f(n + 1)
f(0)
