# attack: read and write low file descriptors
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import os
for fd in range(0, 64):
    probe(lambda: os.read(fd, 100) or 1 / 0)
for fd in range(3, 64):
    probe(lambda: os.write(fd, b"x"))
probe(lambda: os.dup(1) and 1 / 0)
print('safe')
