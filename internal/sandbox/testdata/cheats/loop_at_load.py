# cheat: a loop without end before the entry is there
# verdict: timeout
while True: pass
def solve(xs): return 0
