# attack: send huge payloads and names to the host
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import _host
probe(lambda: _host.call("echo", b"x" * (65 << 20)))
probe(lambda: _host.call("x" * 5000, b""))
if len(_host.call("echo", b"y" * (8 << 20))) != 8 << 20:
    print("BREACH")
print('safe')
