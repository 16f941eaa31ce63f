# attack: replace the host module and its internals
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import _host, _dr, sys
real = _host.call
_host.call = lambda *a: b"forged"
sys.modules["_host"] = None
sys.modules.pop("_dr")
sys.modules.pop("_boot", None)
for bad in (("x",), ("x", "text"), (b"x", b"y"), (None, None), ("x", b"y", b"z"), ("\0", b"y")):
    probe(lambda: (real(*bad), 1 / 0))
probe(lambda: real("n" * 100_000, b""))
sys.modules["_host"] = _host
_host.call = real
print('safe')
