"""Drive `deeprepo env serve` with the real clients and compare rewards. Run by check.sh.

    check.py BINARY VENV_0_3 VENV_0_4
"""

import asyncio
import glob
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import scripted

BINARY, OLD, NEW = (os.path.abspath(a) for a in sys.argv[1:4])
TASKS, ROLLOUTS, MODEL = 3, 2, "half"
NEAR = 1e-9


def run(*command, **env):
    """Run a command to its end; its output is shown when it fails."""
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, env={**os.environ, **env})
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed with {done.returncode}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    print(f"  {pathlib.Path(command[0]).name} {command[1]}: {time.monotonic() - began:.1f} s", flush=True)
    return done.stdout


class Serving:
    """A server for the length of a with block."""

    def __init__(self, *args):
        command = [BINARY, "env", "serve", "orchestration", "--addr", "127.0.0.1:0", "--until-eof", *args]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(20)
        assert code == 0, f"the server ended with {code}"


def openenv_clients():
    """What OpenEnv's own client sees."""
    from openenv import GenericEnvClient

    cell = "```python\nset_answer('There is nothing to report in this codebase.')\n```"

    async def episode(url, index):
        async with GenericEnvClient(base_url=url) as client:
            first = await client.reset(seed=1, index=index, episode_id=f"e{index}")
            assert first.reward is None and not first.done, first
            assert "<file_tree>" in first.observation["message"] and "REPL" in first.observation["system"], first
            step = await client.step({"message": "I look first.\n```python\nprint(1 + 1)\n```"})
            assert step.reward == 0 and not step.done and "2" in step.observation["message"], step
            state = await client.state()
            assert state["episode_id"] == f"e{index}" and state["step_count"] == 1, state
            last = await client.step({"message": cell})
            assert last.done and last.observation["stop"] == "episode_done", last
            assert last.reward == 0 and last.observation["metrics"]["zero_delegation"] == 1, last
            try:
                await client.step({"message": cell})
            except RuntimeError as e:
                assert "EXECUTION_ERROR" in str(e) and "over" in str(e), e
            else:
                raise AssertionError("a step after the end was taken")
            again = await client.reset(seed=1, index=index)
            assert again.observation["task"] == first.observation["task"], again
            return first.observation["task"]

    async def many(url):
        tasks = await asyncio.gather(*(episode(url, i % 4) for i in range(24)))
        assert len(set(tasks)) == 4, tasks

    with Serving() as server:
        asyncio.run(many(server.url))
        with GenericEnvClient(base_url=server.url).sync() as client:
            assert not client.reset(index=0).done
            try:
                client.reset(sede=1)
            except RuntimeError as e:
                assert "VALIDATION_ERROR" in str(e) and "seed" in str(e), e
        bare, token = server.url.split("/t/")
        with GenericEnvClient(base_url=bare, headers={"Authorization": f"Bearer {token}"}).sync() as client:
            assert not client.reset(index=0).done
        try:
            GenericEnvClient(base_url=bare).sync().connect()
        except ConnectionError as e:
            assert "401" in str(e), e
        else:
            raise AssertionError("a client without the token was let in")
        report = run(f"{OLD}/bin/openenv", "validate", "--url", server.url)
        assert "PASS" in report and "FAIL" not in report, report
    with Serving("--capacity", "1") as server:
        with GenericEnvClient(base_url=server.url).sync() as client:
            client.reset(index=0)
            try:
                with GenericEnvClient(base_url=server.url).sync() as other:
                    other.reset(index=0)
            except RuntimeError as e:
                assert "CAPACITY_REACHED" in str(e), e
            else:
                raise AssertionError("two clients had one place")


def rewards_of(rows):
    """Rewards by task, each task's sorted: which rollout gets which luck depends on the order in which they begin."""
    by_task = {}
    for task, reward in rows:
        by_task.setdefault(task, []).append(reward)
    return {task: sorted(rewards) for task, rewards in sorted(by_task.items())}


def jsonl(pattern):
    """The lines of the one file that matches the pattern."""
    (path,) = glob.glob(pattern, recursive=True)
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]


def compare(name, got, want):
    """Checks for the same tasks with the same rewards."""
    assert got.keys() == want.keys(), (name, got, want)
    for task in want:
        off = [abs(a - b) for a, b in zip(got[task], want[task], strict=True)]
        assert max(off) < NEAR, f"{name}, task {task}: {got[task]} is not {want[task]}"
    print(f"  {name}: the rewards of deeprepo eval", flush=True)


def same_rewards(base, out):
    """Runs deeprepo eval, and both verifiers over the server, with the same policy and seed."""
    n, r = str(TASKS), str(ROLLOUTS)
    run(BINARY, "eval", "orchestration", "-m", f"openai/{MODEL}", "-n", n, "-r", r, "--out", f"{out}/own", OPENAI_BASE_URL=base)
    own = jsonl(f"{out}/own/results.jsonl")
    want = rewards_of((row["example_id"], row["reward"]) for row in own)
    assert any(0 < x < 1 for rewards in want.values() for x in rewards), want
    arguments = json.dumps({"binary": BINARY})
    said = run(f"{OLD}/bin/vf-eval", "deeprepo-orchestration", "-a", arguments, "-m", MODEL, "-b", base, "-k", "OPENAI_API_KEY",
               "-n", n, "-r", r, "-s", "-o", f"{out}/v03")
    assert "orchestration_reward: avg" in said and "coverage: avg" in said, said[-2000:]
    rows = jsonl(f"{out}/v03/**/results.jsonl")
    compare("verifiers 0.3 vf-eval", rewards_of((row["example_id"], row["reward"]) for row in rows), want)
    run(f"{NEW}/bin/vf-eval", "deeprepo-orchestration", "--env.taskset.binary", BINARY, "-m", MODEL, "-n", n, "-r", r, "--client.base-url",
        base, "--client.api-key-var", "OPENAI_API_KEY", "--no-push", "--no-rich", "-o", f"{out}/v04",
        PATH=f"{NEW}/bin:{os.environ['PATH']}")
    traces = [(e["task"]["data"]["idx"], e["traces"][0]["rewards"]["orchestration_reward"]["score"])
              for e in jsonl(f"{out}/v04/*/traces.jsonl")]
    compare("verifiers 0.4 vf-eval", rewards_of(traces), want)
    with Serving() as server:  # without any Python of ours
        config = pathlib.Path(out, "openenv.toml")
        resets = ", ".join(f"{{seed = 0, index = {i}}}" for i in range(TASKS))
        config.write_text(f"""model = "{MODEL}"
[client]
base_url = "{base}"
api_key_var = "OPENAI_API_KEY"
[env.taskset]
id = "openenv"
base_url = "{server.url}"
resets = [{resets}]
[env.player.harness]
id = "null"
[env.player.runtime]
type = "subprocess"
""")
        run(f"{OLD}/bin/eval", "@", str(config), "--no-push", "--no-rich", "-o", f"{out}/openenv", PATH=f"{NEW}/bin:{os.environ['PATH']}")
    traces = [(e["task"]["data"]["reset"]["index"], e["traces"][0]["rewards"]["openenv_reward"]["score"])
              for e in jsonl(f"{out}/openenv/*/traces.jsonl")]
    compare("verifiers' own openenv taskset", rewards_of(traces),
            rewards_of((row["example_id"], row["reward"]) for row in own if row["rollout"] == 0))


def harness(base, out):
    """The binary as a harness: the root's endpoint is OPENAI_BASE_URL, the workers have another."""
    code = pathlib.Path(out, "code")
    code.mkdir()
    for i in range(3):
        (code / f"m{i}.py").write_text(f"def f{i}(x):\n    return x / {i}\n")
    workers, address = scripted.serve()
    before = len(scripted.SEEN)
    run(BINARY, "analyze", str(code), "--root", f"openai/{MODEL}", "--worker", "local/silent", "--strategy", "rlm", "--no-cache",
        "--allow-partial", "--out", f"{out}/analyze", OPENAI_BASE_URL=base, DEEPREPO_LOCAL_URL=address)
    seen = scripted.SEEN[before:]
    port = workers.server_address[1]
    assert {(p == port, m) for p, m in seen} == {(True, "silent"), (False, MODEL)}, seen
    print(f"  harness: {sum(p != port for p, _ in seen)} calls of the root, {sum(p == port for p, _ in seen)} of workers, "
          "each at its own endpoint")


def main():
    """Run all checks."""
    os.environ["OPENAI_API_KEY"] = "x"
    _, base = scripted.serve()
    openenv_clients()
    print("  openenv: every message as its client wants it", flush=True)
    with tempfile.TemporaryDirectory() as out:
        same_rewards(base, out)
        harness(base, out)


if __name__ == "__main__":
    main()
