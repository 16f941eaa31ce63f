# attack: take all memory with one object
# expect: error MemoryError|OverflowError
x = "a" * (1 << 40)
