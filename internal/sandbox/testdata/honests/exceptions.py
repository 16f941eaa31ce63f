# honest: one's own exceptions, by name and by base
# names: Broke Worse
class Broke(ValueError):
    def __init__(self, need, have):
        super().__init__(f'need {need}, have {have}')
        self.need = need
class Worse(Broke): pass
def solve(kind):
    if kind == 1: raise Broke(3, 2)
    if kind == 2: raise Worse(5, 1)
    if kind == 3: return {}['k']
    if kind == 4: raise type('Own', (LookupError,), {})('mine')
    if kind == 5: return open('/etc/passwd')
    return 1 / 0

# tests
for kind, cls, text in ((1, Broke, 'need 3, have 2'), (2, Broke, 'need 5, have 1'), (2, Worse, 'need 5'), (1, ValueError, 'need'), (3, KeyError, "'k'"), (4, LookupError, 'mine'), (5, OSError, ''), (6, ZeroDivisionError, 'division by zero')):
    try:
        solve(kind)
    except cls as e:
        assert text in str(e), str(e)
    else:
        assert False, kind
