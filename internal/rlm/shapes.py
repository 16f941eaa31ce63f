# What the names that a root's cells see take and give: arguments as they were meant, and results that show themselves.
# Runs before repl.py, in the same module.
import inspect as _inspect
import json
import re
import sys as _sys


def _make_shapes():
    class Wrong(TypeError):
        """An argument that nobody can have meant."""

    def as_text(value):
        if isinstance(value, str):
            return value
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        try:
            return json.dumps(value, ensure_ascii=False, default=str)
        except (TypeError, ValueError):
            return str(value)

    def many(value):
        return isinstance(value, (list, tuple, set, frozenset))

    def one(value, what):
        if many(value) and len(value) == 1:
            value, = value
        if many(value):
            raise Wrong(f"{what} is one value, not {len(value)}")
        return value

    def name(value, what):
        """A string, or None."""
        value = one(value, what)
        if isinstance(value, dict) and "qualified" in value:  # a row of symbols()
            value = value["qualified"]
        if isinstance(value, dict) and {"path", "name"} <= set(value):  # of localise() or search()
            value = f"{value['path']}:{value['name']}"
        if not isinstance(value, (str, type(None))):
            raise Wrong(f"{what} is a string, not {value!r:.60}")
        return value

    def number(value, what, kind=int):
        try:
            return kind(value)
        except (TypeError, ValueError):
            raise Wrong(f"{what} is a number, not {value!r:.60}") from None

    def dashed(value, what):
        """One number, or two as in "10-80": first and last, which is 0 where there is none."""
        both = re.fullmatch(r"\s*(\d+)\s*-\s*(\d+)\s*", value) if isinstance(value, str) else None
        if both or isinstance(value, (list, tuple)) and len(value) == 2:
            first, last = both.groups() if both else value
            return number(first, what), number(last, what)
        return number(value, what), 0

    def bare(path):
        """A path as the codebase has it: relative. What is about a file stands for it."""
        path = one(path, "path")
        if isinstance(path, dict):
            path = path.get("file", path.get("path", path))
        if not isinstance(path, str):
            raise Wrong(f"a path is a string, not {path!r:.60}")
        return re.sub(r"\A(?:\.?/)+|\A\.\Z", "", path.strip())

    def listed(values, what="prompts"):
        if isinstance(values, (str, bytes)):
            return [values]
        if isinstance(values, dict) or not hasattr(values, "__iter__"):
            raise Wrong(f"{what} is a list of strings, not {values!r:.60}")
        return list(values)

    def place(p):
        if isinstance(p, (tuple, list)):
            if not 1 <= len(p) <= 3:
                raise Wrong(f"a place is (path, first, last), not {p!r:.60}")
            lines = "-".join(map(str, p[1:]))
            return bare(p[0]) + (lines and ":" + lines)
        return bare(p)

    def places(paths):
        if isinstance(paths, (str, dict)) or isinstance(paths, tuple) and len(paths) in (2, 3) and isinstance(paths[1], int):
            paths = [paths]
        return [place(p) for p in listed(paths, "paths")]

    def ident(value):
        if isinstance(value, dict):
            value = value.get("id", value)
        if not isinstance(value, (str, int)):
            raise Wrong(f"an ID is a string as findings() gives it, not {value!r:.60}")
        return str(value)

    def idents(values):
        return [ident(v) for v in ([values] if isinstance(values, (str, int, dict)) else listed(values, "ids"))]

    def called(function):
        """The function with errors that say how it is called. Singular and plural of an argument's name mean the same."""
        signature = _inspect.signature(function)
        takes = signature.parameters

        def call(*args, **named):
            for said in [k for k in named if k not in takes]:
                meant = said + "s" if said + "s" in takes else said[:-1]
                if meant in takes and meant not in named:
                    named[meant] = named.pop(said)
            try:
                signature.bind(*args, **named)
            except TypeError as e:
                wrong = Wrong(e)
            else:
                try:
                    return function(*args, **named)
                except (Wrong, RuntimeError) as e:  # ours, and the host's
                    wrong = e
            if isinstance(wrong, Wrong):
                wrong = TypeError(f"{wrong}: it is called {function.__name__}{signature}")
            raise wrong.with_traceback(None) from None

        call.__name__, call.__qualname__, call.__doc__ = function.__name__, function.__name__, function.__doc__
        call.__signature__ = signature
        return call

    def said(value):
        """Whether the REPL shows the value of a cell's last expression that printed it: no name holds it."""
        frame = _sys._getframe(2)
        shown = frame.f_code.co_filename == "<boot>" and frame.f_locals.get("value") is value
        return shown and _sys.getrefcount(value) <= 7  # execute() and what it calls, down to here

    class ID(str):
        """A finding's ID; what gave it has printed it."""

        def __repr__(self):
            return "" if said(self) else str.__repr__(self)

    class Finding(dict):
        """One finding: a dict that is printed in one line, its id as the dict has it."""

        def __init__(self, found):
            dict.__init__(self, found, id=found["id"][:8])

        def __getattr__(self, key):
            if key in self:
                return self[key]
            raise AttributeError(f"a finding has no {key!r}: it is a dict with {', '.join(self)}")

        def __repr__(self):
            return "{id} {severity} {file}:{line} [{category}] {title}".format(**self)

        __str__ = __repr__

    class Findings(list):
        """Findings, worst first; printed one a line."""

        def __init__(self, found=()):
            list.__init__(self, map(Finding, found))

        def __getitem__(self, key):
            got = list.__getitem__(self, key)
            return Findings(got) if isinstance(key, slice) else got

        def __repr__(self):
            return "\n".join(map(repr, self)) or "no findings"

    class Account(Finding):
        """All about one finding; it was printed."""

        def __init__(self, found, text):
            Finding.__init__(self, found)
            self.__dict__["printed"] = text

        def __repr__(self):
            return "" if said(self) else self.__dict__["printed"].rstrip("\n")

        __str__ = __repr__

    class Row(dict):
        """One thing that the code graph knows: a dict that is printed as text."""

        def __init__(self, row, text):
            dict.__init__(self, row if isinstance(row, dict) else {"file": row})
            self.text = text

        def __repr__(self):
            return self.text

        __str__ = __repr__

    class Rows(list):
        """What the code graph knows; printed one a line."""

        def __init__(self, rows=()):
            list.__init__(self, rows)

        def __getitem__(self, key):
            got = list.__getitem__(self, key)
            return Rows(got) if isinstance(key, slice) else got

        def __repr__(self):
            return "\n".join(map(repr, self)) or "nothing"

    class Printed(Rows):
        """What was printed, as data."""

        def __repr__(self):
            return "" if said(self) else Rows.__repr__(self)

    return dict(locals())
