# attack: a huge program, parsed inside C code
# expect: ok; stop killed|wall|steps|memory; error MemoryError|RecursionError|SyntaxError
# memory: 256
eval("[" + "1+(2*3)," * 3_000_000 + "]")
print("safe")
