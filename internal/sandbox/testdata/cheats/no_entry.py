# cheat: no entry at all
# verdict: no_entry_point
def solved(xs): return 14
