/** The demo model behind the real Codex: what a person says, and what Codex then shows. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_NOTICE } from './demo-model.ts';
import { isJsonObject, isString, type JsonObject } from './model-event.ts';
import type { ResponsesServer } from './responses-server.ts';
import { startDemoModel } from './start-demo-model.ts';

const ROOT = join(import.meta.dirname, '../..');
const CODEX = join(ROOT, 'node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex');
const BEARER = 'demo-secret';

/** A server that has one tool, which reads. */
const MCP_SERVER = `
import { createInterface } from 'node:readline';
const answers = {
  initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'tiny', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'get_signal', description: 'Reads a signal', annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } }] }),
  'tools/call': ({ arguments: { name } }) => ({ content: [{ type: 'text', text: 'signal ' + name + ' is green' }] }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} }));
});`;

interface Message {
  readonly method: string;
  readonly params: JsonObject;
}

interface Turn {
  readonly messages: readonly Message[];
  readonly items: readonly JsonObject[];
  readonly answer: string;
}

let directory: string;
let workspace: string;
let model: ResponsesServer;
let codex: ChildProcessWithoutNullStreams;
let nextId = 1;
const replies = new Map<unknown, (reply: JsonObject) => void>();
const listeners = new Set<(message: Message) => void>();

beforeAll(async () => {
  await mkdir(join(ROOT, '.tmp'), { recursive: true });
  directory = await mkdtemp(join(ROOT, '.tmp/demo-'));
  workspace = join(directory, 'workspace');
  // Codex refuses to put its sandbox helper under the temporary directory, which may be where this clone lies.
  const temporary = join(directory, 'tmp');
  await mkdir(workspace);
  await mkdir(temporary);
  await writeFile(join(directory, 'mcp.mjs'), MCP_SERVER);
  model = await startDemoModel({ bearer: BEARER, delayMs: 0 });
  await writeFile(join(directory, 'config.toml'), renderConfig(model.url));

  codex = spawn(CODEX, ['app-server', '-c', 'tools.update_plan.enabled=true'], {
    // A home without start-up files: what those of this machine print is no part of a command's output.
    env: { ...process.env, HOME: directory, CODEX_HOME: directory, DEMO_KEY: BEARER, TMPDIR: temporary },
  });
  createInterface({ input: codex.stdout }).on('line', receive);
  codex.stderr.resume();
  await ask('initialize', { clientInfo: { name: 'demo', version: '1' }, capabilities: { experimentalApi: true } });
  codex.stdin.write('{"method":"initialized"}\n');
});

afterAll(async () => {
  if (codex.exitCode === null) {
    codex.stdin.end();
    await once(codex, 'exit');
  }
  await model.close();
  await rm(directory, { recursive: true, force: true });
});

test('a plain greeting is answered with what it is and what it can do', async () => {
  const turn = await startTurn(await startThread(), 'hello');
  expect(turn.answer.startsWith(DEMO_NOTICE)).toBe(true);
  expect(turn.answer).toContain('Run `ls -la`');
  expect(turn.items.map((item) => item.type)).toEqual(['userMessage', 'reasoning', 'agentMessage']);
});

test('a command is run and its end reported', async () => {
  const thread = await startThread();
  const turn = await startTurn(thread, 'run `echo one; exit 3`');
  expect(itemOf(turn, 'commandExecution')).toMatchObject({ status: 'failed', exitCode: 3, aggregatedOutput: 'one\n' });
  expect(turn.answer).toContain('exit code 3');
  expect(turn.answer).toContain('one');

  const second = await startTurn(thread, 'run echo two');
  expect(second.answer).toContain('exit code 0');
  expect(second.items.map((item) => item.text).join()).not.toContain(DEMO_NOTICE);
});

test('a file is created, not overwritten, and edited', async () => {
  const thread = await startThread();
  const created = await startTurn(thread, 'write hello.txt: first line');
  expect(itemOf(created, 'fileChange')).toMatchObject({ status: 'completed', changes: [{ kind: { type: 'add' } }] });

  const again = await startTurn(thread, 'create hello.txt');
  expect(again.answer).toContain('already exists');

  await startTurn(thread, 'edit hello.txt: second line');
  expect(await readFile(join(workspace, 'hello.txt'), 'utf8')).toBe('first line\nsecond line\n');

  await startTurn(thread, 'edit "not there.txt"');
  expect(await readFile(join(workspace, 'not there.txt'), 'utf8')).toBe('A line from the demo model.\n');
});

test('a plan goes through its three steps in one turn', async () => {
  const turn = await startTurn(await startThread(), 'make a plan');
  expect(planStatuses(turn)).toEqual([
    ['inProgress', 'pending', 'pending'],
    ['completed', 'inProgress', 'pending'],
    ['completed', 'completed', 'inProgress'],
    ['completed', 'completed', 'completed'],
  ]);
});

test('it tells the context that came with the message', async () => {
  const turn = await startTurn(await startThread(), 'what do you see?', {
    additionalContext: {
      event: { kind: 'untrusted', value: 'build 7 failed' },
      commands: { kind: 'application', value: 'make test' },
    },
  });
  expect(turn.answer).toContain('events: `build 7 failed`');
  expect(turn.answer).toContain('`commands` from the developer: `make test`');
  expect(turn.answer).toContain(`you are in \`${workspace}\``);
});

test('an escalated command asks for approval', async () => {
  const turn = await startTurn(
    await startThread({ approvalPolicy: 'on-request' }),
    'run `echo free` outside the sandbox',
  );
  const request = turn.messages.find(({ method }) => method === 'item/commandExecution/requestApproval');
  expect(request?.params).toMatchObject({ reason: 'May the demo model run echo free outside the sandbox?' });
  expect(turn.answer).toContain('exit code 0');
});

test('in plan mode it asks with options and proposes a plan', async () => {
  const thread = await startThread();
  const settings = { model: 'gpt-5.5', reasoning_effort: null, developer_instructions: null };
  const asked = await startTurn(thread, 'ask me', { collaborationMode: { mode: 'plan', settings } });
  expect(asked.answer).toContain('You answered: **Diesel**');
  const proposed = await startTurn(thread, 'plan');
  expect(itemOf(proposed, 'plan')?.text).toContain('A plan from the demo model');
});

test('it finds and calls an MCP tool', async () => {
  const turn = await startTurn(await startThread({ withMcp: true }), 'use mcp');
  expect(itemOf(turn, 'mcpToolCall')).toMatchObject({ server: 'tiny', tool: 'get_signal', status: 'completed' });
  expect(turn.answer).toContain('signal demo is green');
});

test('it fails on purpose, once and in its own words', async () => {
  const turn = await startTurn(await startThread(), 'fail');
  const errors = turn.messages.filter(({ method }) => method === 'error');
  expect(errors.map(({ params }) => params.error)).toMatchObject([{ message: expect.stringContaining('on purpose') }]);
});

test('an event that starts a turn is told', async () => {
  const thread = await startThread();
  await startTurn(thread, 'run echo before');
  const turn = await startTurn(thread, '', {
    input: [],
    toolOutput: { name: 'ci', namespace: 'ops', output: 'build 8 failed' },
  });
  expect(turn.answer).toContain('`ops.ci`');
  expect(turn.answer).toContain('build 8 failed');
});

test('a review, a compaction and a goal come to an end', async () => {
  const thread = await startThread();
  const target = { type: 'uncommittedChanges' };
  const reviewed = await performTurn(thread, 'review/start', { target, delivery: 'inline' });
  expect(itemOf(reviewed, 'exitedReviewMode')?.review).toContain('found nothing');
  const compacted = await performTurn(thread, 'thread/compact/start', {});
  expect(itemOf(compacted, 'contextCompaction')).toBeDefined();
  const pursued = await performTurn(thread, 'thread/goal/set', { objective: 'Do everything' });
  expect(pursued.answer).toContain('marked as complete');
});

test('in code mode it does the same from a script', async () => {
  const thread = await startThread({ model: 'gpt-6.1-sol', withMcp: true });
  expect((await startTurn(thread, 'run `echo code; exit 4`')).answer).toContain('exit code 4');
  await startTurn(thread, 'create code.txt');
  expect(await readFile(join(workspace, 'code.txt'), 'utf8')).toContain('Hello from the demo model.');
  await startTurn(thread, 'edit missing.txt');
  expect(await readFile(join(workspace, 'missing.txt'), 'utf8')).toBe('A line from the demo model.\n');
  expect(planStatuses(await startTurn(thread, 'plan'))).toHaveLength(4);
  expect((await startTurn(thread, 'tool get_signal {"name":"home"}')).answer).toContain('signal home is green');
});

async function startThread(
  options: { model?: string; approvalPolicy?: string; withMcp?: boolean } = {},
): Promise<string> {
  const { withMcp = false, ...rest } = options;
  const config = withMcp ? { 'mcp_servers.tiny': { command: 'node', args: [join(directory, 'mcp.mjs')] } } : {};
  const ready = withMcp
    ? until(({ method, params }) => method.endsWith('startupStatus/updated') && params.status === 'ready')
    : undefined;
  const params = { cwd: workspace, sandbox: 'workspace-write', approvalPolicy: 'never', config, ...rest };
  const { thread } = await ask('thread/start', params);
  await ready;
  if (!isJsonObject(thread) || !isString(thread.id)) throw new Error('no thread');
  return thread.id;
}

function startTurn(threadId: string, text: string, extra: JsonObject = {}): Promise<Turn> {
  return performTurn(threadId, 'turn/start', {
    input: [{ type: 'text', text, text_elements: [] }],
    summary: 'auto',
    ...extra,
  });
}

async function performTurn(threadId: string, method: string, params: JsonObject): Promise<Turn> {
  const messages: Message[] = [];
  const done = until((message) => {
    if (message.params.threadId !== threadId) return false;
    messages.push(message);
    return message.method === 'turn/completed';
  });
  await ask(method, { threadId, ...params });
  await done;
  const completed = messages.filter(({ method }) => method === 'item/completed').map(({ params }) => params.item);
  const items = completed.filter(isJsonObject);
  return { messages, items, answer: String(items.findLast(({ type }) => type === 'agentMessage')?.text ?? '') };
}

function itemOf(turn: Turn, type: string): JsonObject | undefined {
  return turn.items.find((item) => item.type === type);
}

function planStatuses(turn: Turn): unknown[] {
  const plans = turn.messages.filter(({ method }) => method === 'turn/plan/updated').map(({ params }) => params.plan);
  return plans.map((plan) => (Array.isArray(plan) ? plan.map((step) => step.status) : plan));
}

function until(fits: (message: Message) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const listener = (message: Message) => {
      if (!fits(message)) return;
      listeners.delete(listener);
      resolve();
    };
    listeners.add(listener);
  });
}

async function ask(method: string, params: JsonObject): Promise<JsonObject> {
  const id = nextId++;
  const reply = new Promise<JsonObject>((resolve) => replies.set(id, resolve));
  codex.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
  const { result, error } = await reply;
  if (!isJsonObject(result)) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}

function receive(line: string): void {
  const message: unknown = JSON.parse(line);
  if (!isJsonObject(message)) return;
  const { id, method, params } = message;
  if (!isString(method) || !isJsonObject(params)) {
    replies.get(id)?.(message);
    return;
  }
  for (const listener of listeners) listener({ method, params });
  if (id === undefined) return;
  const isQuestion = method === 'item/tool/requestUserInput';
  const result = isQuestion ? { answers: { engine: { answers: ['Diesel'] } } } : { decision: 'accept' };
  codex.stdin.write(`${JSON.stringify({ id, result })}\n`);
}

function renderConfig(url: string): string {
  return `
model = "gpt-5.5"
model_provider = "demo"
check_for_update_on_startup = false
[model_providers.demo]
name = "demo"
base_url = "${url}"
env_key = "DEMO_KEY"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 1
stream_max_retries = 1
supports_websockets = false
[analytics]
enabled = false
[features]
plugins = false
apps = false
`;
}
