# honest: the sum of squares
# test: swallowing
def solve(xs): return sum(x * x for x in xs)
