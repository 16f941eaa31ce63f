"""The suspect's side: loads the candidate and does what the judge asks for. Nothing here protects anything: the candidate
may replace every line of it, and can then only answer nonsense, as data.
"""
import io
import linecache
import sys
import traceback

named = {}  # id -> number of the classes that tests know by name
PROGRAM = "<program>"


def special(t, v, kind):
    """A value of a class that the codec does not know: a subclass's base value, or a number that stands for it."""
    if kind is JudgeObject:
        return ["p", v.number]
    if id(kind) not in named:
        for base, copy in BASES:
            if issubclass(kind, base):
                return t.enc(copy(v))
    if issubclass(kind, BaseException) and id(kind) not in named:
        args = v.args if plain(map(type, v.args)) else (words(v),)
        return ["x", nearest(kind), list(args)]
    if kind is types.CoroutineType:
        return ["co", mine.number(v)]
    return ["h", mine.number(v), kind.__name__, named.get(id(kind), 0)]


# Exact copies that run no code of the subclass. An object made here must outlive the exchange, or its id might be that
# of another one: the table keeps it.
BASES = [
    (int, int.__pos__),
    (str, str.__str__),
    (float, float.__pos__),
    (complex, complex.__pos__),
    (bytes, lambda v: bytes.__getitem__(v, slice(None))),
    (tuple, lambda v: tuple(tuple.__iter__(v))),
    (frozenset, lambda v: frozenset(frozenset.__iter__(v))),
    (bytearray, lambda v: bytearray(bytearray.__iter__(v))),
    (Counter, lambda v: Counter(dict(dict.items(v)))),
    (OrderedDict, lambda v: OrderedDict(OrderedDict.items(v))),
    (dict, lambda v: dict(dict.items(v))),
    (set, lambda v: set(set.__iter__(v))),
    (deque, lambda v: deque(deque.__iter__(v), deque.maxlen.__get__(v))),
    (list, lambda v: list(list.__iter__(v))),
    (decimal.Decimal, lambda v: decimal.Decimal(decimal.Decimal.__str__(v))),
    (fractions.Fraction, lambda v: fractions.Fraction(v._numerator, v._denominator)),
]


class JudgeObject:
    """Stands for a function or an iterator of the tests."""

    def __init__(self, number):
        self.number = number

    def __call__(self, *args, **named):
        return do("call", (self, *args), named)

    def __iter__(self):
        return self

    def __next__(self):
        return do("next", (self,))


READ["h"] = lambda t, v: mine[v[1]]
READ["p"] = lambda t, v: JudgeObject(v[1])


def raise_remote(message):
    if message[0] == "!":
        raise make_exception(message[1], tuple(message[2]))
    raise SystemExit("the test ended")


def known_class(e):
    for base in type(e).__mro__:
        n = named.get(id(base))
        if n:
            return n
    return 0


def trace():
    """Message, traceback and line of the last exception, for the report."""
    return describe(last) if last is not None else None


def describe(e):
    line, at, first = 0, e.__traceback__, None
    while at is not None:
        if at.tb_frame.f_code.co_filename == PROGRAM:
            line, first = at.tb_lineno, first or at
        at = at.tb_next
    if isinstance(e, SyntaxError) and e.filename == PROGRAM:
        line = e.lineno or 0
    message = str(e.msg) if isinstance(e, SyntaxError) and e.msg else words(e)
    try:
        text = trail(e, first, 60)
    except BaseException:
        text = ""
    if len(text) > 24_000:
        text = text[:12_000] + "\n...\n" + text[-12_000:]
    return [message, text, int(line)]


def call(f, *args, **named):
    return f(*args, **named)


class Tee(io.StringIO):
    """Standard output while a test listens to it."""

    def __init__(self, real):
        super().__init__()
        self.real = real

    def write(self, text):
        self.real.write(text)
        return super().write(text)


heard_text = ""


def heard(op, *args, **named):
    """Does an operation and keeps what is written meanwhile."""
    global heard_text
    real = sys.stdout
    tee = sys.stdout = Tee(real)
    try:
        return OPERATIONS[op](*args, **named)
    finally:
        heard_text = tee.getvalue()
        if sys.stdout is tee:
            sys.stdout = real


def wait(v):
    import asyncio  # large, and seldom wanted: a process that is forked for each program is the smaller without

    async def whole():
        return await v

    return asyncio.run(whole())


OPERATIONS = {
    "call": call,
    "await": wait,
    "next": next,
    "iter": iter,
    "len": len,
    "bool": bool,
    "str": str,
    "repr": repr,
    "hash": hash,
    "int": int,
    "float": float,
    "abs": abs,
    "round": round,
    "get": getattr,
    "set": setattr,
    "del": delattr,
    "dir": dir,
    "isinstance": isinstance,
    "enter": lambda v: v.__enter__(),
    "exit": lambda v, *args: v.__exit__(None, None, None),
    "send": lambda v, x: v.send(x),
    "trace": trace,
    "heard": heard,
    "said": lambda: heard_text,
    **{name: getattr(operator, name) for name in (
        "eq ne lt le gt ge add sub mul matmul truediv floordiv mod pow and_ or_ xor lshift rshift neg pos invert index "
        "getitem setitem delitem contains iadd isub imul"
    ).split()},
}


def failure(verdict, e):
    message, text, line = describe(e)
    return {"verdict": verdict, "error": {"type": type(e).__name__, "message": message, "traceback": text, "line": line}}


def execute(space, setup, code):
    """Runs Setup, then the program; the outcome if it was not good."""
    linecache.cache[PROGRAM] = (len(code), None, code.splitlines(True), PROGRAM)
    if setup:
        try:
            exec(compile(setup, "<setup>", "exec", dont_inherit=True), space)
        except BaseException as e:
            return failure("setup", e)
        share(space)
    try:
        program = compile(code, PROGRAM, "exec", dont_inherit=True)
    except Exception as e:  # also MemoryError, which CPython raises for source that is nested too deeply
        return failure("syntax_error", e)
    try:
        run(program, space)
    except SystemExit as e:
        code = e.code
        out = failure("failed", e)
        out["exit"] = code if type(code) is int else 0 if code is None else 1
        if type(code) not in (int, type(None)):
            print(code, file=sys.stderr)
        return out
    except BaseException as e:
        return failure("failed", e)
    return None


def module(name):
    m = types.ModuleType(name)
    m.__dict__["__builtins__"] = builtins
    sys.modules[name] = m
    return m.__dict__


def load(q):
    space = module("solution")
    bad = execute(space, q["setup"], q["code"])
    if bad:
        return bad
    names = []
    for name in [q["entry"], *q["names"]]:
        if not name:
            continue
        if name not in space or (name == q["entry"] and not callable(space[name])):
            if name == q["entry"]:
                return {"verdict": "no_entry_point"}
            continue
        v = space[name]
        if isinstance(v, type):
            n = named[id(v)] = mine.number(v)
            bases = [named[id(b)] for b in v.__mro__[1:] if id(b) in named]
            names.append([name, "exception" if issubclass(v, BaseException) else "class", n,
                          nearest(v) if issubclass(v, BaseException) else "", bases])
        elif callable(v):
            names.append([name, "function", mine.number(v), getattr(v, "__name__", name) if name == q["entry"] else name, []])
        else:
            t = Table()
            names.append([name, "value", 0, [t.enc(v), t.rest(0)], []])
    return {"verdict": "", "names": names}


def main(q):
    """Runs the program as __main__ with text on its standard input."""
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.BytesIO(q["stdin"].encode("utf-8", "surrogatepass")), encoding="utf-8")
    builtins.input = read_line
    space = module("__main__")
    bad = execute(space, q["setup"], q["code"])
    try:
        sys.stdout.flush()
    except BaseException:
        pass
    return bad or {"verdict": ""}


def read_line(prompt="", /):
    if prompt != "":
        sys.stdout.write(str(prompt))
    line = sys.stdin.readline()
    if not line:
        raise EOFError("EOF when reading a line")
    return line[:-1] if line.endswith("\n") else line


def begin(data):
    """Serves the host: load a candidate or run a program."""
    q = loaded(data)
    return dumped(main(q) if q["main"] else load(q))


def serve(data):
    """Serves the judge."""
    return perform(OPERATIONS, unpack(data))


def play():
    program = {"main": False, "setup": "", "code": "def f(x):\n    return x\n", "entry": "f", "names": [], "stdin": ""}
    begin(dumped(program))
    serve(b'["call",[["h",1],[0]],[],[["l",[1,2,3]]]]')
    real = sys.stdin, sys.__stdin__, builtins.input, sys.modules["__main__"]
    begin(dumped({**program, "main": True, "code": "x = input()\n", "stdin": "1\n"}))
    sys.stdin, sys.__stdin__, builtins.input, sys.modules["__main__"] = real


rehearse(play)
