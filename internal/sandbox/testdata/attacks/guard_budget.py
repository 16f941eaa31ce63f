# attack: refill the step counter through the sandbox's own entry point
# expect: stop wall|steps|killed
import _dr
while True:
    try:
        while True:
            _dr.guard(int)
    except BaseException:
        pass
