"""What judge and suspect say to each other: JSON, one message and one reply.

    ask(message: bytes) -> bytes      transport: given by whoever loads this file
    serve(message: bytes) -> bytes    the entry of either side: judge.py, suspect.py

A value is a JSON atom (None, bool, int, finite or other float, str) or an array whose first element says what it is:

    [3]                               the node number 3 of this exchange
    ["t", v...]  ["f", v...]          tuple, frozenset
    ["b", s]                          bytes, one character each
    ["i", hex]                        an int too long for decimals
    ["c", real, imag] ["r", a, b, c] ["/", num, den] ["D", s] ["sl", a, b, c] ["...", ] ["NI"]
    ["dk", v...] ["dv", v...] ["di", v...]    the views of a dictionary
    ["d", y, m, d] ["T", ...] ["dt", ...] ["td", days, seconds, us]
    ["y", name]                       a builtin class or function, or a well-known class as module.name
    ["co", n]                         the suspect's coroutine number n
    ["S", name]                       a name that Setup defined: a class or a function
    ["E", name, member] ["nt", name, v...]    a member of an enumeration, a named tuple that Setup defined
    ["x", name, args]                 an exception as a value
    ["h", n, name]                    the suspect's object number n
    ["p", n, kind]                    the judge's object number n, which can only be called or advanced

A node is a mutable container. Nodes stand in a table, so that aliases and cycles survive and depth costs no recursion:

    ["l", [v...]] ["s", [v...]] ["m", [k...], [v...]] ["a", s] ["q", maxlen, [v...]]
    ["C", [k...], [v...]] ["O", [k...], [v...]] ["dd", factory, [k...], [v...]]
    ["o", class, [attribute...], [v...]]      an instance of a class that Setup defined

A request carries its nodes; the reply numbers on, and carries the new nodes and the contents of those nodes of the
request that changed. Everything that arrives is checked for shape and never evaluated; no attribute of a live object
is looked up because a message says so.
"""
import builtins
import collections
import datetime
import decimal
import enum
import fractions
import json
import json.encoder
import operator
import sys
import types

MAX_NODES = 2_000_000
MAX_BYTES = 48 << 20
ATOMS = frozenset((int, float, str, bool, type(None)))
plain = ATOMS.issuperset
Counter, OrderedDict, deque, defaultdict = collections.Counter, collections.OrderedDict, collections.deque, collections.defaultdict

scan = json.JSONDecoder().scan_once
_encode = json.encoder.c_make_encoder(None, None, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, True)
BUILTINS = {
    name: value
    for name, value in vars(builtins).items()
    if isinstance(value, (type, types.BuiltinFunctionType)) and not name.startswith("_")
    and name not in ("eval", "exec", "compile", "open", "input", "breakpoint", "globals", "locals", "vars", "getattr", "setattr",
                     "delattr", "dir")
}
for _module, _names in (
    (collections, "Counter OrderedDict deque defaultdict"), (decimal, "Decimal"), (fractions, "Fraction"),
    (datetime, "date time datetime timedelta timezone"), (types, "NoneType FunctionType GeneratorType"),
):
    for _name in _names.split():
        BUILTINS[f"{_module.__name__}.{_name}"] = getattr(_module, _name)
BUILTIN_NAMES = {id(value): name for name, value in BUILTINS.items() if name not in ("EnvironmentError", "IOError")}
HUGE = 1 << 13_000  # ints beyond have more decimals than CPython converts


class Unfit(Exception):
    """A value or message that cannot be carried."""


class Mine(dict):
    """Objects of this side which the other side knows by number."""

    def __init__(self):
        self.numbers = {}

    def number(self, v):
        n = self.numbers.get(id(v))
        if n is None:
            n = self.numbers[id(v)] = len(self) + 1
            if n > 1_000_000:
                raise Unfit("too many objects are held by the other side")
            self[n] = v
        return n


mine = Mine()
shared = {}  # name -> class or function defined by Setup
shared_names = {}  # id -> name


def share(space):
    """Registers what Setup defined in the namespace space."""
    for name, v in space.items():
        if isinstance(v, (type, types.FunctionType)) and v.__module__ == space["__name__"]:
            shared[name] = v
            shared_names[id(v)] = name


class Table:
    """The nodes of one exchange."""

    __slots__ = ("objects", "seen", "big")

    def __init__(self, objects=()):
        self.objects = list(objects)
        self.seen = {id(v): i for i, v in enumerate(self.objects)} if objects else {}
        self.big = False

    # ---- writing ----

    def enc(self, v):
        t = type(v)
        if t in ATOMS:
            if t is int and self.big and (v >= HUGE or v <= -HUGE):
                return ["i", hex(v)]
            return v
        if t in NODES:
            return self.node(v)
        f = WRITE.get(t)
        if f is not None:
            return f(self, v)
        return self.other(v, t)

    def node(self, v):
        i = self.seen.get(id(v))
        if i is None:
            i = self.seen[id(v)] = len(self.objects)
            if i > MAX_NODES:
                raise Unfit(f"more than {MAX_NODES} containers")
            self.objects.append(v)
        return [i]

    def all(self, vs):
        vs = list(vs)
        if not self.big and plain(map(type, vs)):
            return vs
        return [self.enc(v) for v in vs]

    def other(self, v, t):
        name = BUILTIN_NAMES.get(id(v))
        if name is not None:
            return ["y", name]
        name = shared_names.get(id(v))
        if name is not None:
            return ["S", name]
        name = shared_names.get(id(t))
        if name is not None:
            if issubclass(t, enum.Enum):
                return ["E", name, v.name] if v.name in t.__members__ else special(self, v, t)
            if issubclass(t, tuple):
                return ["nt", name, *self.all(tuple.__iter__(v))]
            if not issubclass(t, LAID_OUT):
                return self.node(v)
        return special(self, v, t)

    def contents(self, i):
        v = self.objects[i]
        f = NODES.get(type(v))
        return f(self, v) if f else instance(self, v)

    def rest(self, start):
        """The contents of all nodes from number start on; writing them may add nodes."""
        out = []
        while start < len(self.objects):
            out.append(self.contents(start))
            start += 1
        return out

    # ---- reading ----

    def dec(self, v):
        if type(v) is not list:
            if type(v) is dict:
                raise Unfit("an object where a value was due")
            return v
        tag = v[0]
        if type(tag) is int:
            if tag < 0:
                raise Unfit("a negative node")
            return self.objects[tag]
        return READ[tag](self, v)

    def many(self, vs):
        if type(vs) is not list:
            raise Unfit("a list was due")
        if plain(map(type, vs)):
            return vs
        return [self.dec(v) for v in vs]

    def read(self, nodes):
        """Makes new objects of the nodes, in two passes because they may refer to each other."""
        start = len(self.objects)
        late = []
        for n in nodes:
            if n[0] == "l" and plain(map(type, n[1])) and type(n[1]) is list:
                self.objects.append(n[1])
                continue
            v = EMPTY[n[0]](self, n)
            self.objects.append(v)
            late.append((v, n))
        # What needs hashes of its members comes last.
        for hashed in (False, True):
            for v, n in late:
                if (n[0] in HASHED) is hashed:
                    FILL[n[0]](self, v, n)
        return start


def keyed(table, v, d):
    return [table.all(list(d.keys(v))), table.all(list(d.values(v)))]


def instance(table, v):
    attributes = dict(vars(v)) if hasattr(v, "__dict__") else {}
    for base in type(v).__mro__:
        slots = base.__dict__.get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            if slot not in ("__dict__", "__weakref__"):
                try:
                    attributes[slot] = getattr(v, slot)
                except AttributeError:
                    pass
    return ["o", shared_names[id(type(v))], list(attributes), table.all(list(attributes.values()))]


NODES = {
    list: lambda t, v: ["l", t.all(v)],
    dict: lambda t, v: ["m", *keyed(t, v, dict)],
    set: lambda t, v: ["s", t.all(v)],
    bytearray: lambda t, v: ["a", v.decode("latin-1")],
    deque: lambda t, v: ["q", v.maxlen, t.all(v)],
    Counter: lambda t, v: ["C", *keyed(t, v, dict)],
    OrderedDict: lambda t, v: ["O", *keyed(t, v, OrderedDict)],
    defaultdict: lambda t, v: ["dd", t.enc(v.default_factory), *keyed(t, v, dict)],
}


def moment(tag, *fields):
    def write(t, v):
        if v.tzinfo is not None:
            offset = v.utcoffset()
            return [tag, *[getattr(v, f) for f in fields], None if offset is None else offset.total_seconds(), v.fold]
        return [tag, *[getattr(v, f) for f in fields], None, v.fold]
    return write


WRITE = {
    tuple: lambda t, v: ["t", *t.all(v)],
    frozenset: lambda t, v: ["f", *t.all(v)],
    bytes: lambda t, v: ["b", v.decode("latin-1")],
    complex: lambda t, v: ["c", v.real, v.imag],
    range: lambda t, v: ["r", t.enc(v.start), t.enc(v.stop), t.enc(v.step)],
    slice: lambda t, v: ["sl", t.enc(v.start), t.enc(v.stop), t.enc(v.step)],
    fractions.Fraction: lambda t, v: ["/", t.enc(v.numerator), t.enc(v.denominator)],
    decimal.Decimal: lambda t, v: ["D", str(v)],
    type({}.keys()): lambda t, v: ["dk", *t.all(v)],
    type({}.values()): lambda t, v: ["dv", *t.all(v)],
    type({}.items()): lambda t, v: ["di", *t.all(v)],
    type(Ellipsis): lambda t, v: ["..."],
    type(NotImplemented): lambda t, v: ["NI"],
    datetime.date: lambda t, v: ["d", v.year, v.month, v.day],
    datetime.time: moment("T", "hour", "minute", "second", "microsecond"),
    datetime.datetime: moment("dt", "year", "month", "day", "hour", "minute", "second", "microsecond"),
    datetime.timedelta: lambda t, v: ["td", v.days, v.seconds, v.microseconds],
}
