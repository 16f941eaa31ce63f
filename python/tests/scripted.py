"""An OpenAI endpoint for tests that plays scripted policies: the model's name chooses the script.

    python scripted.py            prints its base URL and serves until it is killed

The reply is decided by how many replies the conversation holds already, and its usage is always the same, so every
client that plays the same episode gets the same reward.
"""

import http.server
import json
import pathlib
import sys
import threading
import time

HONEST = pathlib.Path(__file__).parents[2] / "internal" / "env" / "policy"

# Every second file is read, in one batch; the report lists what was found.
HALF = [
    """
paths = sorted(codebase)[::2]
prompts = []
for p in paths:
    n = len(codebase[p].splitlines())
    prompts.append(f"Review this file.\\n=== FILE: {p} (lines 1-{n} of {n}) ===\\n{codebase[p]}\\n=== END ===")
replies = llm_batch(prompts)
print(len(replies), "files were read")
""",
    """
lines = [f"- {f['file']}:{f['line']} {f['title']}" for f in findings()]
set_answer("Findings:\\n" + "\\n".join(lines) + "\\nThat is all.")
""",
]

SCRIPTS = {
    "half": lambda: HALF,
    "honest": lambda: [(HONEST / f"honest_{part}.py").read_text() for part in ("read", "cross", "report")],
    "silent": lambda: [],  # never writes a cell
}


SEEN = []  # port and model of every request, of all servers of this process


def reply(model, earlier):
    """The script's reply to a conversation with that many replies in it."""
    cells = SCRIPTS[model.rsplit("/", 1)[-1]]()
    if earlier >= len(cells):
        return "I have nothing to add."
    return f"Cell {earlier + 1}.\n```python\n{cells[earlier].strip()}\n```"


class Handler(http.server.BaseHTTPRequestHandler):
    """Chat completions, whole or streamed."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Say nothing."""

    def do_GET(self):
        self._json({"object": "list", "data": [{"id": name, "object": "model"} for name in SCRIPTS]})

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        SEEN.append((self.server.server_address[1], request["model"]))
        earlier = sum(m["role"] == "assistant" for m in request["messages"])
        text = reply(request["model"], earlier)
        usage = {"prompt_tokens": 1000 + 100 * earlier, "completion_tokens": 200, "total_tokens": 1200 + 100 * earlier}
        head = {"id": "chatcmpl-1", "created": int(time.time()), "model": request["model"]}
        if not request.get("stream"):
            choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            self._json({**head, "object": "chat.completion", "choices": [choice], "usage": usage})
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        head["object"] = "chat.completion.chunk"
        for choices, extra in (
            ([{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}], {}),
            ([{"index": 0, "delta": {}, "finish_reason": "stop"}], {}),
            ([], {"usage": usage}),
        ):
            self.wfile.write(f"data: {json.dumps({**head, 'choices': choices, **extra})}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def _json(self, value):
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def serve():
    """Start in the background; the server and its base URL."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}/v1"


if __name__ == "__main__":
    print(serve()[1], flush=True)
    sys.stdin.read()
