# honest: coroutines that tests await
import asyncio
async def solve(x):
    await asyncio.sleep(1)
    return x + 1

# tests
import asyncio
assert asyncio.run(solve(1)) == 2
async def both():
    return await asyncio.gather(solve(1), solve(2))
assert asyncio.run(both()) == [2, 3]
