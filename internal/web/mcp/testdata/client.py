"""Drives deeprepo mcp with the official Python client: client.py PROGRAM CODEBASE RUNS MODEL, over pipes and over HTTP. The file
asked in the directory MODEL says that the configured model was asked, gone that its caller left without an answer."""

import asyncio
import json
import os
import pathlib
import subprocess
import sys

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

TOOLS = {"review", "findings", "show", "dismiss", "graph", "locate", "coverage", "run_program", "judge"}


async def drive(server, progress=True):
    seen = []

    async def told(done, total, message):
        seen.append((done, message))

    async with Client(server) as client:
        tools = await client.list_tools()
        assert {tool.name for tool in tools.tools} == TOOLS, tools
        review = await client.call_tool("review", {"path": "."}, progress_callback=told)
        assert not review.is_error, review
        run = review.structured_content["run"]
        assert review.structured_content["findings"] == 2, review.structured_content
        if progress:
            assert seen, "no progress was told"
        findings = (await client.call_tool("findings", {"run": run})).structured_content["findings"]
        one = await client.call_tool("show", {"run": run, "id": findings[0]["id"]})
        assert "eval(input())" in one.structured_content["code"], one
        callers = await client.call_tool("graph", {"path": ".", "query": "callers", "name": "go"})
        assert callers.structured_content["uses"][0]["from"] == "a.py:twice", callers
        place = await client.call_tool("locate", {"path": ".", "text": "twice is wrong"})
        assert place.structured_content["functions"][0]["name"] == "twice", place
        assert (await client.call_tool("coverage", {"run": run})).structured_content["fraction"] == 1
        ran = await client.call_tool("run_program", {"code": "print(6 * 7)"})
        assert ran.structured_content["stdout"] == "42\n", ran
        report = await client.read_resource(review.structured_content["resources"][0])
        assert "eval" in report.contents[0].text, report
        assert (await client.list_resources()).resources
        outside = await client.call_tool("review", {"path": "/"})
        assert outside.is_error and "outside the roots" in outside.content[0].text, outside
        refused = await client.call_tool("dismiss", {"run": run, "id": findings[0]["id"], "state": "accepted", "reason": "no"})
        assert refused.is_error and "--allow-write" in refused.content[0].text, refused


TASK = {
    "task_id": "HumanEval/0", "prompt": "def add(a, b):\n", "entry_point": "add", "canonical_solution": "    return a + b\n",
    "test": "def check(candidate):\n    assert candidate(1, 2) == 3\n",
}


async def write(server, codebase):
    """Decides about a finding, and has samples judged that lie in the codebase."""
    codebase = pathlib.Path(codebase)
    (codebase / "tasks.jsonl").write_text(json.dumps(TASK) + "\n")
    with open(codebase / "samples.jsonl", "w") as samples:
        for body in ("    return a + b\n", "    return a - b\n"):
            samples.write(json.dumps({"task_id": TASK["task_id"], "completion": body}) + "\n")
    async with Client(server) as client:
        run = (await client.call_tool("review", {"path": "."})).structured_content["run"]
        first = (await client.call_tool("findings", {"run": run})).structured_content["findings"][0]
        said = await client.call_tool("dismiss", {"run": run, "id": first["id"], "state": "accepted", "reason": "ours"})
        assert not said.is_error, said
        decided = json.loads((codebase / ".deeprepo" / "triage.json").read_text())
        assert "ours" in json.dumps(decided), decided
        again = await client.call_tool("review", {"path": "."})
        assert again.structured_content["findings"] == 1, again
        judged = await client.call_tool("judge", {"path": "samples.jsonl", "dataset": "humaneval", "data": "tasks.jsonl"})
        assert not judged.is_error, judged
        assert (judged.structured_content["passed"], judged.structured_content["total"]) == (1, 2), judged


async def there(name):
    for _ in range(600):
        if name.exists():
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"{name} did not come")


async def cancel(server, model):
    """Cancels a review whose model does not answer."""
    async with Client(server) as client:
        review = asyncio.create_task(client.call_tool("review", {"path": "."}))
        await there(model / "asked")
        assert not review.done(), review
        review.cancel()
        await there(model / "gone")
        for _ in range(600):
            reports = [r.uri for r in (await client.list_resources()).resources if str(r.uri).endswith(".json")]
            if reports:
                break
            await asyncio.sleep(0.1)
        report = json.loads((await client.read_resource(reports[0])).contents[0].text)
        assert report["run"]["stop_reason"] == "interrupted", report["run"]


async def main():
    program, codebase, runs, model = sys.argv[1:]
    await drive(stdio_client(StdioServerParameters(command=program, args=["mcp", codebase, "--runs", runs])))
    server = subprocess.Popen([program, "mcp", codebase, "--runs", runs, "--http", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    try:
        await drive(server.stdout.readline().strip())
    finally:
        server.terminate()
        server.wait(20)
    await write(stdio_client(StdioServerParameters(command=program, args=["mcp", codebase, "--runs", runs, "--allow-write"])), codebase)
    args = ["mcp", codebase, "--runs", runs + "/cancelled", "--budget", "1"]
    await cancel(stdio_client(StdioServerParameters(command=program, args=args, env=dict(os.environ))), pathlib.Path(model))
    print("ok")


asyncio.run(main())
