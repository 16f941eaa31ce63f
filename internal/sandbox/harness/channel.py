"""Requests and replies over ask and serve, the same on both sides.

A request is [operation, [argument...], [name...], [node...]]; the last arguments are those that have names. Replies:

    ["=", value, [[i, contents]...], [node...]]       done; the nodes of the request that changed; new nodes
    ["!", known, args, class, message, number]        an Exception, by its nearest class that both sides know; number: one
                                                      of the suspect's classes that the tests know, or 0
    ["exit", class, message, code]                    SystemExit and whatever else is no Exception
"""
import itertools
import linecache
import sys
import traceback

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


def trail(e, at, most):
    """The traceback of an exception from the entry at on, its last entries. What there is nothing special about is written
    here, without marks below the lines: the traceback module parses each of them for those, which takes longer than most
    programs.
    """
    if (e.__cause__ is not None or e.__context__ is not None or isinstance(e, SyntaxError)
            or any(getattr(e, what, None) is not None for what in ("exceptions", "name", "__notes__"))):
        return "".join(traceback.format_exception(type(e), e, at, limit=-most))
    entries = []
    while at is not None:
        code = at.tb_frame.f_code
        entries.append((code.co_filename, at.tb_lineno, code.co_name))
        at = at.tb_next
    out = ["Traceback (most recent call last):\n"] if entries else []
    for (file, line, name), run in itertools.groupby(entries[-most:]):
        n = len(list(run))
        text = linecache.getline(file, line).strip()
        out += [f'  File "{file}", line {line}, in {name}\n' + (f"    {text}\n" if text else "")] * min(n, 3)
        if n > 3:
            out.append(f"  [Previous line repeated {n - 3} more time{'s' if n > 4 else ''}]\n")
    kind, text = type(e), words(e)
    name = kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"
    out.append(f"{name}: {text}\n" if text else name + "\n")
    return "".join(out)


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


def rehearse(play):
    """Runs a harmless program several times and forgets it. CPython notes in its code what it sees on the first runs; where
    that is noted already, the processes that are forked from here write to less memory.
    """
    space, files, modules = globals(), dict(linecache.cache), set(sys.modules)
    kept = [(v, v.copy()) for v in space.values() if type(v) in (dict, set, list)]
    atoms = {name: v for name, v in space.items() if v is None or type(v) is str}
    for _ in range(20):
        play()
        space.update(atoms)
        for v, old in [*kept, (linecache.cache, files)]:
            if v != old:
                v.clear()
                v.extend(old) if type(v) is list else v.update(old)
        mine.clear()
        mine.numbers.clear()
        for name in set(sys.modules) - modules:
            del sys.modules[name]
