# attack: an event loop that never ends
# expect: stop wall|steps|killed
import asyncio
async def forever():
    while True:
        try:
            await asyncio.sleep(0)
        except BaseException:
            pass
async def main():
    await asyncio.gather(*(forever() for _ in range(50)))
asyncio.run(main())
