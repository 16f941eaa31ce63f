# honest: the sum of squares
def solve(xs): return sum(x * x for x in xs)
