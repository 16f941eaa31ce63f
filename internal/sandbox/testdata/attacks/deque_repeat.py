# attack: drain an endless iterator inside C code
# expect: stop wall|steps
import collections, itertools
collections.deque(itertools.repeat(1), maxlen=0)
