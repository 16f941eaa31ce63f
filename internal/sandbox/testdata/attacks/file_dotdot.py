# attack: climb out of the mounted library with ..
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import os
for depth in range(1, 12):
    up = "../" * depth
    probe(lambda: open(up + SECRET_PATH.lstrip("/")).read())
    probe(lambda: open("/py/lib/" + up + SECRET_PATH.lstrip("/")).read())
    probe(lambda: os.listdir("/py/lib/" + up + "etc"))
print('safe')
