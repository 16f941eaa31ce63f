# honest: the sum of squares
# test: loop
def solve(xs): return sum(x * x for x in xs)
