"""Finding or starting the server that plays the episodes."""

import atexit
import json
import os
import shutil
import subprocess
import tempfile
import threading
import urllib.request


class ServerError(RuntimeError):
    """The server cannot be started or reached."""


class Server:
    """An OpenEnv server: a running one (base_url), or our own `deeprepo`, started when it is first needed.

    The process ends with stop(), at exit, or when this process dies: it watches its standard input.
    """

    def __init__(self, base_url=None, environment="orchestration", worker="sim", binary="deeprepo", args=()):
        self._url = base_url.rstrip("/") if base_url else None
        self._command = [binary, "env", "serve", environment, "--addr", "127.0.0.1:0", "--until-eof", "--worker", worker, *args]
        self._environment = environment
        self._process = None
        self._errors = None
        self._lock = threading.Lock()

    def url(self, timeout=120):
        """The base URL. The first call may take some seconds: the sandbox is compiled once on a machine."""
        with self._lock:
            if self._url is None:
                self._url = self._start(timeout)
            elif self._process is not None and self._process.poll() is not None:
                raise ServerError(f"the server has ended with code {self._process.returncode}: {self._said()}")
            return self._url

    def about(self):
        """Rubric, metrics and limits of the environment: asked of the server, or from the binary if none runs."""
        if self._url is None:
            command = [self._binary(), "env", "list", "--json"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
            if done.returncode:
                raise ServerError(f"{' '.join(command)} failed: {done.stderr.strip()}")
            for listed in json.loads(done.stdout)["environments"]:
                if listed["name"] == self._environment:
                    return listed
        url = self.url()  # a directory of tasks, for example: only a server knows it, and reports if it cannot be served
        try:
            with urllib.request.urlopen(url + "/about", timeout=30) as answer:
                return json.load(answer)
        except OSError as e:
            raise ServerError(f"no server answers at {url.split('/t/')[0]}: {e}") from e

    def stop(self):
        """Stop the process if we started it."""
        with self._lock:
            process, self._process = self._process, None
            if process is None:
                return
            self._url = None
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stdin.close()
            process.stdout.close()
            self._errors.close()

    def _binary(self):
        path = shutil.which(self._command[0])
        if path is None:
            raise ServerError(f"{self._command[0]!r} is not on PATH; give base_url of a running `deeprepo env serve`, or binary")
        return path

    def _start(self, timeout):
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [self._binary(), *self._command[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
            text=True, start_new_session=True, env=os.environ.copy(),
        )
        atexit.register(self.stop)
        line = []
        reader = threading.Thread(target=lambda: line.append(self._process.stdout.readline()), daemon=True)
        reader.start()
        reader.join(timeout)
        url = line[0].strip() if line else ""
        if not url.startswith("http"):
            self._process.kill()
            self._process.wait()
            raise ServerError(f"{' '.join(self._command)} did not start: {self._said() or 'it said nothing in time'}")
        return url

    def _said(self):
        self._errors.seek(0)
        return self._errors.read()[-2000:].decode(errors="replace").strip()
