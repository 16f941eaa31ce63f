# honest: a sorted list
# test: list
def solve(xs): return sorted(xs)
