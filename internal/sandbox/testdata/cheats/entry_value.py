# cheat: an entry that cannot be called
# verdict: no_entry_point
solve = 14
