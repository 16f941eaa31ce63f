# attack: a power that takes for ever
# expect: stop wall|steps|killed
3 ** (10 ** 9)
