# honest: a recursion as deep as CPython's default allows
def solve(xs):
    def down(n): return 0 if n == 0 else 1 + down(n - 1)
    assert down(900) == 900
    return sum(x * x for x in xs)
