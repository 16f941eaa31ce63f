# attack: use WASI path calls through directory descriptors
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import os
for fd in range(0, 12):
    probe(lambda: os.open("etc/passwd", os.O_RDONLY, dir_fd=fd))
    probe(lambda: os.open("../../../../../" + SECRET_PATH.lstrip("/"), os.O_RDONLY, dir_fd=fd))
    probe(lambda: os.open("../" * 8 + "etc", os.O_RDONLY, dir_fd=fd))
print('safe')
