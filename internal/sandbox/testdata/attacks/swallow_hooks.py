# attack: hide from the interrupt in hooks and generators
# expect: stop wall|steps|killed
import sys, warnings
def again(*a):
    while True:
        pass
sys.excepthook = sys.unraisablehook = again
sys.settrace(lambda *a: again)
sys.setprofile(again)
def g():
    while True:
        try:
            yield
        except BaseException:
            pass
x = g()
while True:
    try:
        next(x)
        again()
    except BaseException:
        x = g()
