# honest: the sum of squares
# test: unittest
def solve(xs): return sum(x * x for x in xs)
