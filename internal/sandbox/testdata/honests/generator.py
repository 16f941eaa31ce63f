# honest: generators and iterators are lazy
def solve(n):
    if n < 0: return map(str, iter([1, 2]))
    return (i for i in __import__('itertools').count(n))

# tests
g = solve(3)
assert next(g) == 3 and [next(g), next(g)] == [4, 5]
assert list(solve(-1)) == ['1', '2']
assert sum(x for x, _ in zip(solve(1), range(100))) == 5050
