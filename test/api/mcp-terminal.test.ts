/** The real Codex at the terminal its conversation shares with the user: it reads without asking, and acts after a yes only. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
const clients: Client[] = [];
beforeAll(async () => {
  box = await openBox();
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await box?.close();
});

const call = (tool: string, args: Record<string, unknown> = {}) => ({
  events: [{ call: tool, args, namespace: 'mcp__signalbox' }],
});
const DONE = { events: [{ say: 'done' }] };

async function ask(id: string, tool: string, args: Record<string, unknown> = {}) {
  box.model.push(call(tool, args), DONE);
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: `use ${tool}` });
  return watcher;
}

const toolsOf = async (id: string) => (await box.entries(id)).filter((entry) => entry.role === 'tool');

test('[MC11] Codex reads the screen and searches the commands without asking', async () => {
  const id = await box.create({ approval: 'on-request' });
  await box.must('shellExec', { conversation_id: id, command: 'echo the-$((20+22))-answer' });
  await (await ask(id, 'pty_read_screen')).turnEnd();
  await (await ask(id, 'blocks_search', { query: 'the-42-answer' })).turnEnd();
  const [screen, search] = await toolsOf(id);
  expect(screen).toMatchObject({ name: 'pty_read_screen', status: 'completed' });
  expect(screen?.output).toContain('the-42-answer');
  expect(screen?.output).toContain('untrusted_terminal_text');
  expect(search?.output).toContain('echo the-$((20+22))-answer');
  expect((await box.entries(id)).some((entry) => entry.role === 'approval')).toBe(false);
});

test('[MC11] pty_exec runs after a yes, in the terminal the user sees', async () => {
  const id = await box.create({ approval: 'on-request' });
  const watcher = await ask(id, 'pty_exec', { command: 'echo ran > made.txt; cat made.txt' });
  const approval = await watcher.approval();
  expect(approval).toMatchObject({ kind: 'mcp_tool', ask: { server: 'signalbox' } });
  await box.must('answerApproval', { approval_id: approval.approval_id, decision: 'accept' });
  await watcher.turnEnd();
  expect(await readFile(join(box.project, 'made.txt'), 'utf8')).toBe('ran\n');
  const [ran] = await toolsOf(id);
  expect(ran?.output).toContain('"exit_code":0');
  const { blocks } = await box.must('terminalBlocks', { id, limit: 10 });
  expect(blocks.at(-1)).toMatchObject({ cmd: 'echo ran > made.txt; cat made.txt', actor: 'agent', exit_code: 0 });
});

test('[MC11] pty_exec does nothing after a no', async () => {
  const id = await box.create({ approval: 'on-request' });
  const watcher = await ask(id, 'pty_exec', { command: 'touch never.txt' });
  const approval = await watcher.approval();
  await box.must('answerApproval', { approval_id: approval.approval_id, decision: 'decline' });
  await watcher.turnEnd();
  await expect(readFile(join(box.project, 'never.txt'))).rejects.toThrow('ENOENT');
  expect(await toolsOf(id)).toMatchObject([{ name: 'pty_exec', status: 'failed' }]);
});

async function connect(conversation_id: string) {
  const { url, token } = await box.must('mcpToken', { conversation_id }, 'token');
  const client = new Client({ name: 'outside', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  clients.push(client);
  return async (name: string, args: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: args });
    const texts = [...(result.content ?? [])].map((block) => (block.type === 'text' ? block.text : ''));
    return { facts: JSON.parse(texts[0] ?? '{}'), text: texts[1] ?? '', isError: result.isError === true };
  };
}

test('[MC7] the token of one conversation reads nothing of another', async () => {
  const [mine, other] = [await box.create(), await box.create()];
  await box.must('shellExec', { conversation_id: other, command: 'echo secret-of-the-other' });
  const { blocks } = await box.must('terminalBlocks', { id: other, limit: 1 });
  const use = await connect(mine);
  await use('pty_exec', { command: 'true' });
  for (const [tool, args] of [
    ['pty_read_screen', {}],
    ['pty_read_scrollback', {}],
    ['blocks_since', {}],
    ['blocks_search', { query: 'secret-of-the-other' }],
    ['blocks_get', { block_id: blocks[0]?.block_id }],
    ['blocks_read', { block_id: blocks[0]?.block_id }],
  ] as const)
    expect(JSON.stringify(await use(tool, args)), tool).not.toContain('echo secret');
  expect((await use('blocks_get', { block_id: blocks[0]?.block_id })).isError).toBe(true);
});

test('[MC13] a dialogue: start, wait, answer, interrupt; everything waits on output and is bounded', async () => {
  const use = await connect(await box.create());
  const started = await use('pty_exec_interactive', {
    command: "printf 'Your name? '; read name; echo hello-$name",
    wait_for: 'Your name?',
    timeout_ms: 60_000,
  });
  expect(started.isError).toBe(false);
  const { facts } = await use('pty_status');
  await use('pty_send', { data: 'Ada', enter: true });
  expect(
    (await use('pty_wait_for', { pattern: 'hello-Ada', from: facts.cursor, timeout_ms: 60_000 })).facts,
  ).toMatchObject({
    matched: true,
  });
  expect((await use('pty_wait_prompt', { timeout_ms: 60_000 })).facts.matched).toBe(true);
  const slow = await use('pty_exec', { command: 'echo begun; sleep 600', timeout_ms: 300 });
  expect(slow.facts.status).toBe('running');
  await use('pty_ctrl_c');
  expect((await use('pty_wait_prompt', { timeout_ms: 60_000 })).facts.matched).toBe(true);
  const long = await use('pty_exec', { command: 'seq 1 20000', timeout_ms: 60_000, max_bytes: 1_024 });
  expect(Buffer.byteLength(long.text)).toBeLessThan(2_048);
  const first = await use('blocks_read', { block_id: long.facts.block_id, max_bytes: 1_024 });
  const next = await use('blocks_read', { block_id: long.facts.block_id, offset: first.facts.next_offset });
  expect(next.facts.offset).toBe(first.facts.next_offset);
  expect((await use('pty_resize', { cols: 100, rows: 30 })).facts).toEqual({ cols: 100, rows: 30 });
  await use('pty_close');
  await expect.poll(async () => (await use('pty_status')).facts.is_running).toBe(false);
});

test('[MC13] a regular expression that would take for ever is refused, and the server goes on', async () => {
  const id = await box.create();
  const use = await connect(id);
  await box.must('shellExec', { conversation_id: id, command: 'clear' });
  const { cursor } = await box.must('terminalState', { id });
  await box.must('shellExec', { conversation_id: id, command: `echo ${'a'.repeat(60)}!` });
  const slow = await use('pty_wait_for', { pattern: '/(a+)+$/', from: cursor, timeout_ms: 60_000 });
  expect(slow).toMatchObject({ isError: true, facts: { code: 'invalid_request' } });
  const quick = await use('pty_wait_for', { pattern: '/(a+)!/', from: cursor, timeout_ms: 60_000 });
  expect(quick.facts).toMatchObject({ matched: true });
});
