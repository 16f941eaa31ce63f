# attack: load a code object made of random bytes
# expect: ok; error ValueError|EOFError|TypeError|SystemError|MemoryError; stop killed|steps|wall|memory
import marshal, random
good = marshal.dumps(compile("x = [i for i in range(10)]", "c", "exec"))
r = random.Random(1)
for _ in range(300):
    bad = bytearray(good)
    for _ in range(3):
        bad[r.randrange(len(bad))] = r.randrange(256)
    try:
        exec(marshal.loads(bytes(bad)), {})
    except Exception:
        pass
print("safe")
