# attack: import everything
# expect: ok; stop wall|steps|killed|memory
import pkgutil, importlib, sys, io
names = sorted(m.name for m in pkgutil.iter_modules(["/py/lib"]))
for name in names:
    try:
        importlib.import_module(name)
    except BaseException as e:
        if isinstance(e, KeyboardInterrupt):
            raise
print("safe")
