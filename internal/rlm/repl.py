# The names that a root's cells see, behind shapes.py. Run once per worker process and snapshotted; _setup() runs once per session.
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


def _make_surface(call, shapes):
    as_text, bare, dashed, ident, idents, listed, number, one, places, word = (shapes[k] for k in (
        "as_text", "bare", "dashed", "ident", "idents", "listed", "number", "one", "places", "name"))
    Account, Findings, ID, Printed, Row, Rows = (shapes[k] for k in ("Account", "Findings", "ID", "Printed", "Row", "Rows"))

    def host(name, **fields):
        return json.loads(call(name, json.dumps(fields).encode("utf-8", "surrogatepass")))

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
                if path not in self._index and bare(path) in self._index:
                    path = bare(path)
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
        got = host(name, prompts=[as_text(p) for p in prompts], model=word(model, "model"))
        return [DispatchError("[dispatch failed] " + r["error"]) if r.get("error") else r["text"] for r in got["replies"]]

    def llm_query(prompt, model=None):
        """Send one prompt to a worker model; returns its reply."""
        return replies("dispatch", [one(prompt, "prompt")], model)[0]

    def llm_batch(prompts, model=None):
        """Send many prompts in parallel; returns the replies in the same order."""
        prompts = listed(prompts)
        return replies("dispatch", prompts, model) if prompts else []

    def rlm_query(prompt, model=None):
        """Let a child with a REPL of its own work on a task; returns its answer."""
        return replies("recurse", [one(prompt, "prompt")], model)[0]

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
        if text is None:
            raise shapes["Wrong"]("text is the report, not None")
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

    def add_finding(file, line, title, severity="medium", category="other", evidence="", explanation="",
                    suggestion="", end_line=None, cwe="", confidence=0.7):
        """Record one defect; evidence must quote the code that stands there. Returns its ID, "" when it was rejected."""
        first, last = dashed(line, "line")
        if isinstance(evidence, (list, tuple)):
            evidence = "\n".join(map(as_text, evidence))
        got = told(host("add_finding", file=bare(file), line=first, end_line=number(end_line or last or first, "end_line"),
                        title=as_text(title), severity=str(severity), category=str(category), evidence=as_text(evidence),
                        explanation=as_text(explanation), suggestion=as_text(suggestion), cwe=str(cwe),
                        confidence=number(confidence, "confidence", float)))
        return ID(got["id"])

    def dismiss(ids, reason):
        """Take findings back: they move to a list of their own, with the reason."""
        told(host("dismiss", ids=idents(ids), reason=as_text(reason)))

    def regrade(ids, severity, reason):
        """Give findings another severity."""
        told(host("regrade", ids=idents(ids), severity=str(severity), reason=as_text(reason)))

    def merge(ids, title=""):
        """Make one finding of several that are one defect: the first, with all places. Returns its ID."""
        return ID(told(host("merge", ids=idents(ids), title=as_text(title or "")))["id"])

    def verify(ids, *, model=None):
        """Second opinions on findings: prints and returns what they say."""
        ids = idents(ids)
        got = told(host("verify", ids=ids, model=word(model, "model")))["verdicts"] if ids else []
        return Printed(Row(v, "{id}: {status}: {reason}".format(**v)) for v in got)

    def finding(id):
        """Print everything about one finding, also a dismissed one; returns it as a dict."""
        got = host("finding", id=ident(one(id, "id")))
        shown(got)
        return Account(got["finding"], got["text"])

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
        pattern = one(pattern, "pattern")
        any_case = "(?i)" if getattr(pattern, "flags", 0) & re.IGNORECASE else ""
        got = host("grep", pattern=any_case + as_text(getattr(pattern, "pattern", pattern)), glob=bare(one(glob, "glob") or ""),
                   context=number(context, "context"), limit=number(limit, "limit"))
        shown(got)
        return Printed(tuple(line) for line in got["lines"])

    def show(path, a=1, b=0):
        """Print lines a to b of a file with their numbers."""
        first, last = dashed(a, "a")
        shown(host("show", path=bare(path), a=first, b=number(b or last, "b")))

    def tree(prefix="", depth=0):
        """Print the files below a directory."""
        shown(host("tree", prefix=bare(prefix or ""), depth=number(depth or 0, "depth")))

    def more(cell=None):
        """Print what was cut from the output of a cell, by default of the last one that was cut."""
        shown(host("more", cell=None if cell is None else number(cell, "cell")))

    def rows(got):
        return Rows(map(Row, got["rows"], got["texts"]))

    def known(key, of, doc):
        def about(path):
            return rows(host(key, about=bare(path)))

        def named(name):
            return rows(host(key, about=word(name, "name") or ""))

        ask = about if of == "path" else named
        ask.__name__, ask.__doc__ = key, doc
        return ask

    symbols = known("symbols", "path", "The definitions in a file.")
    definition = known("definition", "name", "Where a name is defined: 'sign', 'Signer.sign' or 'path:sign'.")
    callers = known("callers", "name", "Where a function is called.")
    callees = known("callees", "name", "What a function calls.")
    imports = known("imports", "path", "What a file imports, and where that stands.")
    importers = known("importers", "path", "The files that import a file.")
    related = known("related", "path", "The files that have most to do with a file, and why.")

    def variants(paths=()):
        """Families of files that are nearly the same, compared function by function: only what departs."""
        return rows(host("variants", paths=places(paths)))

    def outliers():
        """Functions that differ from their siblings, the most telling first."""
        return rows(host("outliers"))

    def flows(path=""):
        """Paths that untrusted values may take to where they do harm, in the files at or below a path, or in all."""
        return rows(host("flows", about=word(path, "path") or ""))

    def localise(text="", n=10):
        """Rank the files and functions that a text asks to change; without a text, for the run's own issue."""
        got = host("localise", text=as_text(text or ""), n=number(n, "n"))
        found = {kind: rows(got[kind]) for kind in ("files", "functions")}
        notes = got.get("notes", [])
        return Row(found | ({"notes": notes} if notes else {}), "\n\n".join(notes + [repr(of) for of in found.values()]))

    def search(text, n=10):
        """Rank places by the words that they share with a text."""
        return rows(host("search", text=as_text(text), n=number(n, "n")))

    def pack(paths, task, limit=None):
        """Prompts that hold the code of the paths, with line numbers, and the task."""
        return host("pack", paths=places(paths), task=as_text(task), limit=number(limit or 0, "limit"))

    def review(paths, focus="", limit=None, model=None):
        """Have workers review the code of the paths; what they find is recorded, and returned."""
        got = told(host("review", paths=places(paths), task=as_text(focus), limit=number(limit or 0, "limit"), model=word(model, "model")))
        return Findings(got["findings"])

    def ask(prompts, model=None):
        """Ask workers questions; they answer in their own words. A list of prompts gives a list of answers."""
        got = replies("ask", listed(prompts), model)
        return got[0] if isinstance(prompts, (str, bytes)) else got

    names = {
        "grep": grep, "show": show, "tree": tree, "more": more, "symbols": symbols, "definition": definition,
        "callers": callers, "callees": callees, "imports": imports, "importers": importers, "related": related,
        "variants": variants, "outliers": outliers, "flows": flows, "localise": localise, "search": search,
        "pack": pack, "review": review, "ask": ask, "dismiss": dismiss, "regrade": regrade, "merge": merge, "verify": verify,
        "findings": findings, "finding": finding, "llm_query": llm_query, "llm_batch": llm_batch,
        "llm_query_batched": llm_batch, "rlm_query": rlm_query, "rlm_batch": rlm_batch, "rlm_query_batched": rlm_batch,
        "set_answer": set_answer, "SUBMIT": set_answer, "add_finding": add_finding, "budget": budget, "coverage": coverage,
    }
    return {name: shapes["called"](function) for name, function in names.items()} | {
        "Codebase": Codebase, "DispatchError": DispatchError, "answer": answer}


_surface = _make_surface(_host_module.call, _make_shapes())
_Codebase = _surface.pop("Codebase")
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
