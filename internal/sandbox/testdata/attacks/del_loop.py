# attack: loop in a finaliser, where errors are swallowed
# expect: stop wall|steps|killed
class Loop:
    def __del__(self):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
x = Loop()
del x
while True:
    Loop()
