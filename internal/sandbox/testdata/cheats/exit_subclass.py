# cheat: an exit that says it is a success
# verdict: failed
class Done(SystemExit):
    code = 0
    def __str__(self): return "passed"
def solve(xs): raise Done(0)
