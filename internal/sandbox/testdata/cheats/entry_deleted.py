# cheat: an entry that was deleted again
# verdict: no_entry_point
def solve(xs): return 14
del solve
