# attack: write anywhere
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import os, tempfile
for path in ("/tmp/x", "x", "/py/lib/x.py", "/py/x", SECRET_PATH, "/dev/null", "/dev/stdout"):
    probe(lambda: open(path, "w").write("x"))
probe(lambda: os.mkdir("/py/lib/new"))
probe(lambda: os.mkdir("new"))
probe(lambda: tempfile.mkdtemp())
print('safe')
