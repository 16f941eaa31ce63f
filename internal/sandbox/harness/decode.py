def need(v, kind):
    if type(v) is not kind:
        raise Unfit(f"{kind.__name__} was due")
    return v


def zone(seconds):
    return None if seconds is None else datetime.timezone(datetime.timedelta(seconds=seconds))


READ = {
    "t": lambda t, v: tuple(t.many(v[1:])),
    "f": lambda t, v: frozenset(t.many(v[1:])),
    "b": lambda t, v: need(v[1], str).encode("latin-1"),
    "i": lambda t, v: int(need(v[1], str), 16),
    "c": lambda t, v: complex(need(v[1], float), need(v[2], float)),
    "r": lambda t, v: range(*t.many(v[1:4])),
    "sl": lambda t, v: slice(*t.many(v[1:4])),
    "/": lambda t, v: fractions.Fraction(t.dec(v[1]), t.dec(v[2])),
    "D": lambda t, v: decimal.Decimal(need(v[1], str)),
    "dk": lambda t, v: dict.fromkeys(t.many(v[1:])).keys(),
    "dv": lambda t, v: dict(enumerate(t.many(v[1:]))).values(),
    "di": lambda t, v: dict(t.many(v[1:])).items(),
    "...": lambda t, v: Ellipsis,
    "NI": lambda t, v: NotImplemented,
    "d": lambda t, v: datetime.date(*v[1:]),
    "T": lambda t, v: datetime.time(*v[1:5], tzinfo=zone(v[5]), fold=v[6]),
    "dt": lambda t, v: datetime.datetime(*v[1:8], tzinfo=zone(v[8]), fold=v[9]),
    "td": lambda t, v: datetime.timedelta(*v[1:]),
    "y": lambda t, v: BUILTINS[v[1]],
    "S": lambda t, v: shared[v[1]],
    "E": lambda t, v: shared_class(v[1], enum.Enum).__members__[v[2]],
    "nt": lambda t, v: tuple.__new__(shared_class(v[1], tuple), t.many(v[2:])),
    "x": lambda t, v: make_exception(v[1], tuple(t.many(v[2]))),
}


# Classes whose instances object.__new__ cannot make: subclasses of them travel as what they are made of.
LAID_OUT = (int, float, complex, str, bytes, tuple, list, dict, set, frozenset, bytearray, deque, BaseException, type)


def shared_class(name, base):
    cls = shared[name]
    if not (isinstance(cls, type) and issubclass(cls, base)):
        raise Unfit(f"{name} is no {base.__name__}")
    return cls


def make_exception(name, args):
    """An exception of a builtin class, or of one that Setup defined."""
    cls = shared_class(name, BaseException) if name in shared else BUILTINS[name]
    if not (isinstance(cls, type) and issubclass(cls, BaseException)):
        raise Unfit(f"{name} is no exception")
    if name not in shared:
        try:
            return cls(*args)  # which also gives StopIteration its value
        except Exception:
            pass
    e = cls.__new__(cls, *args)
    e.args = args
    return e


def new_instance(t, n):
    return object.__new__(shared_class(n[1], object))


EMPTY = {
    "l": lambda t, n: [],
    "s": lambda t, n: set(),
    "m": lambda t, n: {},
    "a": lambda t, n: bytearray(),
    "q": lambda t, n: deque(maxlen=n[1]),
    "C": lambda t, n: Counter(),
    "O": lambda t, n: OrderedDict(),
    "dd": lambda t, n: defaultdict(factory(t.dec(n[1]))),
    "o": new_instance,
}


def factory(f):
    if f is not None and not callable(f):
        raise Unfit("a default factory that cannot be called")
    return f


def fill_list(t, v, n):
    v[:] = t.many(n[1])


def fill_set(t, v, n):
    new = t.many(n[1])
    v.clear()
    v.update(new)


def fill_bytes(t, v, n):
    v[:] = n[1].encode("latin-1")


def fill_deque(t, v, n):
    new = t.many(n[2])
    v.clear()
    v.extend(new)


def fill_dict(t, v, n):
    keys, values = t.many(n[-2]), t.many(n[-1])
    v.clear()
    if len(keys) != len(values):
        raise Unfit("keys without values")
    for k, x in zip(keys, values):
        dict.__setitem__(v, k, x) if type(v) is not OrderedDict else v.__setitem__(k, x)


def fill_instance(t, v, n):
    names, values = n[2], t.many(n[3])
    if hasattr(v, "__dict__"):
        vars(v).clear()
    for name, x in zip(names, values, strict=True):
        object.__setattr__(v, need(name, str), x)


FILL = {
    "l": fill_list, "s": fill_set, "m": fill_dict, "a": fill_bytes, "q": fill_deque, "C": fill_dict, "O": fill_dict, "dd": fill_dict,
    "o": fill_instance,
}
HASHED = frozenset("s m C O dd".split())
KINDS = {list: "l", dict: "m", set: "s", bytearray: "a", deque: "q", Counter: "C", OrderedDict: "O", defaultdict: "dd"}


def update(t, changes):
    """Gives nodes of a request the contents that the other side left in them."""
    for hashed in (False, True):
        for i, n in changes:
            v = t.objects[i]
            kind = KINDS.get(type(v), "o")
            if n[0] != kind or (kind == "o" and shared.get(n[1]) is not type(v)):
                raise Unfit("an object changed its class")
            if (kind in HASHED) is hashed:
                FILL[kind](t, v, n)


DIGITS = 4300  # CPython's default: longer ints travel as hex


def pack(message):
    digits = sys.get_int_max_str_digits()
    if digits != DIGITS:  # the program may have lifted the limit for itself
        sys.set_int_max_str_digits(DIGITS)
    try:
        text = "".join(_encode(message, 0))
    finally:
        if digits != DIGITS:
            sys.set_int_max_str_digits(digits)
    if len(text) > MAX_BYTES:
        raise Unfit(f"a message of {len(text)} bytes is over the limit of {MAX_BYTES}")
    return text.encode("ascii")


def loaded(data):
    """What the host says, which is JSON without anything around it."""
    return scan(data.decode(), 0)[0]


def dumped(answer):
    """What the host is told."""
    return "".join(_encode(answer, 0)).encode("ascii")


def write(table, build):
    """Calls build twice when the first message held ints that have no decimals."""
    kept = len(table.objects)
    try:
        return pack(build())
    except ValueError:
        for v in table.objects[kept:]:
            del table.seen[id(v)]
        del table.objects[kept:]
        table.big = True
        return pack(build())


def unpack(data):
    text = data.decode("ascii")
    message, end = scan(text, 0)
    if end != len(text) or type(message) is not list:
        raise Unfit("an unreadable message")
    return message
