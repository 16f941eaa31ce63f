"""Drives deeprepo_train with a model of random weights: GRPO in a real environment, DPO, stop and resume, serving. Run by check-train.sh.

    train.py BINARY
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

BINARY = os.path.abspath(sys.argv[1])
QUIET = ("FutureWarning", "warnings.warn", "Loading weights", "it/s]")


def train(*args, code=0, stop_at=None):
    """Run deeprepo_train; with stop_at, send Ctrl-C when a line with that text appears."""
    command = [sys.executable, "-m", "deeprepo_train", *map(str, args)]
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = []
    for line in process.stdout:
        said.append(line)
        if stop_at and stop_at in line:
            process.send_signal(signal.SIGINT)
            stop_at = None
    ended = process.wait()
    text = "".join(line for line in said if not any(q in line for q in QUIET))
    assert ended == code, f"{command} ended with {ended}:\n{text}"
    print(f"  {args[0]}: {time.monotonic() - began:.0f} s", flush=True)
    return text


def steps(out):
    return [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]


def conversation(tiny):
    """Replies keep their tokens, and the text between them is the template's."""
    from deeprepo_train import model
    from deeprepo_train.chat import Chat

    tokenizer = model.tokenizer(str(tiny))
    chat = Chat(tokenizer)
    first = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hello"}]
    whole = first + [{"role": "assistant", "content": "hi there"}, {"role": "user", "content": "deeprepo-reply?"}]
    want = tokenizer.apply_chat_template(whole, tokenize=False, add_generation_prompt=True)
    reply = tokenizer("hi there<|end|>")["input_ids"]
    for said in (reply, reply[:-1]):  # with its end, and cut off before it
        got = chat.opening(first) + said + chat.between(said, "deeprepo-reply?")
        assert tokenizer.decode(got) == want, tokenizer.decode(got)
    assert chat.text(reply) == "hi there", chat.text(reply)


def rollouts(tiny):
    """A scripted policy gets the server's reward, and only its own tokens are marked."""
    import types

    from deeprepo_train import model
    from deeprepo_train.rollout import Player

    tokenizer = model.tokenizer(str(tiny))
    cell = ("```python\nprint(len(llm_batch(['=== FILE: %s (lines 1-1 of 1) ===\\n' % p + codebase[p] + '=== END ===' "
            "for p in codebase])))\n```")
    script = [cell, "```python\nset_answer('Nothing to report here, at length.')\n```"]
    with serving("--max-turns", "4") as url:
        chosen = types.SimpleNamespace(url=url, split="train", task_seed=0, difficulty="", max_tokens=4000, context=1 << 20, sample_batch=2)
        calls = []

        def sample(sequences):  # three conversations, two at a time: the first three sequences are the first turn's
            text = script[0 if sum(calls) < 3 else 1]
            calls.append(len(sequences))
            return [tokenizer(text + "<|end|>")["input_ids"] for _ in sequences], None

        seen = []
        done = Player(chosen, tokenizer, seen.extend).play([0, 0, 1], sample)
    assert (len(done), len(seen), calls) == (3, 3, [2, 1, 2, 1]), (len(done), calls)
    for r in done:
        assert r.metrics["num_turns"] == 2 and r.metrics["zero_delegation"] == 0 and 0 < r.reward < 1, (r.reward, r.metrics)
        assert len(r.own) == len(r.completion) == len(r.logprobs)
        own = tokenizer.decode([t for t, mine in zip(r.completion, r.own, strict=True) if mine])
        assert own == "<|end|>".join(script) + "<|end|>", own
        assert "[Output of cell 1]" in tokenizer.decode(r.completion)


class serving:
    """An environment server for the length of a with block."""

    def __init__(self, *args):
        self._command = [BINARY, "env", "serve", "orchestration", "--addr", "127.0.0.1:0", "--until-eof", *args]

    def __enter__(self):
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return self._process.stdout.readline().strip()

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait(30)


def grpo(tiny, work):
    """A few steps; Ctrl-C, and the same command continues."""
    out = work / "grpo"
    with serving("--max-turns", "1") as url:
        args = ["grpo", "--url", url, "--model", tiny, "--out", out, "--tasks", 4, "--tasks-per-step", 1, "--group", 2, "--max-tokens", 8,
                "--context", 16000, "--micro", 1, "--threads", 1, "--learning-rate", 1e-3, "--save-every", 1]  # fmt: skip
        train(*args, "--steps", 4, stop_at="step 1/4")  # the current step is finished
        trained = json.loads((out / "trained.json").read_text())
        done = trained["steps"]
        assert trained["stopped"] and 2 <= done < 4, trained
        said = train(*args, "--steps", 4)
        assert f"continuing after step {done}" in said, said
        got = steps(out)
        assert [s["step"] for s in got] == [1, 2, 3, 4] and all(s["rollouts"] == 2 and s["turns"] == 1 and s["cut"] == 1 for s in got), got
        assert "choose another directory" in train(*args, "--steps", 5, code=3)
    assert (out / "adapter" / "adapter_model.safetensors").stat().st_size > 0


def dpo(tiny, work):
    """Pairs that a random model can learn to tell apart in a few steps."""
    folder = work / "pairs"
    folder.mkdir()
    rows = [{"prompt": f"task {i}", "chosen": f"def f():\n    return {i}", "rejected": f"def f():\n    return {i}{i}{i}"}
            for i in range(16)]
    (folder / "train.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    (folder / "heldout.jsonl").write_text(json.dumps(rows[3]) + "\n" +
                                         json.dumps({k: [{"role": "assistant", "content": v}] for k, v in rows[4].items()}) + "\n")
    out = work / "dpo"
    args = ["dpo", "--pairs", folder, "--model", tiny, "--threads", 1, "--batch", 4, "--micro", 2, "--learning-rate", 5e-3]
    train(*args, "--out", out)
    got = steps(out)
    assert [s["step"] for s in got] == [1, 2, 3, 4] and abs(got[0]["loss"] - 0.6931) < 1e-3 and got[-1]["margin"] > 0, got
    trained = json.loads((out / "trained.json").read_text())
    assert trained["heldout"]["pairs"] == 2 and trained["pairs"] == 16, trained
    assert "holds no model" in train("dpo", "--pairs", folder, "--model", "/nowhere", "--out", work / "bad", code=3)
    (folder / "train.jsonl").write_text('{"prompt": "x"}\n')
    assert "train.jsonl:1" in train(*args, "--out", work / "bad", code=3)
    return out / "adapter"


def serve(tiny, adapter):
    """Base and adapter under their names; greedy replies do not depend on the batch."""
    command = [sys.executable, "-m", "deeprepo_train", "serve", "--model", tiny, "--adapter", adapter, "--name", "tiny",
               "--adapter-name", "mine", "--port", "0", "--threads", "1"]
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        url = process.stdout.readline().strip()

        def ask(path, **body):
            q = urllib.request.Request(url + path, json.dumps(body).encode() if body else None, {"Content-Type": "application/json"})
            with urllib.request.urlopen(q, timeout=120) as answer:
                return json.load(answer)

        assert [m["id"] for m in ask("/models")["data"]] == ["tiny", "tiny:mine"]
        texts, threads = {}, []

        def one(name, text):
            texts[name, text] = ask("/chat/completions", model=name, messages=[{"role": "user", "content": text}],
                                    temperature=0, max_tokens=12)

        for name in ("tiny", "tiny:mine"):
            for text in ("hello", "a longer question than the other one"):
                threads.append(threading.Thread(target=one, args=(name, text)))
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert len(texts) == 4 and all(a["usage"]["completion_tokens"] <= 12 for a in texts.values()), texts
        for (name, text), before in list(texts.items()):
            one(name, text)
            assert texts[name, text]["choices"] == before["choices"], (name, text)
        said = {n: texts[n, "hello"]["choices"][0]["message"]["content"] for n in ("tiny", "tiny:mine")}
        assert said["tiny"] != said["tiny:mine"], said  # training changed something
        for wrong in ({"model": "other", "messages": []}, {"model": "tiny", "messages": "x"}, {"model": "tiny", "messages": [], "n": 2}):
            try:
                ask("/chat/completions", **wrong)
                raise SystemExit(f"{wrong} was answered")
            except urllib.error.HTTPError as e:
                assert e.code == 400, e
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def adapter_file(tiny, adapter, work):
    """The GGUF adapter holds every weight, and rows of q and k are where GGUF expects them."""
    import numpy as np
    from gguf import GGUFReader

    from deeprepo_train.gguf_adapter import turned

    said = json.loads(train("gguf", "--adapter", adapter, "--model", tiny, "--out", work / "a.gguf").strip().splitlines()[-1])
    reader = GGUFReader(work / "a.gguf")
    assert said["tensors"] == len(reader.tensors) == 2 * 2 * 7, said
    rows = np.arange(8, dtype=np.float32).reshape(8, 1)  # two heads of width 4: 0 1 | 2 3 become 0 2 1 3
    assert turned(rows, 2).ravel().tolist() == [0, 2, 1, 3, 4, 6, 5, 7], turned(rows, 2).ravel()


def main():
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        tiny = work / "tiny"
        subprocess.run([sys.executable, pathlib.Path(__file__).with_name("tiny.py"), tiny], check=True, capture_output=True)
        conversation(tiny)
        rollouts(tiny)
        grpo(tiny, work)
        adapter = dpo(tiny, work)
        serve(tiny, adapter)
        adapter_file(tiny, adapter, work)


if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    main()
