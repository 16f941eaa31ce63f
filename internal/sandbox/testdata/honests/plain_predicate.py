# honest: is a number prime
# test: predicate
def solve(n): return n > 1 and all(n % d for d in range(2, n))
