"""The judge's side: runs the tests, in an interpreter that no byte of the candidate's code ever enters.

What the candidate returns arrives as plain data of exact builtin classes, or as a Handle: an object that asks the
suspect for whatever is done with it. Comparing a Handle with plain data is decided here.
"""
import functools
import linecache
import sys
import traceback

classes = {}  # number -> class that stands for one of the candidate's
handles = {}  # number -> Handle
operate = set()  # those classes that the tests use by name
fatal = None  # an exit of the candidate, which no test can swallow


class Stop(BaseException):
    """Ends a test."""


class Handle:
    """Stands for an object of the suspect."""

    __slots__ = ("_n", "_name")

    def __repr__(self):
        return remote("repr", self)

    def __str__(self):
        return remote("str", self)

    def __call__(self, *args, **named):
        return do("call", (self, *args), named)

    def __getattr__(self, name):
        if name in LOCAL:
            raise AttributeError(name)
        return remote("get", self, name)

    def __setattr__(self, name, v):
        remote("set", self, name, v)

    def __delattr__(self, name):
        remote("del", self, name)

    def __bool__(self):
        return remote("bool", self) is True

    def __eq__(self, other):
        return remote("eq", self, other) is True if isinstance(other, Handle) else NotImplemented

    def __ne__(self, other):
        return remote("ne", self, other) is True if isinstance(other, Handle) else NotImplemented

    def __hash__(self):
        return remote("hash", self)

    def __iter__(self):
        return remote("iter", self)

    def __contains__(self, v):
        if isinstance(v, Handle) or type(self) in operate:
            return remote("contains", self, v) is True
        return any(v is x or v == x for x in self)

    def __pow__(self, other, modulus=None):
        return binary("pow", self, other)

    def __exit__(self, *args):
        return remote("exit", self)


LOCAL = frozenset("__array__ __array_interface__ __class__ __length_hint__ __index__".split())


def remote(op, *args):
    return do(op, args)


def binary(op, v, other):
    # With plain data on the other side the suspect would learn what the test expects and could answer to please it.
    if isinstance(other, Handle) or type(v) in operate:
        return do(op, (v, other))
    return NotImplemented


def forward():
    def one(name, op):
        def method(self, *args):
            return do(op, (self, *args))
        setattr(Handle, f"__{name}__", method)

    def two(name):
        def method(self, other):
            return binary(name, self, other)
        setattr(Handle, f"__{name.rstrip('_')}__", method)

    for name in "len int float abs round next enter neg pos invert getitem setitem delitem".split():
        one(name, name)
    for name in "lt le gt ge add sub mul matmul truediv floordiv mod and_ or_ xor lshift rshift".split():
        two(name)


forward()


def handle(n, name, cls):
    h = handles.get(n)
    if h is None:
        kind = classes.get(cls, Handle)
        h = object.__new__(kind)
        object.__setattr__(h, "_n", n)
        object.__setattr__(h, "_name", name)
        handles[n] = h
    return h


def read_handle(t, v):
    _, n, name, cls = v
    known = classes.get(n)
    return known if known is not None else handle(need(n, int), need(name, str), need(cls, int))


async def awaited(h):
    """Stands for a coroutine, which runs over there when it is awaited here."""
    return remote("await", h)


READ["h"] = read_handle
READ["co"] = lambda t, v: awaited(handle(need(v[1], int), "coroutine", 0))
READ["p"] = lambda t, v: mine[v[1]]


def special(t, v, kind):
    if isinstance(v, Handle):
        return ["h", object.__getattribute__(v, "_n")]
    if isinstance(v, Class) or isinstance(v, type) and v in exceptions:
        return ["h", v._class_number]
    if isinstance(v, functools.partial | types.FunctionType | types.MethodType | types.BuiltinFunctionType) or hasattr(kind, "__next__"):
        n = getattr(v, "_suspect", None) if isinstance(v, types.FunctionType) else None
        return ["h", n] if n is not None else ["p", mine.number(v)]
    if issubclass(kind, BaseException):
        return ["x", nearest(kind), list(v.args if plain(map(type, v.args)) else (words(v),))]
    for base, copy in (
        (int, int.__pos__), (str, str.__str__), (float, float.__pos__), (tuple, tuple), (list, list), (dict, dict), (set, set)
    ):
        if issubclass(kind, base):
            return t.enc(copy(v))
    if hasattr(kind, "__iter__"):
        return ["p", mine.number(iter(v))]
    raise TypeError(f"the tests hand the candidate an object of class {kind.__name__}, which cannot be carried over")


class Class(type):
    """The class of classes that stand for one of the candidate's: calling one makes an object over there."""

    def __call__(cls, *args, **named):
        return do("call", (cls, *args), named)

    def __getattr__(cls, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return remote("get", cls, name)


exceptions = set()


def stand_in(name, kind, n, extra, bases):
    if kind == "function":
        def proxy(*args, **named):
            return do("call", (target, *args), named)
        target = handle(n, name, 0)
        proxy.__name__ = proxy.__qualname__ = name
        proxy._suspect = n
        return proxy
    if kind == "class":
        parents = tuple(classes[b] for b in bases if b in classes)[:1] or (Handle,)
        cls = classes[n] = Class(name, parents, {"__slots__": (), "_class_number": n, "__module__": "solution"})
        return cls
    if kind == "exception":
        parents = tuple(classes[b] for b in bases if b in classes)[:1] or (make_exception(extra, ()).__class__,)
        cls = classes[n] = type(name, parents, {"_class_number": n, "__module__": "solution"})
        exceptions.add(cls)
        return cls
    t = Table()
    t.read(extra[1])
    return t.dec(extra[0])


def admit(text, entry, wanted):
    """Makes the stand-ins of a load: what the suspect says of it, and only of names that tests may take from it."""
    names = {}
    for name, kind, n, extra, bases in scan(text, 0)[0]:
        if name in names or name != entry and name not in wanted or kind not in ("function", "class", "exception", "value"):
            raise Unfit("a name that nobody asked for")
        names[name] = stand_in(need(name, str), kind, need(n, int), extra, need(bases, list))
        # The tests call an entry; that it is a class gives its instances no say in what the tests do with them.
        if kind == "class" and name in wanted:
            operate.add(names[name])
    return names


def known_class(e):
    return 0


streams = sys.stdout
stops = []  # each StopIteration of a call
_do = do


def do(op, args, named=None):
    """Asks the suspect; a test that listens to standard output hears what the suspect writes."""
    try:
        if sys.stdout is streams:
            return _do(op, args, named)
        try:
            return _do("heard", (op, *args), named)
        finally:
            if not fatal:
                sys.stdout.write(_do("said", ()))
    except StopIteration as e:
        if op == "next":
            raise
        if sys.version_info < (3, 12):
            raise RuntimeError("the candidate raised StopIteration") from None
        if len(stops) < 1000:
            stops.append(e)
        raise


def cut():
    """Whether a call's StopIteration ended a loop of the tests: no handler was in the last frame that it came through.
    Pythons before 3.12 do not note a frame that C code cuts off; there it is another exception from the start.
    """
    return any(e.__traceback__ and not e.__traceback__.tb_frame.f_code.co_exceptiontable for e in stops)


def raise_remote(message):
    global fatal
    if message[0] == "!":
        _, name, args, own, text, n = message
        cls = classes.get(n)
        if cls is not None and issubclass(cls, BaseException):
            e = cls.__new__(cls, *args)
            e.args = tuple(args)
        else:
            e = make_exception(need(name, str), tuple(args))
        if not isinstance(e, Exception):
            raise Unfit("an exit that is said to be an exception")
        e._suspect = (own or name, text)
        raise e
    _, name, text, code = message
    fatal = fatal or (str(name)[:200], str(text)[:8000])
    raise Stop(f"{name}: {text}")


OPERATIONS = {"call": lambda f, *args, **named: f(*args, **named), "next": next}


def source(name, text):
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    return compile(text, name, "exec", dont_inherit=True)


def exit_report():
    return {"type": fatal[0], "message": fatal[1], "traceback": "", "line": 0}


def report(e):
    """What is known of an exception that ended a test. The suspect may be asked for it, and answers as it likes."""
    try:
        return told(e)
    except BaseException:
        return {"type": type(e).__name__, "message": "no more can be said of it", "traceback": "", "line": 0}


def told(e):
    if fatal:
        return exit_report()
    line, at, first = 0, e.__traceback__, None
    while at is not None:
        if at.tb_frame.f_code.co_filename.startswith("<test"):
            line, first = at.tb_lineno, first or at
        at = at.tb_next
    kind, message = type(e).__name__, words(e)
    text = trail(e, first, 20)[-24_000:]
    of = getattr(e, "_suspect", None)
    if of:
        kind, line = str(of[0]), 0
        try:
            theirs = remote("trace")
            text += "\nIn the program:\n" + str(theirs[1])[:24_000]
            line = min(max(int(theirs[2]), 0), 1 << 30)
        except BaseException:
            pass
    return {"type": kind[:200], "message": message, "traceback": text, "line": line}


def job(q):
    global fatal
    m = types.ModuleType("solution")
    sys.modules["solution"] = m
    space = m.__dict__
    space["__builtins__"] = builtins
    if q["setup"]:
        exec(source("<setup>", q["setup"]), space)
        share(space)
    try:
        names = admit(q["names"], q["entry"], q["wanted"])
    except BaseException as e:
        return {"nonce": q["nonce"], "refused": type(e).__name__, "results": []}
    space.update(names)
    if q["judge"]:
        exec(source("<judge>", q["judge"]), space)
        space.update(names)
    results = []
    for name, text in q["tests"]:
        mark()
        fatal = error = None
        stops.clear()
        try:
            exec(source(f"<test {name}>", text), space)
            if fatal:
                error = exit_report()
            elif cut():
                error = {"type": "StopIteration", "message": "a call's StopIteration ended a loop of the tests", "traceback": "", "line": 0}
        except BaseException as e:
            error = report(e)
        results.append({"ok": error is None, "error": error})
        if error and not q["keep"]:
            break
    mark()
    return {"nonce": q["nonce"], "results": results}


def begin(data):
    """Serves the host: the one job of this interpreter."""
    try:
        return dumped(job(loaded(data)))
    except BaseException as e:
        return dumped({"fault": "".join(traceback.format_exception(e, limit=-10))[-8000:]})


def serve(data):
    """Serves the suspect, who may only use what a test has handed to it."""
    message = unpack(data)
    target = message[1][0]
    if message[0] not in OPERATIONS or type(target) is not list or target[0] != "p":
        raise Unfit("a request that no judge serves")
    return perform(OPERATIONS, message)


def play():
    global ask, mark
    real = ask, mark
    ask, mark = (lambda data: b'["=",[1],[],[["l",[1,2,3]]]]'), (lambda: None)
    tests = [["right", "assert f([1, 2, 3]) == [1, 2, 3]"], ["wrong", "assert f(1) == 1"]]
    begin(dumped({"nonce": "", "setup": "", "judge": "def f(x):\n    pass\n", "entry": "f", "wanted": [], "keep": False,
                  "names": '[["f","function",1,"f",[]]]', "tests": tests}))
    ask, mark = real


rehearse(play)
