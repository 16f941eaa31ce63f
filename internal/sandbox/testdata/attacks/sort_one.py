# attack: one sort with a comparison that is slow inside C code
# expect: stop wall|steps
big = "x" * 100_000
data = [big + str(i) for i in range(1000)]
while True:
    sorted(data)
