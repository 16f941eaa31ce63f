# honest: the sum of squares
# test: near
def solve(xs): return float(sum(x * x for x in xs))
