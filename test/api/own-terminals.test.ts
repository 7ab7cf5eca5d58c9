/** The further terminals of a conversation, which are the person's alone: through HTTP, WebSocket, transcript, files, and what a model is given. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { openPtyViewer } from '../../src/testing/pty-viewer.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox({ env: { SHELL: '/bin/bash' } });
});
afterAll(() => box.close());

function eventually<T>(probe: () => Promise<T>) {
  return expect.poll(probe, { timeout: 20_000 });
}
const tabsOf = async (id: string) => (await box.must('listTerminals', { id })).terminals;
const lastBlock = async (key: string) => (await box.must('terminalBlocks', { id: key })).blocks.at(-1);

/** A further terminal whose shell waits. */
async function added(id: string): Promise<string> {
  const { key } = (await box.must('addTerminal', { id })).terminal;
  await box.must('terminalOpen', { id: key });
  await eventually(async () => (await box.must('terminalState', { id: key })).at_prompt).toBe(true);
  return key;
}

/** Typed, and ended well or running as wanted. */
async function typed(key: string, command: string, status: 'completed' | 'running') {
  await box.must('terminalInput', { id: key, data: `${command}\r` });
  await eventually(async () => {
    const block = await lastBlock(key);
    return [block?.cmd, block?.status];
  }).toEqual([command, status]);
  const block = await lastBlock(key);
  if (block === undefined) throw new Error('there is a block');
  return block;
}

test('[TM60] a conversation has further terminals, each a shell of its own, by the name CONVERSATION~NUMBER', async () => {
  const id = await box.create();
  expect(await tabsOf(id)).toEqual([{ key: id, number: 1, is_running: false, command: null }]);
  const second = await added(id);
  const third = await added(id);
  expect([second, third]).toEqual([`${id}~2`, `${id}~3`]);
  await typed(second, 'cd / && MINE=2', 'completed');
  await typed(third, 'read -r waits', 'running');
  expect((await box.must('terminalState', { id: second })).cwd).toBe('/');
  expect(await tabsOf(id)).toEqual([
    { key: id, number: 1, is_running: false, command: null },
    { key: second, number: 2, is_running: true, command: null },
    { key: third, number: 3, is_running: true, command: 'read -r waits' },
  ]);
  const shared = await box.must('shellExec', { conversation_id: id, command: 'pwd; echo "mine: $MINE"' });
  expect(shared.stdout).toBe(`${box.project}\nmine: \n`);
  const viewer = await openPtyViewer({ url: box.url(), headers: box.sessionHeaders(), id: second });
  viewer.send({ type: 'input', data: 'echo at-$MINE\r' });
  await viewer.until('its own variable', () => viewer.text().includes('at-2\r\n'));
  viewer.close();
  for (const key of [`${id}~4`, `${id}~9`]) expect((await box.call('terminalOpen', { id: key })).status).toBe(404);
  expect((await box.call('terminalOpen', { id: `${id}~1` })).status).toBe(400);
});

test('[TM60] a conversation has at most nine terminals, and a number that is free is used again', async () => {
  const id = await box.create();
  for (let number = 2; number <= 9; number += 1)
    expect((await box.must('addTerminal', { id })).terminal.number).toBe(number);
  expect((await box.call('addTerminal', { id })).status).toBe(409);
  await box.must('removeTerminal', { id, number: 4 });
  expect((await box.call('removeTerminal', { id, number: 4 })).status).toBe(404);
  expect((await box.must('addTerminal', { id })).terminal.number).toBe(4);
});

test('[TM61] what runs there is in no transcript and reaches no model, unless a person asks about it', async () => {
  const id = await box.create();
  const key = await added(id);
  const block = await typed(key, 'echo zebra-$((40+2))', 'completed');
  await box.must('shellExec', { conversation_id: id, command: 'echo shared-one' });
  expect((await box.must('terminalBlocks', { id })).blocks.map(({ cmd }) => cmd)).toEqual(['echo shared-one']);
  expect((await box.call('terminalBlock', { id, block_id: block.block_id })).status).toBe(404);
  await eventually(async () => (await box.entries(id)).length).toBeGreaterThanOrEqual(2);
  expect(JSON.stringify(await box.entries(id))).not.toContain('zebra');
  const first = 'what did I run';
  box.model.push({ match: first, events: [{ say: 'one command' }] });
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: first });
  const told = await box.model.waitForRequest(({ userText }) => userText.includes(first));
  expect(JSON.stringify(told.body)).toContain('shared-one');
  expect(JSON.stringify(told.body)).not.toContain('zebra');
  await watcher.turnEnd();
  const other = await box.create();
  const wrong = { id: other, block_id: block.block_id, asked: true, terminal: key };
  expect((await box.call('askAboutBlock', wrong)).status).toBe(404);
  await box.must('askAboutBlock', { id, block_id: block.block_id, asked: true, terminal: key });
  const second = 'and what is this';
  box.model.push({ match: second, events: [{ say: 'yours' }] });
  await box.must('sendMessage', { conversation_id: id, text: second });
  const asked = await box.model.waitForRequest(({ userText }) => userText.includes(second));
  expect(JSON.stringify(asked.body)).toContain('zebra-42');
  expect(JSON.stringify(asked.body)).toContain('private_terminal');
});

test('[TM62] a command in one outlives a killed server, and the list of terminals does', async () => {
  const id = await box.create();
  const key = await added(id);
  await added(id);
  const block = await typed(key, 'read -r waits; echo "got $waits"', 'running');
  await box.kill();
  await box.restart();
  expect((await tabsOf(id)).map(({ number, command }) => [number, command])).toEqual([
    [1, null],
    [2, block.cmd],
    [3, null],
  ]);
  await box.must('terminalInput', { id: key, data: 'it\r' });
  await eventually(async () => (await lastBlock(key))?.status).toBe('completed');
  expect((await box.must('terminalOutput', { id: key, block_id: block.block_id })).text).toContain('got it');
  expect(JSON.stringify(await box.entries(id))).not.toContain('got');
});

test('[TM63] one is closed with all that is stored of it; while a command runs only if that is to end too', async () => {
  const id = await box.create();
  const key = await added(id);
  const folder = join(box.home, 'conversations', id, 'own_pty', '2');
  await typed(key, 'sleep 600', 'running');
  expect(existsSync(folder)).toBe(true);
  const refused = await box.call('removeTerminal', { id, number: 2 });
  expect(refused).toMatchObject({ status: 409, body: { details: { reason: 'busy' } } });
  const { running } = await box.must('listRunning', { conversation_id: id });
  expect(running).toMatchObject([
    { kind: 'terminal', item_id: 'terminal~2', command: expect.stringContaining('sleep') },
  ]);
  const [process] = running[0]?.processes ?? [];
  await box.must('removeTerminal', { id, number: 2, end_command: 'true' });
  await eventually(async () => existsSync(`/proc/${process?.pid}`)).toBe(false);
  expect(existsSync(folder)).toBe(false);
  expect((await tabsOf(id)).map(({ number }) => number)).toEqual([1]);
  expect((await box.call('terminalState', { id: key })).status).toBe(404);
  // Another terminal with its number knows nothing of it.
  const again = await added(id);
  expect(again).toBe(key);
  expect((await box.must('terminalBlocks', { id: again })).blocks).toEqual([]);
});

test('[TM64] deleting the conversation ends all its terminals', async () => {
  const id = await box.create();
  const keys = [await added(id), await added(id)];
  for (const key of keys) await typed(key, 'sleep 601', 'running');
  const { running } = await box.must('listRunning', { conversation_id: id });
  const pids = running.flatMap(({ processes }) => processes.map(({ pid }) => pid));
  expect(pids).toHaveLength(2);
  await box.must('deleteConversation', { id });
  await eventually(async () => pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  expect((await box.call('listTerminals', { id })).status).toBe(404);
});
