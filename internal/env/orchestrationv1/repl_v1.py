# What a cell of orchestration-v1 sees. Cells run in a namespace of their own with few builtins; nothing here has to be
# kept from them, since what they could reach is the sandbox's guest and no more. _setup() runs once per session, then
# the host runs _run(source) for each cell, and _stopped() after one that met a limit.
import ast
import builtins
import collections
import contextlib
import hashlib
import io
import json
import os
import re
import traceback
import types

import _host

_OUTPUT = 8192  # characters of output that matter: one more shows that there were more

_BATCH = 2_000_000  # characters of prompts that go to the host in one message

_BUILTINS = {
    name: getattr(builtins, name)
    for name in (
        "__build_class__ AssertionError AttributeError Exception IndexError KeyError NameError RuntimeError TimeoutError"
        " TypeError ValueError abs all any bool dict enumerate filter float format int isinstance issubclass len list map"
        " max min next print range repr reversed round set sorted str sum tuple zip"
    ).split()
}


def _environment(given, call, dumps=json.dumps):
    codebase, metadata, cache = given["codebase"], given["metadata"], given["cache"]
    answer = {"content": "", "ready": False}
    state = {"dispatch_count": 0, "unique_files_dispatched": [], "dispatch_log": []}

    def tell(name, fields):
        call(name, dumps(fields).encode())

    def summary(prompt):
        """The mocked worker: the size and the definitions of the first file named in the prompt, never a defect.

        Reports that paste replies are scored by their words, so these are the reference's to the letter.
        """
        for path, text in codebase.items():
            if path not in prompt:
                continue
            lines = text.split("\n")
            defs = [line.strip() for line in lines if line.strip().startswith(("def ", "class "))][:10]
            topic = path.split("/")[-1].replace(".py", "").replace("_", " ")
            return "\n".join(
                [f"Analysis of {path}:", f"- Lines: {len(lines)}", "- Key definitions:"]
                + ([f"  - {d}" for d in defs] or ["  - No functions/classes found"])
                + [f"- Purpose: Implements functionality related to {topic}.",
                   "- Issues: Review needed for error handling and edge cases.",
                   "- Quality: Code follows standard patterns."]
            )
        return (
            "Analysis complete. The provided code follows standard patterns. No critical issues identified in this review."
            " Consider adding more documentation and tests."
        )

    batching = [False]
    batch = []  # dispatches that the host has not seen yet
    size = [0]  # characters of their prompts
    sent = [0]  # those of the same batch that the host has seen

    def flush():
        if batch:
            tell("dispatches", {"more": sent[0] > 0, "batch": batch})
        sent[0] += len(batch)
        batch.clear()
        size[0] = 0

    def llm_query(prompt: str) -> str:
        state["dispatch_count"] += 1
        for path in codebase:
            if path in prompt and path not in state["unique_files_dispatched"]:
                state["unique_files_dispatched"].append(path)
        state["dispatch_log"].append(prompt[:200])
        key = hashlib.sha256(prompt.encode()).hexdigest()[:16]
        reply = cache[key] if key in cache else summary(prompt)
        batch.append({"prompt": prompt, "reply": reply})
        size[0] += len(prompt)
        if not batching[0] or size[0] > _BATCH:
            flush()
        if not batching[0]:
            sent[0] = 0
        return reply

    def llm_batch(prompts: list) -> list:
        batching[0] = True
        try:
            return [llm_query(prompt) for prompt in prompts]
        finally:
            batching[0] = False
            flush()
            sent[0] = 0

    def set_answer(text: str) -> None:
        answer["content"] = text
        answer["ready"] = True

    space = {
        "codebase": codebase, "file_tree": given["file_tree"], "metadata": metadata, "answer": answer,
        "llm_query": llm_query, "llm_batch": llm_batch, "set_answer": set_answer,
        "re": re, "json": json, "collections": collections, "os": types.SimpleNamespace(path=os.path),
        "__builtins__": _BUILTINS,
    }
    streams = [None, None]

    def number(value):
        """What the reward divides by; None where it would raise."""
        try:
            value = float(max(value, 1))
        except OverflowError:
            return 1e300
        except Exception:
            return None
        return value if value - value == 0 else None if value != value else 1e300

    def report(kind="", message=""):
        out, err = (s.getvalue() for s in streams)
        if err:
            out += f"\n[STDERR]\n{err}"
        content = answer.get("content", "")
        tell("report", {
            "output": out[: _OUTPUT + 1], "chars": len(out), "error_type": kind, "error": message[:500],
            "answer": content if isinstance(content, str) else None, "ready": bool(answer.get("ready", False)),
            "dispatches": state["dispatch_count"], "unique": len(state["unique_files_dispatched"]),
            "total_files": number(metadata.get("total_files", 1)),
        })

    def stopped():
        streams[0].write("\n[EXECUTION ERROR]\nThe cell ran too long and was stopped (limit: 30 s).")
        report("TimeoutError", "time limit")

    def run(source):
        out, err = streams[:] = io.StringIO(), io.StringIO()
        try:
            tree = ast.parse(source, mode="exec")
            # Without the word there is nothing to find, and the walk takes longer than the cell.
            if "import" in source and any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in ast.walk(tree)):
                raise PermissionError(
                    "Imports are not allowed here. These modules are loaded already: re, json, collections, os.path."
                )
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                exec(compile(tree, "<repl>", "exec"), space)
        except TimeoutError:
            return stopped()
        except BaseException as e:
            if isinstance(e, KeyboardInterrupt) and str(e).startswith("stopped: "):
                raise  # the sandbox's own: the host comes back with _stopped()
            kind = type(e).__name__
            if isinstance(e, (SystemExit, KeyboardInterrupt)):
                out.write(f"\n[EXECUTION ERROR]\n{kind} is not allowed in a cell.")
                return report(kind)
            tb = e.__traceback__
            while tb is not None and tb.tb_frame.f_code.co_filename != "<repl>":
                tb = tb.tb_next
            text = "".join(traceback.format_exception(type(e), e, tb))
            out.write(f"\n[EXECUTION ERROR]\n{text}")
            return report(kind, text.rstrip().rsplit("\n", 1)[-1])
        return report()

    return run, stopped


def _setup(data):
    global _run, _stopped
    _run, _stopped = _environment(json.loads(data), _host.call)
