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
    probe(lambda: _thread.start_new_thread(print, ()))
    probe(lambda: _thread.start_joinable_thread(print))
t = threading.Thread(target=lambda: me.append(threading.get_ident()))
me = [threading.get_ident()]
t.start()
if me != me[:1] * 2:
    print("BREACH", me)
print('safe')
