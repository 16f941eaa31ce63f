# honest: a text turned round
# test: text
def solve(s): return s[::-1]
