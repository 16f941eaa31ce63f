# honest: a Counter
# test: dict
from collections import Counter
def solve(xs): return Counter(xs)
