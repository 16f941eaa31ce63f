# attack: print without end
# expect: stop wall|steps
while True:
    print("x" * 10_000)
