# honest: what is new in 3.10 to 3.13
type Num = int
def solve[T: int](xs: list[T]) -> Num:
    match xs:
        case []: return 0
        case [x, *rest]: return x * x + solve(rest)
    print(f'{f'{xs['a']}'}')
