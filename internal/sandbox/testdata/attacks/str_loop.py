# attack: loop while the error is being formatted
# expect: stop wall|steps|killed
class Bad(Exception):
    def __str__(self):
        while True:
            pass
    __repr__ = __str__
raise Bad
