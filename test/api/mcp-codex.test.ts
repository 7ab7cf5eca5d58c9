/** The real Codex with our tools: how it gets them, whose they are, and what it asks before it uses them. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box?.close());

const call = (tool: string, args: Record<string, unknown> = {}) => ({
  events: [{ call: tool, args, namespace: 'mcp__signalbox' }],
});
const DONE = { events: [{ say: 'done' }] };

async function send(id: string, text: string) {
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text });
  return watcher;
}

test('[MC11] Codex writes on the board without asking, as its conversation', async () => {
  const id = await box.create({ label: 'Codex one', approval: 'on-request' });
  box.model.push(call('agent_log_post', { message: 'written by Codex', topic: 'codex' }), DONE);
  const watcher = await send(id, 'write');
  await watcher.turnEnd();
  const { messages } = await box.must('boardList', { topic: 'codex' });
  expect(messages).toMatchObject([{ who: 'Codex one', kind: 'conversation', conversation_id: id }]);
  const tools = (await box.entries(id)).filter((entry) => entry.role === 'tool');
  expect(tools).toMatchObject([{ server: 'signalbox', name: 'agent_log_post', status: 'completed' }]);
  expect((await box.entries(id)).some((entry) => entry.role === 'approval')).toBe(false);
});

test('[MC7] each thread of one Codex has its own conversation', async () => {
  const ids = [await box.create({ label: 'Left' }), await box.create({ label: 'Right' })];
  for (const id of ids) {
    box.model.push(call('agent_log_post', { message: `I am ${id}`, topic: 'threads' }), DONE);
    await (await send(id, 'say who you are')).turnEnd();
  }
  const { messages } = await box.must('boardList', { topic: 'threads' });
  expect(messages.map(({ conversation_id, message }) => [conversation_id, message])).toEqual(
    ids.map((id) => [id, `I am ${id}`]),
  );
});

test('[MC10] no token but its own, not on the command line, and not for its commands', async () => {
  await expect.poll(box.codexPid, { timeout: 20_000 }).toBeGreaterThan(0);
  const pid = await box.codexPid();
  const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
  const own = environment.filter((line) => line.startsWith('SIGNALBOX_'));
  expect(own).toEqual([expect.stringMatching(/^SIGNALBOX_MCP_TOKEN=sbmcp_/)]);
  const token = own[0]?.split('=')[1] ?? 'none';
  for (const secret of [box.token(), box.sessionHeaders().authorization.split(' ')[1] ?? 'none'])
    expect(environment.join('\n')).not.toContain(secret);
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8');
  expect(line).toContain('mcp_servers.signalbox.url');
  for (const secret of [box.token(), token]) expect(line).not.toContain(secret);
  expect(await readFile(join(box.codexHome, 'config.toml'), 'utf8')).not.toContain('signalbox');
  // Nor in a file: records of processes must not keep their environments.
  const found = promisify(execFile)('grep', ['-rlF', '--', token, box.dir]).then(({ stdout }) => stdout);
  await expect(found).rejects.toMatchObject({ code: 1 });

  const id = await box.create({ approval: 'never' });
  box.model.push({ events: [{ call: 'exec_command', args: { cmd: 'env | grep -c sbmcp_', login: false } }] }, DONE);
  await (await send(id, 'look around')).turnEnd();
  const commands = (await box.entries(id)).filter((entry) => entry.role === 'command');
  expect(commands).toMatchObject([{ output: '0\n' }]);
});

test('[MC12] a conversation that waits when we are killed is told when we are back', async () => {
  const id = await box.create({ label: 'Patient' });
  box.model.push(call('agent_log_await', { match: { topic: 'late' }, timeout_ms: 100_000 }), DONE);
  const watcher = await send(id, 'wait for it');
  await expect.poll(async () => (await box.must('debugState', {})).board_waiters).toBe(1);
  await box.restart();
  const { num } = await box.must('boardPost', { who: 'ann', message: 'here it is', topic: 'late' }, 'token');
  const cards = async () => (await box.entries(id)).filter((entry) => entry.role === 'board').map((entry) => entry.num);
  await expect.poll(cards).toEqual([num]);
  watcher.close();
  // Told once: nothing is left that would tell it again.
  const left = async () => JSON.parse(await readFile(join(box.home, 'board', 'awaits.json'), 'utf8')).awaits;
  await expect.poll(left).toEqual([]);
  // The tools of a Codex that outlived us work again.
  const again = await box.create({ label: 'After' });
  box.model.push(
    { match: 'write again', ...call('agent_log_post', { message: 'still here', topic: 'again' }) },
    { match: 'write again', ...DONE },
  );
  await (await send(again, 'write again')).turnEnd();
  expect((await box.must('boardList', { topic: 'again' })).messages).toHaveLength(1);
});
