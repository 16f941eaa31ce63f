# The names that a root's cells see. Run once per worker process and snapshotted; _setup() runs once per session.
# Everything that needs the outside goes through _host.call(name, payload: bytes) -> bytes.
import collections
import collections.abc
import json
import math
import re
import string
import textwrap
import itertools
import functools
import difflib

import _host as _host_module


def _make_surface(call):
    def host(name, **fields):
        return json.loads(call(name, json.dumps(fields).encode("utf-8", "surrogatepass")))

    def as_text(value):
        if isinstance(value, str):
            return value
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        try:
            return json.dumps(value, ensure_ascii=False, default=str)
        except (TypeError, ValueError):
            return str(value)

    class Codebase(collections.abc.Mapping):
        """All source texts by path. Read-only; a text is fetched when it is first looked at."""

        __slots__ = ("_paths", "_index", "_texts", "_held")

        def __init__(self, paths):
            self._paths = tuple(paths)
            self._index = frozenset(self._paths)
            self._texts = {}
            self._held = 0

        def __getitem__(self, path):
            text = self._texts.get(path)
            if text is None:
                if path not in self._index:
                    near = difflib.get_close_matches(str(path), self._paths, n=3, cutoff=0.5)
                    raise KeyError(f"{path!r} is not in the codebase" + (f"; did you mean {near}?" if near else ""))
                text = call("file", path.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")
                self._held += len(text)
                if self._held > 48_000_000:  # texts come back when they are needed again
                    self._texts.clear()
                    self._held = len(text)
                self._texts[path] = text
            return text

        def __iter__(self):
            return iter(self._paths)

        def __len__(self):
            return len(self._paths)

        def __contains__(self, path):
            return path in self._index

        def copy(self):
            return dict(self)

        def __repr__(self):
            return f"<codebase of {len(self._paths)} files: codebase[path] is a file's text>"

        def __setitem__(self, path, text):
            raise TypeError("codebase is read-only")

        def __delitem__(self, path):
            raise TypeError("codebase is read-only")

    class DispatchError(str):
        """A dispatch that failed: an ordinary string, so that a batch keeps its order and its length."""

        @property
        def error(self):
            return str(self)

    def replies(name, prompts, model):
        got = host(name, prompts=[as_text(p) for p in prompts], model=model)
        return [DispatchError("[dispatch failed] " + r["error"]) if r.get("error") else r["text"] for r in got["replies"]]

    def listed(prompts):
        if isinstance(prompts, (str, bytes)):
            return [prompts]
        return list(prompts)

    def llm_query(prompt, model=None):
        """Send one prompt to a worker model; returns its reply."""
        return replies("dispatch", [prompt], model)[0]

    def llm_batch(prompts, model=None):
        """Send many prompts in parallel; returns the replies in the same order."""
        prompts = listed(prompts)
        return replies("dispatch", prompts, model) if prompts else []

    def rlm_query(prompt, model=None):
        """Let a child with a REPL of its own work on a task; returns its answer."""
        return replies("recurse", [prompt], model)[0]

    def rlm_batch(prompts, model=None):
        """Several children in parallel; returns their answers in the same order."""
        prompts = listed(prompts)
        return replies("recurse", prompts, model) if prompts else []

    class Answer(dict):
        """answer["content"] = text; answer["ready"] = True hands it in."""

        def __setitem__(self, key, value):
            dict.__setitem__(self, key, value)
            if key == "ready" and value:
                hand_in(self.get("content", ""))

        def update(self, *args, **kwargs):
            for key, value in sorted(dict(*args, **kwargs).items()):
                self[key] = value

    answer = Answer(content="", ready=False)

    def hand_in(text):
        text = as_text(text)
        got = host("answer", text=text)
        dict.__setitem__(answer, "content", text)
        dict.__setitem__(answer, "ready", bool(got["accepted"]))
        print(got["message"])

    def set_answer(text):
        """Hand in the final report (Markdown)."""
        hand_in(text)

    def told(got):
        if got["message"]:
            print(got["message"])
        return got

    def ident(value):
        return str(value["id"] if isinstance(value, dict) else value)

    def idents(values):
        return [ident(v) for v in ([values] if isinstance(values, (str, dict)) else values)]

    class Finding(dict):
        """One finding: a dict that is printed in one line."""

        def __repr__(self):
            return "{} {severity} {file}:{line} [{category}] {title}".format(self["id"][:8], **self)

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

    class Lines(list):
        """What was printed, as data; its own repr is short."""

        def __repr__(self):
            return f"<{len(self)} items>"

    def add_finding(file, line, title, severity="medium", category="other", evidence="", explanation="",
                    suggestion="", end_line=None, cwe="", confidence=0.7):
        """Record one defect; evidence must quote the code that stands there. Returns its ID, "" when it was rejected."""
        got = told(host("finding", file=str(file), line=int(line), end_line=int(end_line or line), title=as_text(title),
                        severity=str(severity), category=str(category), evidence=as_text(evidence),
                        explanation=as_text(explanation), suggestion=as_text(suggestion), cwe=str(cwe),
                        confidence=float(confidence)))
        return got["id"]

    def dismiss(id, reason):
        """Take findings back: they move to a list of their own, with the reason."""
        for one in idents(id):
            told(host("dismiss", id=one, reason=as_text(reason)))

    def regrade(id, severity, reason):
        """Give a finding another severity."""
        told(host("regrade", id=ident(id), severity=str(severity), reason=as_text(reason)))

    def merge(ids, title=""):
        """Make one finding of several that are one defect; returns its ID."""
        return told(host("merge", ids=idents(ids), title=as_text(title or "")))["id"]

    def verify(ids, model=None):
        """Second opinions on findings: prints and returns what they say."""
        ids = idents(ids)
        return Lines(told(host("verify", ids=ids, model=model))["verdicts"]) if ids else Lines()

    def budget():
        """Turns, dollars and tokens that are left; None where there is no limit."""
        return host("budget")

    def coverage():
        """Share of source lines that workers answered for, and the files that lack an answer."""
        return host("coverage")

    def findings():
        """The defects recorded so far, proven and merged, worst first: a list of dicts."""
        return Findings(host("findings") or [])

    def shown(got):
        print(got["text"], end="")

    def grep(pattern, glob=None, context=0, limit=50):
        """Print the lines that match; returns them as (path, line, text)."""
        got = host("grep", pattern=str(pattern), glob=str(glob or ""), context=int(context), limit=int(limit))
        shown(got)
        return Lines(tuple(line) for line in got["lines"])

    def show(path, a=1, b=0):
        """Print lines a to b of a file with their numbers."""
        shown(host("show", path=str(path), a=int(a), b=int(b or 0)))

    def tree(prefix="", depth=0):
        """Print the files below a directory."""
        shown(host("tree", prefix=str(prefix), depth=int(depth or 0)))

    def more():
        """Print what was cut from the last output."""
        shown(host("more"))

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

    def rows(got):
        return Rows(map(Row, got["rows"], got["texts"]))

    def known(name, doc):
        def about(what):
            return rows(host(name, about=str(what)))

        about.__name__ = about.__qualname__ = name
        about.__doc__ = doc
        return about

    symbols = known("symbols", "The definitions in a file.")
    definition = known("definition", "Where a name is defined: 'sign', 'Signer.sign' or 'path:sign'.")
    callers = known("callers", "Where a function is called.")
    callees = known("callees", "What a function calls.")
    imports = known("imports", "What a file imports, and where that stands.")
    importers = known("importers", "The files that import a file.")

    related = known("related", "The files that have most to do with a file, and why.")

    def variants(paths=()):
        """Families of files that are nearly the same, compared function by function: only what departs."""
        return rows(host("variants", paths=places(paths)))

    def outliers():
        """Functions that differ from their siblings, the most telling first."""
        return rows(host("outliers"))

    def places(paths):
        if isinstance(paths, str):
            paths = [paths]
        return [f"{p[0]}:{p[1]}-{p[2]}" if isinstance(p, (tuple, list)) else str(p) for p in paths]

    def pack(paths, task, limit=None):
        """Prompts that hold the code of the paths, with line numbers, and the task."""
        return host("pack", paths=places(paths), task=as_text(task), limit=int(limit or 0))

    def review(paths, focus="", limit=None, model=None):
        """Have workers review the code of the paths; what they find is recorded, and returned."""
        got = told(host("review", paths=places(paths), task=as_text(focus), limit=int(limit or 0), model=model))
        return Findings(got["findings"])

    def ask(prompts, model=None):
        """Ask workers questions; they answer in their own words. A list of prompts gives a list of answers."""
        got = replies("ask", listed(prompts), model)
        return got[0] if isinstance(prompts, (str, bytes)) else got

    return {
        "Codebase": Codebase, "grep": grep, "show": show, "tree": tree, "more": more, "symbols": symbols, "definition": definition,
        "callers": callers, "callees": callees, "imports": imports, "importers": importers, "related": related,
        "variants": variants, "outliers": outliers, "pack": pack, "review": review, "ask": ask,
        "dismiss": dismiss, "regrade": regrade, "merge": merge, "verify": verify,
        "findings": findings, "DispatchError": DispatchError, "llm_query": llm_query, "llm_batch": llm_batch,
        "llm_query_batched": llm_batch, "rlm_query": rlm_query, "rlm_batch": rlm_batch, "rlm_query_batched": rlm_batch,
        "set_answer": set_answer, "SUBMIT": set_answer, "answer": answer, "add_finding": add_finding,
        "budget": budget, "coverage": coverage, "as_text": as_text,
    }


_surface = _make_surface(_host_module.call)
_Codebase = _surface.pop("Codebase")
_as_text = _surface.pop("as_text")
globals().update(_surface)


def FINAL(value):
    """Hand in the final report."""
    set_answer(value)


def FINAL_VAR(name):
    """Hand in the value of a variable, given by name."""
    if isinstance(name, str) and name.isidentifier() and name in globals():
        set_answer(globals()[name])
    elif isinstance(name, str) and name.isidentifier():
        raise NameError(f"FINAL_VAR: there is no variable {name!r}; SHOW_VARS() lists what there is")
    else:
        set_answer(name)


def SHOW_VARS():
    """Print the variables that the cells have made."""
    rows = [(k, v) for k, v in globals().items() if not k.startswith("_") and k not in _given and not callable(v)
            and type(v).__name__ != "module"]
    for k, v in rows:
        size = f", {len(v):,} long" if hasattr(v, "__len__") else ""
        print(f"{k}: {type(v).__name__}{size}")
    if not rows:
        print("no variables yet")
    return None


def _setup(data):
    given = json.loads(data)
    g = globals()
    g["codebase"] = _Codebase(given["paths"])
    g["context"] = g["codebase"] if given.get("context") is None else given["context"]
    g["file_tree"] = given["file_tree"]
    g["metadata"] = given["metadata"]
    g["task"] = given.get("task", "")
    g["_given"] = frozenset(g) | {"_given"}


_given = frozenset()
