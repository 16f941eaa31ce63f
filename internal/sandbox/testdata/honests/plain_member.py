# honest: a set of squares
# test: member
def solve(xs): return {x * x for x in xs}
