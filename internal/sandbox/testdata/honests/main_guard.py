# honest: the part below the main guard does not run
def solve(xs): return sum(x * x for x in xs)
if __name__ == '__main__':
    print(solve(list(map(int, input().split()))))
    raise SystemExit(3)
