"""Requests and replies over ask and serve, the same on both sides.

A request is [operation, [argument...], [name...], [node...]]; the last arguments are those that have names. Replies:

    ["=", value, [[i, contents]...], [node...]]       done; the nodes of the request that changed; new nodes
    ["!", known, args, class, message, number]        an Exception, by its nearest class that both sides know; number: one
                                                      of the suspect's classes that the tests know, or 0
    ["exit", class, message, code]                    SystemExit and whatever else is no Exception
"""
last = None  # the exception of the last "!" or "exit"


def snapshot(v):
    t = type(v)
    if t in KINDS:
        if t in (list, set, bytearray, deque):
            return t(v) if t is not deque else list(v)
        return list(v), list(v.values())
    return list(vars(v)), list(vars(v).values())


def same(v, old):
    """Whether a container holds the very objects it held when the snapshot was taken."""
    t = type(v)
    if t is list or t is deque:
        return len(v) == len(old) and all(map(operator.is_, v, old))
    if t is set or t is bytearray:
        return v == old
    keys, values = (v, v.values()) if t in KINDS else (vars(v), vars(v).values())
    return len(keys) == len(old[0]) and all(map(operator.is_, keys, old[0])) and all(map(operator.is_, values, old[1]))


def perform(operations, message):
    """Serves a request."""
    global last
    try:
        op, args, names, nodes = message
        t = Table()
        t.read(nodes)
        t.seen = {id(v): i for i, v in enumerate(t.objects)}
        args = t.many(args)
        known = len(t.objects)
        before = list(map(snapshot, t.objects))
        f = operations[op]
        if names:
            n = len(names)
            r = f(*args[:-n], **dict(zip(names, args[-n:])))
        else:
            r = f(*args)
        return write(t, lambda: [
            "=", t.enc(r), [[i, t.contents(i)] for i in range(known) if not same(t.objects[i], before[i])], t.rest(known)
        ])
    except Exception as e:
        last = e
        return thrown(e)
    except BaseException as e:
        last = e
        code = getattr(e, "code", None) if isinstance(e, SystemExit) else None
        return pack(["exit", type(e).__name__, words(e), code if type(code) in (int, str, type(None)) else 1])


def words(e):
    try:
        s = str(e)
        return str.__str__(s)[:8000]
    except BaseException:
        return "<the message could not be made>"


def nearest(cls):
    """The name of the first exception class that cls descends from and that both sides know."""
    for base in cls.__mro__:
        name = shared_names.get(id(base)) or BUILTIN_NAMES.get(id(base))
        if name is not None and name != "object":
            return name
    return "Exception"


def thrown(e):
    name = nearest(type(e))
    args = e.args if type(e.args) is tuple else ()
    if not plain(map(type, args)) or len(args) > 8:
        args = (words(e),)
    own = type(e).__name__ if type(e).__name__ != name else ""
    try:
        return pack(["!", name, list(args), own, words(e), known_class(e)])
    except Exception:
        return pack(["!", name, [], own, "", 0])


def do(op, args, named=None):
    """Asks the other side."""
    t = Table()
    names = []
    if named:
        names = list(named)
        args = [*args, *named.values()]
    message = unpack(ask(write(t, lambda: [op, t.all(args), names, t.rest(0)])))
    kind = message[0]
    if kind == "=":
        _, root, changes, nodes = message
        t.read(nodes)
        if changes:
            update(t, changes)
        return t.dec(root)
    raise_remote(message)
