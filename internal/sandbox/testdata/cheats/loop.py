# cheat: a loop without end
# verdict: timeout
def solve(xs):
    while True:
        try:
            while True: pass
        except BaseException: pass
