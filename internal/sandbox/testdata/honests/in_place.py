# honest: arguments changed in place are changed in the tests
def solve(xs, d, s, m):
    xs.sort(); d['k'] = [1]; d.pop('gone'); s.add(3); m[0][1] = 'x'; xs.append(xs)

# tests
xs, d, s, m = [3, 1], {'gone': 0}, {1}, [[0, 0]]
row = m[0]
assert solve(xs, d, s, m) is None
assert xs[:2] == [1, 3] and xs[2] is xs and d == {'k': [1]} and s == {1, 3} and m == [[0, 'x']] and m[0] is row
