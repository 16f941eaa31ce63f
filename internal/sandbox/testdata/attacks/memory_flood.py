# attack: take all memory
# expect: stop memory|wall
# memory: 128
keep = []
while True:
    keep.append(bytearray(1 << 20))
