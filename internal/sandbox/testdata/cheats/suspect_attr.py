# cheat: an exception whose attributes belong to the report
def solve(xs):
    e = ValueError()
    e._suspect = 5
    e.add_note("\ud800" * 10)
    raise e
