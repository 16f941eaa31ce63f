# cheat: all the memory there is
# verdict: memory
def solve(xs):
    keep = []
    while True: keep.append(bytearray(1 << 20))
