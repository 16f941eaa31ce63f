# honest: a MemoryError that is dealt with
def solve(xs):
    try: bytearray(1 << 30)
    except MemoryError: pass
    return sum(x * x for x in xs)
