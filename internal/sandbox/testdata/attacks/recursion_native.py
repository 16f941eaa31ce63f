# attack: recurse through C code
# expect: error RecursionError|MemoryError; stop killed|memory|steps|wall
import sys
sys.setrecursionlimit(10**9)
class A:
    def __repr__(self):
        return repr([self])
    def __getattr__(self, name):
        return getattr(self, name + "x")
    __add__ = lambda self, other: self + other
try:
    A().x
except RecursionError:
    pass
try:
    A() + 1
except RecursionError:
    pass
repr(A())
