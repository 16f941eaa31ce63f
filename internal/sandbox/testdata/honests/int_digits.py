# honest: a lifted limit for the digits of integers
import sys
sys.set_int_max_str_digits(0)
def solve(n): return [10 ** n, len(str(10 ** n))]

# tests
assert solve(6000) == [10 ** 6000, 6001]
