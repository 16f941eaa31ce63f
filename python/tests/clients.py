"""Drive `deeprepo code serve` with the clients that trainers use: verl's reward, sandbox-fusion's client, Tinker's.
Run by check.sh.

    clients.py BINARY

The packages are installed without their training dependencies: verl's and Tinker's top packages import torch, so stand-ins
lead to the modules below, which are used unchanged.
"""

import asyncio
import concurrent.futures
import json
import logging
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time
import types
import urllib.request

BINARY = sys.argv[1]
ECHO = "```python\nfor _ in range(int(input())):\n    a, b = map(int, input().split())\n    print(a + b)\n```"
WRONG = "```python\nfor _ in range(int(input())):\n    a, b = map(int, input().split())\n    print(max(a + b, 0))\n```"
CASES = {"inputs": ["1\n2 3\n", "2\n1 1\n-5 1\n"], "outputs": ["5\n", "2\n-4"]}


def bare(*packages):
    """Makes packages importable without running their own __init__."""
    for package in packages:
        (site,) = [p for p in map(pathlib.Path, sys.path) if p.joinpath(*package.split(".")).is_dir()]
        path = site.joinpath(*package.split("."))
        module = types.ModuleType(package)
        module.__path__ = [str(path)]
        sys.modules[package] = module


class Serving:
    """A server for the length of a with block; url is its first line."""

    def __init__(self, *args):
        command = [BINARY, "code", "serve", "--addr", "127.0.0.1:0", "--until-eof", *args]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http"), f"{' '.join(command)} does not start"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(20)
        assert code == 0, f"the server ended with {code}"


def fenced(code):
    return f"```python\n{code}\n```"


def verl_reward(server, strict):
    """Rewards from verl's own reward function, over stdin and stdout, a named function, and appended assertions."""
    from verl.utils.reward_score import default_compute_score, sandbox_fusion

    semaphore = threading.Semaphore(64)

    def score(url, completion, truth):
        return default_compute_score("codecontests", completion, json.dumps(truth), sandbox_fusion_url=url,
                                     concurrent_semaphore=semaphore, memory_limit_mb=1024)

    asserts = {"assert_case": ["assert add(1, 2) == 3", "assert add(-1, 1) == 0", "assert add('a', 'b') == 'ab'"]}
    named = {"inputs": ["[1, 2]\n3", "[]\n0"], "outputs": ["[4, 5]", "[]"], "fn_name": "shift"}
    for name, completion, truth, want in [
        ("right", ECHO, CASES, 1.0),
        ("wrong on one of two", WRONG, CASES, 0.5),
        ("no fence", "print(5)", CASES, 0.0),
        ("syntax error", fenced("for:"), CASES, 0.0),
        ("asserts", fenced("def add(a, b):\n    return a + b"), asserts, 1.0),
        ("wrong on one assert", fenced("def add(a, b):\n    return int(a) + int(b)"), asserts, 2 / 3),
        ("named function", fenced("class Solution:\n    def shift(self, xs, by):\n        return [x + by for x in xs]"), named, 0.5),
        ("exit at the end", fenced("import sys\nprint(sum(map(int, sys.stdin.read().split()[1:])))\nsys.exit(0)"),
         {"inputs": ["1\n2 3\n"], "outputs": ["5"]}, 1.0),
    ]:
        if name == "named function":
            truth = {"inputs": ["[1, 2]\n3", "[]\n0"], "outputs": ["[4, 5]", "[1]"], "fn_name": "shift"}
        got = score(server.url, completion, truth)
        assert abs(got - want) < 1e-9, f"verl, {name}: {got}, not {want}"
    cheat = fenced("import sys\nsys.exit(0)")
    assert score(server.url, cheat, asserts) == 1.0, "an operating system would be fooled by an early exit"
    assert score(strict.url, cheat, asserts) == 0.0, "--strict is fooled by an early exit"
    got, details = sandbox_fusion.compute_score(server.url, semaphore, 1024, fenced("while True:\n    pass"), dict(CASES), timeout=1)
    assert got == 0 and {d["status"] for d in details} == {"timeout"}, details
    got, details = sandbox_fusion.compute_score(server.url, semaphore, 64, fenced("x = [0] * 10**8"), dict(CASES), timeout=5)
    assert got == 0 and {d["status"] for d in details} == {"runtime_error"}, details
    got, details = sandbox_fusion.compute_score(server.url + "x", semaphore, 1024, ECHO, dict(CASES))
    assert got == 0 and {d["status"] for d in details} == {"api_error"}, details


def verl_many(server):
    """200 calls at once, none of them lost."""
    from verl.utils.reward_score import sandbox_fusion

    truth = {"inputs": ["1\n2 3\n"] * 4, "outputs": ["5"] * 4}
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        scores = list(pool.map(lambda _: sandbox_fusion.compute_score(server.url, None, 1024, ECHO, dict(truth), timeout=30), range(50)))
    bad = [details for got, details in scores if got != 1.0]
    assert not bad, bad[0]
    print(f"  verl: 200 calls at once in {time.monotonic() - began:.1f} s", flush=True)


def fusion_client(server):
    """The client that SandboxFusion itself publishes."""
    import sandbox_fusion as sf

    endpoint = server.url.removesuffix("/run_code")
    ask = lambda **q: sf.run_code(sf.RunCodeRequest(language="python", **q), endpoint=endpoint, max_attempts=1)
    r = ask(code="print(input()[::-1])", stdin="abc")
    assert r.status == sf.RunStatus.Success and r.run_result.stdout == "cba\n" and r.run_result.return_code == 0, r
    r = ask(code="import sys\nprint('x', file=sys.stderr)\nraise ValueError('no')")
    assert r.status == sf.RunStatus.Failed and r.run_result.return_code == 1 and "ValueError: no" in r.run_result.stderr, r
    r = ask(code="while True: pass", run_timeout=1, compile_timeout=1)
    assert r.run_result.status == sf.CommandRunStatus.TimeLimitExceeded, r
    mapping = sf.SummaryMapping(RunTimeout="late", RunFailed="bad")
    assert sf.summary_run_code_result(r, mapping) == "late", r
    files = {"data/in.csv": "YSxiCjEsMgo=", "helper.py": "ZGVmIGYoKTogcmV0dXJuIDcK"}
    r = ask(code="import csv, helper\nrows = list(csv.DictReader(open('data/in.csv')))\n"
                 "with open('out.txt', 'w') as f: f.write(rows[0]['b'] * helper.f())",
            files=files, fetch_files=["out.txt", "none.txt"])
    assert r.status == sf.RunStatus.Success and r.files == {"out.txt": "MjIyMjIyMg=="} and r.run_result.stderr == "", r
    with urllib.request.urlopen(endpoint + "/about") as about:
        served = json.load(about)["languages"]
    shout = "#include <iostream>\nint main() { std::string s; std::cin >> s; std::cout << s << '!'; }"
    for language, code in (("cpp", shout), ("lean", "#eval 1")):
        try:
            r = sf.run_code(sf.RunCodeRequest(language=language, code=code, stdin="abc", compile_timeout=30),
                            endpoint=endpoint, max_attempts=1)
        except Exception as e:
            assert language not in served and "only python" in str(e), e
        else:
            assert language in served and r.status == sf.RunStatus.Success and r.run_result.stdout == "abc!", (served, r)

    async def many():
        return await asyncio.gather(*(
            sf.run_code_async(sf.RunCodeRequest(language="python", code=f"print({i})"), endpoint=endpoint, max_attempts=1)
            for i in range(50)))

    for i, r in enumerate(asyncio.run(many())):
        assert r.run_result.stdout == f"{i}\n", r


def tinker_client(server):
    """Tinker's client, with the files that its recipe sends."""
    from tinker_cookbook.sandbox import SandboxFusionClient

    async def talk():
        client = SandboxFusionClient(url=server.url, max_concurrency=8)
        code = ("import json\nfrom testing_util import run\nok = run(json.load(open('test_cases.txt')), open('code.py').read())\n"
                "import sys\nsys.exit(0 if ok else -1)")
        util = "def run(cases, code):\n    space = {}\n    exec(code, space)\n    return all(space['f'](i) == o for i, o in cases)\n"
        for body, want in (("x * 2", True), ("x * 3", False)):
            files = {"test_cases.txt": "[[1, 2], [5, 10]]", "testing_util.py": util, "code.py": f"def f(x): return {body}"}
            ok, r = await client.run(code=code, files=files, timeout=6)
            assert ok is want and r["run_result"]["status"] == "Finished", r
        await client.close()

    asyncio.run(talk())


def tinker_recipe(server):
    """The whole grader of Tinker's code_rl recipe: LiveCodeBench's own harness, which needs numpy and signals."""
    bare("tinker_cookbook.recipes", "tinker_cookbook.recipes.code_rl")
    os.environ["SANDBOX_URL"] = server.url
    from tinker_cookbook.recipes.code_rl import code_grading

    lines = [{"input": i, "output": o, "testtype": "stdin_stdout"} for i, o in zip(CASES["inputs"], CASES["outputs"])]
    call = [{"input": "[1, 2]\n3", "output": "[4, 5]", "testtype": "functional", "metadata": {"func_name": "shift"}}]

    async def grade():
        for sample, code, want in [
            (lines, ECHO, True),
            (lines, WRONG, False),
            (call, fenced("class Solution:\n    def shift(self, xs, by): return [x + by for x in xs]"), True),
            (call, fenced("class Solution:\n    def shift(self, xs, by): return xs"), False),
        ]:
            ok, details = await code_grading.sandbox_check_correctness(sample, code_grading.extract_code_from_model(code))
            assert ok is want and details["run_result"]["status"] == "Finished", (code, details)
        await code_grading._get_sandboxfusion_client().close()

    asyncio.run(grade())


def own_reward(server):
    """A reward function in the form of TRL's: one request for all completions, judged where they cannot reach."""

    def reward(prompts, completions, tests, entry, **_):
        programs = [{"language": "python", "code": c, "tests": t, "entry": e} for c, t, e in zip(completions, tests, entry)]
        request = urllib.request.Request(server.url.replace("/run_code", "/run_batch"), json.dumps({"programs": programs}).encode())
        with urllib.request.urlopen(request, timeout=120) as response:
            return [float(r["verdict"] == "passed") for r in json.load(response)["results"]]

    good = "def f(x):\n    return x + 1"
    cheats = [
        "import sys\nsys.exit(0)",
        "class Yes(int):\n    def __eq__(self, other):\n        return True\ndef f(x):\n    return Yes()",
        "import builtins\nbuiltins.AssertionError = str\ndef f(x):\n    return 0",
        "def f(x):\n    import os\n    os._exit(0)",
        "def g(x):\n    return x + 1",
    ]
    completions = [good, *cheats, good]
    n = len(completions)
    got = reward([""] * n, completions, tests=[["assert f(1) == 2", "assert f(5) == 6"]] * n, entry=["f"] * n)
    assert got == [1.0, *[0.0] * len(cheats), 1.0], got


def main():
    """Run all checks."""
    logging.disable(logging.CRITICAL)
    bare("verl", "verl.utils", "tinker_cookbook")
    with Serving() as server, Serving("--strict") as strict:
        for what, check in [
            ("verl: its reward function scores right, wrong, slow and cheating programs", lambda: verl_reward(server, strict)),
            ("verl: nothing lost", lambda: verl_many(server)),
            ("sandbox-fusion: its client reads every answer", lambda: fusion_client(server)),
            ("tinker: its client sends files", lambda: tinker_client(server)),
            ("a reward function over /run_batch is not fooled", lambda: own_reward(server)),
        ]:
            began = time.monotonic()
            check()
            print(f"  {what} ({time.monotonic() - began:.1f} s)", flush=True)
    if not shutil.which("bwrap"):
        print("  --backend native skipped: no bubblewrap here")
        return
    with Serving("--backend", "native", "--python", sys.executable) as server:
        began = time.monotonic()
        fusion_client(server)
        tinker_recipe(server)
        print(f"  tinker: its recipe's grader, over --backend native with numpy ({time.monotonic() - began:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
