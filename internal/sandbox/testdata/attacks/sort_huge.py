# attack: sort for a long time
# expect: stop wall|steps
data = [str(i * 7919 % 1000003) for i in range(400_000)]
while True:
    sorted(data, key=lambda s: s[::-1])
    data.sort()
    data.sort(reverse=True)
