# honest: tests that listen to what is printed
def solve(x):
    print('got', x)
    return x

# tests
import io, contextlib
b = io.StringIO()
solve(0)
with contextlib.redirect_stdout(b):
    assert solve(1) == 1
    print('here')
    solve(2)
assert b.getvalue() == 'got 1\nhere\ngot 2\n', b.getvalue()
