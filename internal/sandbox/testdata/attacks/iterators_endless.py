# attack: drain endless iterators of every sort
# expect: stop wall|steps
import itertools
all(map(bool, zip(itertools.cycle([1]), itertools.count(), iter(int, 1), itertools.product(range(9), repeat=200))))
