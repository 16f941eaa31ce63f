# honest: a callable object as the entry
class Solve:
    def __call__(self, xs): return sum(x * x for x in xs)
solve = Solve()
