# honest: classes that tests use by name
# names: Stack Deep
class Stack:
    limit = 3
    def __init__(self, *xs): self.items = list(xs)
    def push(self, x): self.items.append(x); return self
    def pop(self): return self.items.pop()
    def __len__(self): return len(self.items)
    def __getitem__(self, i): return self.items[i]
    def __eq__(self, o): return isinstance(o, Stack) and self.items == o.items
    def __add__(self, o): return Stack(*self.items, *o.items)
    def __mul__(self, n): return Stack(*(self.items * n))
    def __contains__(self, x): return x in self.items
    def __str__(self): return 'Stack' + str(self.items)
    @property
    def top(self): return self.items[-1]
    @classmethod
    def of(cls, n): return cls(*range(n))
    @staticmethod
    def name(): return 'stack'
    def __enter__(self): return self
    def __exit__(self, *a): self.items.clear()
class Deep(Stack): pass
def solve(s): return s.push(9)

# tests
s = Stack(1, 2)
assert s.push(3) is s and len(s) == 3 and s.pop() == 3 and s[0] == 1 and s.top == 2 and s.items == [1, 2]
assert s == Stack(1, 2) and s != Stack(1) and s + Stack(7) == Stack(1, 2, 7) and s * 2 == Stack(1, 2, 1, 2) and 2 in s and 5 not in s
assert str(s) == 'Stack[1, 2]' and Stack.of(2) == Stack(0, 1) and Stack.name() == 'stack' and Stack.limit == 3
assert isinstance(s, Stack) and isinstance(Deep(), Stack) and isinstance(Deep(), Deep) and not isinstance(s, Deep) and issubclass(Deep, Stack)
assert solve(s) is s and s.top == 9
s.items = [4]
assert list(s) == [4] and [x for x in s] == [4] and bool(s) and not Stack()
with s as t:
    assert t is s
assert len(s) == 0
try:
    s.pop()
except IndexError as e:
    assert 'empty' in str(e)
else:
    assert False
assert {Deep: 1}[Deep] == 1 and type(s) is Stack
