// Drives deeprepo mcp with the official TypeScript client: client.mjs PROGRAM CODEBASE RUNS, over pipes and over HTTP. The module
// @modelcontextprotocol/sdk is looked for from MCP_MODULES.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(pathToFileURL(process.env.MCP_MODULES + '/'));
const load = (name) => require(`@modelcontextprotocol/sdk/client/${name}.js`);
const { Client } = load('index');
const { StdioClientTransport } = load('stdio');
const { StreamableHTTPClientTransport } = load('streamableHttp');
const { ListRootsRequestSchema } = require('@modelcontextprotocol/sdk/types.js');

const [program, codebase, runs] = process.argv.slice(2);

async function drive(transport) {
  const client = new Client({ name: 'check', version: '1' }, { capabilities: { roots: {} } });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(codebase).href }] }));
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.equal(tools.length, 8);
  const seen = [];
  const call = async (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);
  const review = await call('review', { path: '.' }, { onprogress: (p) => seen.push(p) });
  assert.ok(!review.isError, JSON.stringify(review));
  const { run, findings, resources } = review.structuredContent;
  assert.equal(findings, 2);
  assert.ok(seen.length > 0, 'no progress was told');
  const list = (await call('findings', { run })).structuredContent.findings;
  const one = await call('show', { run, id: list[0].id });
  assert.match(one.structuredContent.code, /eval\(input\(\)\)/);
  const callers = await call('graph', { path: '.', query: 'callers', name: 'go' });
  assert.equal(callers.structuredContent.uses[0].from, 'a.py:twice');
  assert.equal((await call('coverage', { run })).structuredContent.fraction, 1);
  assert.equal((await call('run_program', { code: 'print(6 * 7)' })).structuredContent.stdout, '42\n');
  assert.match((await client.readResource({ uri: resources[0] })).contents[0].text, /eval/);
  assert.ok((await client.listResources()).resources.length >= 3);
  const outside = await call('review', { path: '/' });
  assert.ok(outside.isError && outside.content[0].text.includes('outside the roots'), JSON.stringify(outside));
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 300);
  await assert.rejects(call('run_program', { code: 'while True: pass' }, { signal: stop.signal }));
  await client.close();
}

await drive(new StdioClientTransport({ command: program, args: ['mcp', codebase, '--runs', runs], env: process.env }));
const server = spawn(program, ['mcp', codebase, '--runs', runs, '--http', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
const [url] = await once(createInterface(server.stdout), 'line');
await drive(new StreamableHTTPClientTransport(new URL(url)));
server.kill();
console.log('ok');
