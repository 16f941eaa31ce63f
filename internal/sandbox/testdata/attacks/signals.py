# attack: send and catch signals
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import os, signal
probe(lambda: os.kill(1, 9))
probe(lambda: os.kill(os.getpid() or 1, 9))
probe(lambda: os.killpg(1, 9))
probe(lambda: signal.alarm(1) and 1 / 0)
probe(lambda: signal.setitimer(signal.ITIMER_REAL, 0.001) and 1 / 0)
print('safe')
