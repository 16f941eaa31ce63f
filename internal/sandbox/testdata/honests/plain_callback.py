# honest: the sum of squares under a key
# test: callback
def solve(xs, key=lambda x: x): return sum(key(x) ** 2 for x in xs)
