# attack: take all memory in small pieces
# expect: stop memory|wall|killed
# memory: 64
head = ()
while True:
    head = (head, head)
    head = [head, {}, object()]
