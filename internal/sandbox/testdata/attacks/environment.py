# attack: read the environment of the host
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import os, sys
if SECRET_WORD in str(dict(os.environ)) or os.environ:
    print("BREACH", dict(os.environ))
probe(lambda: os.environ["HOME"])
probe(lambda: os.environ["PATH"])
if any(SECRET_WORD in x for x in sys.argv + sys.orig_argv):
    print("BREACH", sys.argv)
print('safe')
