# honest: objects of the candidate given back to it
# names: total Node
class Node:
    def __init__(self, v, nxt=None): self.v, self.next = v, nxt
def solve(v): return Node(v, Node(v + 1))
def total(n):
    s = 0
    while n: s, n = s + n.v, n.next
    return s

# tests
n = solve(3)
assert total(n) == 7 and n.next.v == 4 and n.next.next is None
n.next = Node(10)
assert total(n) == 13
