# honest: the sum of squares
# test: random
def solve(xs): return sum(x * x for x in xs)
