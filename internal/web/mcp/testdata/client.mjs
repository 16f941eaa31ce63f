// Drives deeprepo mcp with the official TypeScript client: client.mjs PROGRAM CODEBASE RUNS MODEL, over pipes and over HTTP. The
// file asked in the directory MODEL says that the configured model was asked, gone that its caller left without an answer. The
// module @modelcontextprotocol/sdk is looked for from MCP_MODULES.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const require = createRequire(pathToFileURL(process.env.MCP_MODULES + '/'));
const load = (name) => require(`@modelcontextprotocol/sdk/client/${name}.js`);
const { Client } = load('index');
const { StdioClientTransport } = load('stdio');
const { StreamableHTTPClientTransport } = load('streamableHttp');
const { ListRootsRequestSchema } = require('@modelcontextprotocol/sdk/types.js');

const [program, codebase, runs, model] = process.argv.slice(2);

const pipes = (...more) =>
  new StdioClientTransport({ command: program, args: ['mcp', codebase, '--runs', runs, ...more], env: process.env });

async function connect(transport) {
  const client = new Client({ name: 'check', version: '1' }, { capabilities: { roots: {} } });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(codebase).href }] }));
  await client.connect(transport);
  return { client, call: async (name, args, options) => client.callTool({ name, arguments: args }, undefined, options) };
}

async function drive(transport) {
  const { client, call } = await connect(transport);
  const { tools } = await client.listTools();
  assert.equal(tools.length, 9);
  const seen = [];
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
  const refused = await call('dismiss', { run, id: list[0].id, state: 'accepted', reason: 'no' });
  assert.ok(refused.isError && refused.content[0].text.includes('--allow-write'), JSON.stringify(refused));
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 300);
  await assert.rejects(call('run_program', { code: 'while True: pass' }, { signal: stop.signal }));
  await client.close();
}

const task = {
  task_id: 'HumanEval/0', prompt: 'def add(a, b):\n', entry_point: 'add', canonical_solution: '    return a + b\n',
  test: 'def check(candidate):\n    assert candidate(1, 2) == 3\n',
};

// write decides about a finding, and has samples judged that lie in the codebase.
async function write(transport) {
  writeFileSync(join(codebase, 'tasks.jsonl'), JSON.stringify(task) + '\n');
  const samples = ['    return a + b\n', '    return a - b\n'];
  writeFileSync(join(codebase, 'samples.jsonl'), samples.map((completion) => JSON.stringify({ task_id: task.task_id, completion }) + '\n').join(''));
  const { client, call } = await connect(transport);
  const { run } = (await call('review', { path: '.' })).structuredContent;
  const [first] = (await call('findings', { run })).structuredContent.findings;
  const said = await call('dismiss', { run, id: first.id, state: 'accepted', reason: 'ours' });
  assert.ok(!said.isError, JSON.stringify(said));
  assert.match(readFileSync(join(codebase, '.deeprepo', 'triage.json'), 'utf8'), /ours/);
  assert.equal((await call('review', { path: '.' })).structuredContent.findings, 1);
  const judged = await call('judge', { path: 'samples.jsonl', dataset: 'humaneval', data: 'tasks.jsonl' });
  assert.ok(!judged.isError, JSON.stringify(judged));
  assert.deepEqual([judged.structuredContent.passed, judged.structuredContent.total], [1, 2]);
  await client.close();
}

// until waits for what is not there at once.
async function until(what, look) {
  for (let tries = 0; tries < 600; tries++) {
    const found = await look();
    if (found) return found;
    await sleep(100);
  }
  assert.fail(`${what} did not come`);
}

// cancel ends a review whose model does not answer.
async function cancel(transport) {
  const { client, call } = await connect(transport);
  const stop = new AbortController();
  const review = assert.rejects(call('review', { path: '.' }, { signal: stop.signal }));
  await until('a call of the model', () => existsSync(join(model, 'asked')));
  stop.abort();
  await review;
  await until('the end of that call', () => existsSync(join(model, 'gone')));
  const { uri } = await until('a report', async () => (await client.listResources()).resources.find((r) => r.uri.endsWith('.json')));
  const report = JSON.parse((await client.readResource({ uri })).contents[0].text);
  assert.equal(report.run.stop_reason, 'interrupted');
  await client.close();
}

await drive(pipes());
const server = spawn(program, ['mcp', codebase, '--runs', runs, '--http', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
const [url] = await once(createInterface(server.stdout), 'line');
await drive(new StreamableHTTPClientTransport(new URL(url)));
server.kill();
await write(pipes('--allow-write'));
await cancel(pipes('--runs', join(runs, 'cancelled'), '--budget', '1'));
console.log('ok');
