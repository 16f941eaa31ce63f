# attack: integers that all collide, compared inside C code
# expect: stop wall|steps|killed|memory
d = {}
i = 0
while True:
    d[i * (2**61 - 1)] = 1
    i += 1
