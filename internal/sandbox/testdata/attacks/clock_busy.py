# attack: wait for ever, busily and not
# expect: stop wall|steps
import time
while time.time() < 1e18:
    time.sleep(1000)
    time.monotonic()
