"""A small OpenAI-compatible server of one model and its adapter, with transformers and PEFT.

It is for measuring before and after without a GPU: `NAME` is the base model, `NAME:ADAPTER` the same with the
adapter. Waiting requests are answered together, in batches of the same model and sampling.
"""

import contextlib
import json
import os
import queue
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import torch
from peft import PeftModel

from . import Failure, model

MOST_BODY = 8 << 20


class Job:
    """One request."""

    def __init__(self, name, ids, limit, temperature, top_p, seed):
        self.name, self.ids, self.limit = name, ids, limit
        self.temperature, self.top_p, self.seed = temperature, top_p, seed
        self.done = threading.Event()
        self.reply, self.ended, self.error = [], False, None

    @property
    def kind(self):
        """Jobs of one kind can be answered together; a job with its own seed is sampled alone."""
        return (self.name, self.temperature, self.top_p, self.seed if self.temperature > 0 else None)


class Engine:
    """The model in a thread of its own."""

    def __init__(self, chosen):
        self.tokenizer = model.tokenizer(chosen.model)
        loaded = model.load(chosen.model)
        name = chosen.name or os.path.basename(os.path.normpath(chosen.model))
        self.names = [name]
        if chosen.adapter:
            if not os.path.isfile(os.path.join(chosen.adapter, "adapter_config.json")):
                raise Failure(f"{chosen.adapter} holds no adapter", "a directory in PEFT's layout has an adapter_config.json")
            try:
                loaded = PeftModel.from_pretrained(loaded, chosen.adapter)
            except (RuntimeError, ValueError) as e:
                raise Failure(f"{chosen.adapter} does not fit {chosen.model}: {str(e).splitlines()[0]}") from e
            self.names.append(f"{name}:{chosen.adapter_name}")
        self._model = loaded.eval().to("cuda" if torch.cuda.is_available() else "cpu")
        self._batch = chosen.batch
        self._context = getattr(loaded.config, "max_position_embeddings", 1 << 20)
        self._jobs = queue.Queue()
        self._left = []
        threading.Thread(target=self._work, daemon=True).start()

    def put(self, job):
        if len(job.ids) + 1 > self._context:
            raise ValueError(f"the prompt has {len(job.ids)} tokens, the model's context {self._context}")
        job.limit = max(1, min(job.limit, self._context - len(job.ids)))
        self._jobs.put(job)
        return job

    def _work(self):
        while True:
            jobs = self._take()
            try:
                self._answer(jobs)
            except Exception as e:  # a request must not end the server
                for job in jobs:
                    job.error = f"{type(e).__name__}: {e}"
            for job in jobs:
                job.done.set()

    def _take(self):
        """Jobs of the first one's kind: those that wait and those that arrive within a moment."""
        waiting, self._left = self._left or [self._jobs.get()], []
        until = time.monotonic() + 0.05
        while len(waiting) < 4 * self._batch:
            try:
                waiting.append(self._jobs.get(timeout=max(0.0, until - time.monotonic())))
            except queue.Empty:
                break
        kind = waiting[0].kind
        jobs = [job for job in waiting if job.kind == kind][: self._batch]
        self._left = [job for job in waiting if job not in jobs]
        return jobs

    def _answer(self, jobs):
        first, pad = jobs[0], self.tokenizer.pad_token_id
        width = max(len(job.ids) for job in jobs)
        ids = torch.tensor([[pad] * (width - len(job.ids)) + job.ids for job in jobs], device=self._model.device)
        mask = torch.tensor([[0] * (width - len(job.ids)) + [1] * len(job.ids) for job in jobs], device=self._model.device)
        how = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
        if first.temperature > 0:
            how = {"do_sample": True, "temperature": first.temperature, "top_p": first.top_p, "top_k": 0}
            torch.manual_seed(first.seed)
        plain = len(self.names) > 1 and first.name == self.names[0]
        with torch.no_grad(), self._model.disable_adapter() if plain else contextlib.nullcontext():
            out = self._model.generate(
                input_ids=ids, attention_mask=mask, max_new_tokens=max(job.limit for job in jobs), pad_token_id=pad, **how
            )
        stops = self._model.generation_config.eos_token_id
        stops = {self.tokenizer.eos_token_id, *(stops if isinstance(stops, list) else [stops])}
        for job, row in zip(jobs, out[:, width:].tolist(), strict=True):
            end = next((i for i, token in enumerate(row) if token in stops), None)
            job.ended = end is not None and end < job.limit
            job.reply = row[: end if job.ended else job.limit]


class Handler(BaseHTTPRequestHandler):
    """/v1/models, /v1/chat/completions and /v1/completions."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path.rstrip("/") == "/v1/models":
            data = [{"id": n, "object": "model", "owned_by": "deeprepo"} for n in self.server.engine.names]
            return self._say(200, {"object": "list", "data": data})
        return self._fail(404, f"there is no {self.path}")

    def do_POST(self):
        try:
            size = int(self.headers.get("Content-Length") or -1)
        except ValueError:
            size = -1
        if not 0 <= size <= MOST_BODY:
            self.close_connection = True
            return self._fail(413, "a body of a known length is needed")
        body = self.rfile.read(size)
        chat = self.path == "/v1/chat/completions"
        if not chat and self.path != "/v1/completions":
            return self._fail(404, f"there is no {self.path}")
        try:
            job = self._job(json.loads(body), chat)
        except (ValueError, KeyError, TypeError, AttributeError) as e:
            return self._fail(400, str(e) or type(e).__name__)
        job.done.wait()
        if job.error:
            return self._fail(500, job.error)
        text = self.server.engine.tokenizer.decode(job.reply, skip_special_tokens=True)
        choice = {"index": 0, "finish_reason": "stop" if job.ended else "length"}
        choice |= {"message": {"role": "assistant", "content": text}} if chat else {"text": text}
        usage = {"prompt_tokens": len(job.ids), "completion_tokens": len(job.reply), "total_tokens": len(job.ids) + len(job.reply)}
        kind = "chat.completion" if chat else "text_completion"
        return self._say(200, {"id": "deeprepo", "object": kind, "created": int(time.time()), "model": job.name, "choices": [choice],
                               "usage": usage})

    def _job(self, asked, chat):
        engine = self.server.engine
        name = asked.get("model")
        if name not in engine.names:
            raise ValueError(f"there is no model {name!r}; there are {', '.join(engine.names)}")
        if asked.get("stream"):
            raise ValueError("streaming is not supported")
        if int(asked.get("n") or 1) != 1:
            raise ValueError("only one reply per request is supported")
        limit = int(asked.get("max_completion_tokens") or asked.get("max_tokens") or 1024)
        temperature = float(asked.get("temperature") if asked.get("temperature") is not None else 1.0)
        top_p = float(asked.get("top_p") if asked.get("top_p") is not None else 1.0)
        if limit < 1 or not 0 <= temperature <= 10 or not 0 < top_p <= 1:
            raise ValueError("max_tokens, temperature or top_p is out of range")
        if chat:
            messages = [{"role": str(m["role"]), "content": content(m["content"])} for m in asked["messages"]]
            text = engine.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
            ids = engine.tokenizer(text, add_special_tokens=False)["input_ids"]
        else:
            ids = engine.tokenizer(str(asked["prompt"]))["input_ids"]
        seed = int(asked["seed"]) % (1 << 63) if asked.get("seed") is not None else int.from_bytes(os.urandom(7))
        return engine.put(Job(name, ids, limit, temperature, top_p, seed))

    def _say(self, code, value):
        data = json.dumps(value).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _fail(self, code, message):
        return self._say(code, {"error": {"message": message, "type": "invalid_request_error" if code < 500 else "server_error"}})


def content(value):
    """The text of a message, which may come in parts."""
    if isinstance(value, str):
        return value
    return "".join(part["text"] for part in value)


def run(chosen):
    """Serve until Ctrl-C. The first line of stdout is the base URL."""
    engine = Engine(chosen)
    try:
        server = ThreadingHTTPServer((chosen.host, chosen.port), Handler)
    except OSError as e:
        raise Failure(f"cannot listen on {chosen.host}:{chosen.port}: {e.strerror}", "--port 0 picks a free one") from e
    server.daemon_threads, server.engine = True, engine
    print(f"http://{chosen.host}:{server.server_address[1]}/v1", flush=True)
    print(f"serving {', '.join(engine.names)}; Ctrl-C ends it", file=sys.stderr, flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    server.server_close()
