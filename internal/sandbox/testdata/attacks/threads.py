# attack: start threads without end
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import threading, _thread
for _ in range(100):
    probe(lambda: threading.Thread(target=print).start())
    probe(lambda: _thread.start_new_thread(print, ()))
    probe(lambda: threading.Timer(0.001, print).start())
print('safe')
