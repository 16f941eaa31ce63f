# cheat: an exit inside a test that catches everything
# test: swallowing
# verdict: failed
def solve(xs): raise SystemExit(0)
