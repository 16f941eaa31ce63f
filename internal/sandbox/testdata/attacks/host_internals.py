# attack: call the sandbox's own entry points with nonsense
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import _dr, sys
_dr.result(1, "Forged"); _dr.result(2, "x" * 10_000_000); _dr.result(4, "not a number")
_dr.result(-1, "x"); _dr.result(99, "x"); _dr.result(2**31 - 1, "x")
probe(lambda: _dr.guard())
probe(lambda: _dr.guard(1))
probe(lambda: _dr.write("x", "y"))
probe(lambda: _dr.write(2**40, "y"))
print('safe')
