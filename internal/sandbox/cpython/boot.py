"""Runs once, before the memory snapshot is taken, in its own module: programs see none of these names.

enter(op, number, data) is what the host calls: op 0 runs a prelude, 1 hands data to the prelude's _setup, 2 runs a
cell, 3 tidies the heap before a snapshot. The outcome goes to the host through _dr.result(field, text):
1 exception type, 2 message, 3 traceback, 4 line. No field 1 means success.

All of this can be reached and broken by a program, to its own harm only: the host takes what comes as mere text.
"""
import _dr
import _host
import abc, ast, asyncio, bisect, builtins, collections, contextlib, copy, dataclasses, datetime, difflib, enum, fnmatch
import functools, gc, hashlib, heapq, inspect, io, itertools, json, linecache, math, operator, os, pathlib, pprint, posix
import concurrent.futures.thread
import random, re, selectors, statistics, string, sys, textwrap, threading, time, tokenize, traceback, types, typing
import urllib.parse
import warnings

REPR_CAP = 20_000
MESSAGE_CAP = 8_000
TRACEBACK_CAP = 24_000
FRAMES_CAP = 60


class Stream(io.TextIOBase):
    """Standard output or error: goes to the host at once, so that both interleave."""

    encoding = "utf-8"
    errors = "replace"
    mode = "w"

    def __init__(self, fd):
        self._fd = fd
        self.name = "<stdout>" if fd == 1 else "<stderr>"

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        try:
            _dr.write(self._fd, text)
        except UnicodeEncodeError:
            _dr.write(self._fd, text.encode("utf-8", "replace").decode())
        return len(text)

    def writable(self):
        return True

    @property
    def buffer(self):
        return Raw(self._fd)


class Raw(io.RawIOBase):
    def __init__(self, fd):
        self._fd = fd

    def write(self, data):
        _dr.write(self._fd, bytes(data).decode("utf-8", "replace"))
        return len(data)

    def writable(self):
        return True


class NoInput(io.TextIOBase):
    """Standard input: says why there is none instead of waiting or returning nothing."""

    def readline(self, size=-1):
        raise EOFError("there is no input in this sandbox: nobody can type an answer; use a variable")

    read = readline
    __next__ = readline

    def readable(self):
        return True


def no_input(prompt="", /):
    raise EOFError("input() is not available in this sandbox: nobody can type an answer; use a variable")


def leave(code=None):
    raise SystemExit(code)


class Timer(selectors._BaseSelectorImpl):
    """There are no sockets, so an event loop only ever sleeps, and sleeping moves the virtual clock."""

    def select(self, timeout=None):
        if timeout is None:
            raise RuntimeError("the event loop has nothing left to wait for")
        if timeout > 0:
            time.sleep(timeout)
        return []


class Loop(asyncio.SelectorEventLoop):
    def __init__(self):
        super().__init__(Timer())

    def _make_self_pipe(self):
        pass

    def _close_self_pipe(self):
        pass

    def _write_to_self(self):
        pass

    def run_in_executor(self, executor, func, *args):
        # No threads: the work is done at once.
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as e:
            future.set_exception(e)
        return future


class Policy(asyncio.DefaultEventLoopPolicy):
    _loop_factory = Loop


class Inline(concurrent.futures.Executor):
    """Stands for the executors: there are no threads, so work is done when it is submitted."""

    def __init__(self, max_workers=None, *args, initializer=None, initargs=(), **kwargs):
        self._max_workers = max_workers or 1
        if initializer is not None:
            initializer(*initargs)

    def submit(self, fn, /, *args, **kwargs):
        future = concurrent.futures.Future()
        future.set_running_or_notify_cancel()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as e:
            future.set_exception(e)
        return future

    def shutdown(self, wait=True, *, cancel_futures=False):
        pass


class InlineThread(threading.Thread):
    """Stands for threading.Thread in the same way: it has ended when start returns."""

    def start(self):
        if self._started.is_set():
            raise RuntimeError("threads can only be started once")
        self._started.set()
        try:
            self.run()
        except SystemExit:
            pass
        except Exception:
            threading.excepthook(threading.ExceptHookArgs([*sys.exc_info(), self]))

    def join(self, timeout=None):
        if not self._started.is_set():
            raise RuntimeError("cannot join thread before it is started")

    def is_alive(self):
        return False


def shorten(text, cap):
    if len(text) <= cap:
        return text
    half = cap // 2
    return f"{text[:half]}\n... [{len(text) - 2 * half} characters left out] ...\n{text[-half:]}"


def display(value):
    text = repr(value)
    if len(text) > REPR_CAP:
        text = f"{text[:REPR_CAP]}... [{len(text)} characters]"
    sys.stdout.write(text + "\n")


def describe(e, name):
    """(message, traceback, line) of an exception that left the cell called name."""
    line, at, first = 0, e.__traceback__, None
    while at is not None:
        if at.tb_frame.f_code.co_filename == name:
            line, first = at.tb_lineno, first or at
        at = at.tb_next
    # What stands before the cell's own first frame is this file and the event loop.
    tb = first or e.__traceback__
    while tb is not None and tb.tb_frame.f_code.co_filename == "<boot>":
        tb = tb.tb_next
    if isinstance(e, SyntaxError):
        if e.filename == name:
            line = e.lineno or 0
        message = str(e.msg) if e.msg else str(e)
    else:
        message = str(e)
    parts = traceback.format_exception(type(e), e, tb, limit=-FRAMES_CAP)
    depth, at = 0, tb
    while at is not None:
        depth, at = depth + 1, at.tb_next
    if depth > FRAMES_CAP:
        # A recursion of a thousand frames would take a fifth of a second to print.
        last = max(i for i, part in enumerate(parts) if part == "Traceback (most recent call last):\n")
        parts.insert(last + 1, f"  ... [{depth - FRAMES_CAP} earlier frames left out] ...\n")
    text = "".join(parts)
    return shorten(message, MESSAGE_CAP), shorten(text, TRACEBACK_CAP), line


def report(e, name):
    """Called outside the failed code; formatting may run that code again (__str__), hence the guard."""
    _dr.guard(bool)  # A stop may have come between guarded calls: have steps for the report.
    kind = type(e).__name__
    try:
        message, text, line = _dr.guard(describe, e, name)
    except BaseException as e2:
        message, text, line = f"<the message could not be made: {type(e2).__name__}>", f"{kind}\n", 0
    _dr.result(1, kind)
    for field, value in ((2, message), (3, text), (4, str(line))):
        try:
            _dr.result(field, value)
        except UnicodeEncodeError:
            _dr.result(field, value.encode("utf-8", "replace").decode())


def drain(coroutine):
    return asyncio.run(coroutine)


def execute(source, name):
    cache = linecache.cache
    cache[name] = (len(source), None, source.splitlines(True), name)
    tree = compile(source, name, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    value = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        value = ast.Expression(tree.body.pop().value)
    for part, mode in ((tree, "exec"), (value, "eval")):
        if part is None or mode == "exec" and not part.body:
            continue
        code = compile(part, name, mode, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        result = _dr.guard(eval, code, space)
        if code.co_flags & inspect.CO_COROUTINE:
            result = _dr.guard(drain, result)
        if mode == "eval" and result is not None:
            _dr.guard(display, result)


def tidy():
    gc.collect()
    gc.freeze()


def enter(op, number, data):
    name = "<prelude>" if op == 0 else "<setup>" if op == 1 else f"<cell {number}>"
    # A cell that took the streams away, or failed before it gave them back, must not silence the next ones.
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__ = streams
    try:
        if op == 1:
            space["_setup"](data)
        elif op == 3:
            tidy()
        else:
            execute(data.decode("utf-8", "replace"), name)
        _dr.result(1, "")
    except BaseException as e:
        report(e, name)
        # Reference cycles through the traceback would keep the failed cell's locals alive.
        e.__traceback__ = None


def start():
    sys.stdin = sys.__stdin__ = NoInput()
    builtins.input = no_input
    builtins.exit = builtins.quit = leave
    # The real one would end the whole instance.
    os._exit = posix._exit = leave
    sys.setrecursionlimit(1100)
    asyncio.set_event_loop_policy(Policy())
    threading.Thread = InlineThread
    for name in ("ThreadPoolExecutor", "ProcessPoolExecutor"):
        setattr(concurrent.futures, name, Inline)
    concurrent.futures.thread.ThreadPoolExecutor = Inline
    sys.argv = [""]


space = sys.modules["__main__"].__dict__
streams = Stream(1), Stream(2)
start()
