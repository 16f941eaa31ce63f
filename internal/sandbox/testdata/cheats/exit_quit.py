# cheat: quit()
# verdict: failed
def solve(xs): quit()
