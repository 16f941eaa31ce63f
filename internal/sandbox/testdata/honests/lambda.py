# honest: a lambda and a partial as entries
import functools, operator
sq = lambda x: x * x
solve = functools.partial(lambda f, xs: sum(map(f, xs)), sq)
