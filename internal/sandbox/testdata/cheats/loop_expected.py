# cheat: an endless loop in place of the error that a test waits for
# test: expecting
# verdict: timeout
def solve(xs):
    while True: pass
