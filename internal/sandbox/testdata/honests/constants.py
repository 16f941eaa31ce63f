# honest: values that tests take by name
# names: LIMIT NAME
LIMIT = [1, (2, 3)]
NAME = 'x'
def solve(): return LIMIT

# tests
assert LIMIT == [1, (2, 3)] and NAME == 'x' and solve() == LIMIT
