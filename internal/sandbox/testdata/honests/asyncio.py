# honest: asyncio inside
import asyncio
async def sq(x):
    await asyncio.sleep(0.01)
    return x * x
def solve(xs):
    async def all(): return sum(await asyncio.gather(*map(sq, xs)))
    return asyncio.run(all())
