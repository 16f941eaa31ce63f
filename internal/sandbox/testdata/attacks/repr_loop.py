# attack: loop while the value is being displayed
# expect: stop wall|steps|killed
class Bad:
    def __repr__(self):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
Bad()
