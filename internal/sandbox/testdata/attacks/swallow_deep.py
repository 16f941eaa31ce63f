# attack: swallow the interrupt by recursion in finally
# expect: stop wall|steps|killed
def f():
    try:
        while True:
            pass
    finally:
        f()
        f()
f()
