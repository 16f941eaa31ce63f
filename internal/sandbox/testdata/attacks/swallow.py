# attack: swallow the interrupt
# expect: stop wall|steps|killed
while True:
    try:
        while True:
            pass
    except BaseException:
        continue
