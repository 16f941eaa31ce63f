# attack: list the root folder
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import os, glob
for where in ("/", "/home", "/tmp", "/proc", "/dev", "/sys", "..", "../.."):
    probe(lambda: [n for n in os.listdir(where) if n not in ("py", "lib")] or 1 / 0)
found = [n for n in glob.glob("/*") if n != "/py"]
if found:
    print("BREACH", found)
print('safe')
