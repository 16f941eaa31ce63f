# attack: change, rename or delete the standard library
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import os
for name in ("/py/lib/json/__init__.pyc", "/py/lib/random.pyc"):
    probe(lambda: open(name, "r+b").write(b"x"))
    probe(lambda: open(name, "ab").write(b"x"))
    probe(lambda: os.remove(name))
    probe(lambda: os.rename(name, name + "2"))
    probe(lambda: os.truncate(name, 0))
    probe(lambda: os.utime(name, (0, 0)) or os.stat(name).st_mtime == 0 or 1 / 0)
print('safe')
