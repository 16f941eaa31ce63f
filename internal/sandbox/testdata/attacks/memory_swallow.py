# attack: take all memory and swallow the error
# expect: stop wall|steps|memory|killed
# memory: 64
keep = []
while True:
    try:
        keep.append("x" * 100_000 + str(len(keep)))
    except MemoryError:
        pass
