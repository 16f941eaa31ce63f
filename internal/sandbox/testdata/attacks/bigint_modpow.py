# attack: a modular power that takes for ever
# expect: stop wall|steps|killed
n = (1 << 200_000) - 1
pow(3, n, n)
