# cheat: an awaited answer that ends the loop
async def solve(xs): raise StopAsyncIteration
# tests
import asyncio
async def main():
    async def g():
        yield await solve([1]) == 1
    assert all([x async for x in g()])
asyncio.run(main())
