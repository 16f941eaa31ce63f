"""Drives deeprepo mcp with the official Python client: client.py PROGRAM CODEBASE RUNS, over pipes and over HTTP."""

import asyncio
import json
import pathlib
import subprocess
import sys

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

TOOLS = {"review", "findings", "show", "dismiss", "graph", "coverage", "run_program", "judge"}


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


async def main():
    program, codebase, runs = sys.argv[1:]
    await drive(stdio_client(StdioServerParameters(command=program, args=["mcp", codebase, "--runs", runs])))
    server = subprocess.Popen([program, "mcp", codebase, "--runs", runs, "--http", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    try:
        await drive(server.stdout.readline().strip())
    finally:
        server.terminate()
        server.wait(20)
    await write(stdio_client(StdioServerParameters(command=program, args=["mcp", codebase, "--runs", runs, "--allow-write"])), codebase)
    print("ok")


asyncio.run(main())
