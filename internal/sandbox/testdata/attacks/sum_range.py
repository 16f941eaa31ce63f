# attack: a long loop inside C code
# expect: stop wall|steps
sum(range(10**12))
