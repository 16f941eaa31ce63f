# attack: leave code behind for the end
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import atexit, sys, threading, weakref
atexit.register(lambda: open(SECRET_PATH))
class End:
    def __del__(self):
        print("ended", open)
sys.end = End()
weakref.finalize(sys.end, print, "x")
print('safe')
