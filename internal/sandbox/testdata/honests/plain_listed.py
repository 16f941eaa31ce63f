# honest: a sorted list, lazily
# test: listed
def solve(xs): yield from sorted(xs)
