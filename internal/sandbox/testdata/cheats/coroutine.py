# cheat: a coroutine, which is true
# test: predicate
async def solve(xs): return True
