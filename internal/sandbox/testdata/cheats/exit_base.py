# cheat: an exception of one's own that is no Exception
# test: swallowing
# verdict: failed
class Quiet(BaseException): pass
def solve(xs): raise Quiet('passed')
