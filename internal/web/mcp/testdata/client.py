"""Drives deeprepo mcp with the official Python client: client.py PROGRAM CODEBASE RUNS, over pipes and over HTTP."""

import asyncio
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


async def main():
    program, codebase, runs = sys.argv[1:]
    await drive(stdio_client(StdioServerParameters(command=program, args=["mcp", codebase, "--runs", runs])))
    server = subprocess.Popen([program, "mcp", codebase, "--runs", runs, "--http", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    try:
        await drive(server.stdout.readline().strip())
    finally:
        server.terminate()
        server.wait(20)
    print("ok")


asyncio.run(main())
