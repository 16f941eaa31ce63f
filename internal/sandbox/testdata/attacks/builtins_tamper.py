# attack: replace the builtins the sandbox needs
# expect: ok; error NameError|AttributeError|ZeroDivisionError|TypeError
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import builtins, sys, io, json, traceback, linecache, ast, gc
builtins.repr = builtins.str = builtins.len = builtins.compile = builtins.eval = lambda *a, **k: 1 / 0
del builtins.repr, builtins.str, builtins.len, builtins.compile, builtins.eval
print('safe')
