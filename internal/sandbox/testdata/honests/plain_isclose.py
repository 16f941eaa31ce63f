# honest: the sum of squares
# test: isclose
def solve(xs): return float(sum(x * x for x in xs))
