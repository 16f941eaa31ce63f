# attack: learn about the host's user and machine
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import os, platform
probe(lambda: os.getuid() and os.getlogin())
probe(lambda: os.uname().nodename not in ("", "(none)", "wasi", "emscripten") and os.uname().nodename or 1 / 0)
probe(lambda: __import__("pwd").getpwall())
probe(lambda: __import__("socket").gethostname())
probe(lambda: os.getloadavg())
probe(lambda: os.cpu_count() and 1 / 0)
print('safe')
