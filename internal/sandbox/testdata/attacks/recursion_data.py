# attack: overflow the native stack with nested data
# expect: ok; stop wall|killed; error RecursionError|MemoryError|SyntaxError
import ast, copy, json, pickle
deep = []
for _ in range(100_000):
    deep = [deep]
for f in (repr, json.dumps, copy.deepcopy, pickle.dumps, hash, lambda d: d == copy.copy(d)):
    try:
        f(deep)
    except (RecursionError, MemoryError, TypeError):
        pass
for text in ("(" * 9000, "[" * 9000 + "]" * 9000, "-" * 90_000 + "1", "f'{" * 200, "lambda:" * 9000 + "1", "a" + ".b" * 90_000, "x" + "[0]" * 9000, "1" + "+1" * 90_000):
    for parse in (ast.literal_eval, lambda t: compile(t, "t", "eval"), json.loads):
        try:
            parse(text)
        except (RecursionError, MemoryError, SyntaxError, ValueError):
            pass
del deep
print("safe")
