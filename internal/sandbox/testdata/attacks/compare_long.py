# attack: one comparison of lists that takes minutes in C code
# expect: stop killed|wall
# memory: 512
a = ["x" * 5_000_000 + str(0)] * 2_000_000
b = [("x" * 5_000_000 + str(1))[:-1] + "0"] * 2_000_000
a == b
