/** What runs for a conversation: Stop ends the commands of the turn, the list names what runs, and only processes of the conversation are ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RouteCall } from '../../src/contract/routes.ts';
import type { ModelEvent } from '../../src/demo/model-event.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

const FULL = { approval: 'never', sandbox: 'danger-full-access' } as const;
const run = (cmd: string): ModelEvent => ({
  call: 'exec_command',
  args: { cmd, login: false, yield_time_ms: 1_000 },
});

/** Processes of this machine that have a word in their command line. */
function running(word: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const state = /^State:\s*(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return state !== 'Z' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });
}

let count = 0;
/** A conversation whose turn runs the command; `ready` is a file that the command makes once it is up. */
async function start(
  cmd: (names: { word: string; ready: string; done: string }) => string,
  { settings = FULL, isTold = true }: { settings?: RouteCall<'createConversation'>; isTold?: boolean } = {},
) {
  count += 1;
  const word = `run${count}word${process.pid}`;
  const ready = join(box.project, `${word}.ready`);
  const done = join(box.project, `${word}.done`);
  box.model.push({ match: word, events: [run(cmd({ word, ready, done }))] }, { match: word, events: [{ gate: word }] });
  const id = await box.create(settings);
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: `go ${word}` });
  await expect.poll(() => existsSync(ready), { timeout: 20_000 }).toBe(true);
  if (isTold) await watcher.until((frame) => frame.type === 'item' && frame.item.role === 'command');
  return { id, word, done, watcher };
}

const LOOP = ({ word, ready, done }: { word: string; ready: string; done: string }) =>
  `touch ${ready}; for i in $(seq 400); do echo ${word}; sleep 0.1; done; touch ${done}`;

const commandOf = async (id: string) => (await box.entries(id)).find((entry) => entry.role === 'command');

test('[TN30] Stop ends the command of the turn before it answers, and the command is recorded as stopped', async () => {
  const { id, word, done, watcher } = await start(LOOP);
  expect(await box.must('interrupt', { conversation_id: id })).toEqual({ interrupted: true, left: [] });
  expect(running(word)).toEqual([]);
  expect(existsSync(done)).toBe(false);
  await watcher.until((frame) => frame.type === 'command');
  expect(await commandOf(id)).toMatchObject({ status: 'interrupted' });
});

test('[TN30] a sandboxed command, and one that ignores SIGTERM, are ended too', async () => {
  const cmd = (names: Parameters<typeof LOOP>[0]) => `trap '' TERM; ${LOOP(names)}`;
  const { id, word, done } = await start(cmd, { settings: { approval: 'never', sandbox: 'workspace-write' } });
  expect(await box.must('interrupt', { conversation_id: id })).toEqual({ interrupted: true, left: [] });
  expect(running(word)).toEqual([]);
  expect(existsSync(done)).toBe(false);
});

test('[TN30] SIGTERM, then SIGKILL: both steps are told, and the entry says which signal ended the command', async () => {
  const { id, watcher } = await start((names) => `trap '' TERM; ${LOOP(names)}`);
  await box.must('interrupt', { conversation_id: id });
  const states = watcher.frames.flatMap((frame) =>
    frame.type === 'running' ? frame.running.map((one) => one.state) : [],
  );
  expect([...new Set(states)]).toEqual(expect.arrayContaining(['ending', 'killing']));
  expect(watcher.view().live.running).toEqual([]);
  expect(await commandOf(id)).toMatchObject({ status: 'interrupted', stopped_by: 'SIGKILL', exit_code: null });
});

test('[TN31] what left its session, its parent or its environment is ended with its command', async () => {
  const cmd = ({ word, ready, done }: Parameters<typeof LOOP>[0]) =>
    `(setsid sh -c 'sleep 300; echo ${word}' &); env -i sh -c 'sleep 301; echo ${word}' & ${LOOP({ word, ready, done })}`;
  for (const isTold of [true, false]) {
    const { id, word } = await start(cmd, { isTold });
    expect(running(word).length).toBeGreaterThanOrEqual(3);
    expect(await box.must('interrupt', { conversation_id: id })).toEqual({ interrupted: true, left: [] });
    expect(running(word)).toEqual([]);
  }
});

test('[TN32] no process of another conversation or of a person is ended', async () => {
  const other = await start(LOOP);
  const own: ChildProcess = spawn('sh', ['-c', 'sleep 300; echo mine'], { stdio: 'ignore' });
  try {
    const { id, word } = await start(LOOP);
    await box.must('interrupt', { conversation_id: id });
    expect(running(word)).toEqual([]);
    expect(running(other.word)).not.toEqual([]);
    expect(own.exitCode).toBeNull();
    expect(own.signalCode).toBeNull();
    const { running: left } = await box.must('listRunning', { conversation_id: other.id });
    expect(left).toHaveLength(1);
  } finally {
    own.kill('SIGKILL');
    await box.must('endRunning', { conversation_id: other.id });
  }
  expect(running(other.word)).toEqual([]);
});

test('[TN33] a command that goes on after its turn, and what an ended command left behind, are listed and can be ended', async () => {
  const word = `keep${process.pid}`;
  box.model.push(
    {
      match: word,
      events: [run(`sleep 300; echo ${word}`), run(`(setsid sh -c 'sleep 301; echo ${word}' &); echo left`)],
    },
    { match: word, events: [{ say: 'both run' }] },
  );
  const id = await box.create(FULL);
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: `go ${word}` });
  await watcher.turnEnd();
  const listed = (await box.must('listRunning', { conversation_id: id })).running;
  expect(listed.map((one) => [one.kind, one.state])).toEqual([
    ['command', 'running'],
    ['left', 'running'],
  ]);
  const [kept, left] = listed;
  expect(kept?.command).toBe(`sleep 300; echo ${word}`);
  expect(left?.command).toContain('echo left');
  const all = (await box.must('listRunning', {})).running;
  expect(all.filter((one) => one.conversation_id === id)).toHaveLength(2);

  await box.restart();
  await expect.poll(async () => (await box.must('status', {})).codex.state, { timeout: 20_000 }).toBe('ready');
  const found = (await box.must('listRunning', { conversation_id: id })).running;
  expect(found.map((one) => one.item_id).sort()).toEqual(listed.map((one) => one.item_id).sort());

  const first = await box.must('endRunning', { conversation_id: id, item_ids: [left?.item_id ?? ''] });
  expect(first).toMatchObject({ ended: 1, left: [] });
  expect((await box.must('listRunning', { conversation_id: id })).running).toHaveLength(1);
  expect(await box.must('endRunning', { conversation_id: id })).toMatchObject({ ended: 1, left: [] });
  expect((await box.must('listRunning', { conversation_id: id })).running).toEqual([]);
  expect(running(word)).toEqual([]);
});

test('[TN40] deleting a conversation ends what runs for it, also in its terminal, and says how much; no other conversation is touched', async () => {
  const other = await start(LOOP);
  const word = `gone${process.pid}`;
  const events = [run(`sleep 300; echo ${word}`), run(`(setsid sh -c 'sleep 301; echo ${word}' &); echo left`)];
  box.model.push({ match: word, events }, { match: word, events: [{ say: 'both run' }] });
  const id = await box.create(FULL);
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: `go ${word}` });
  await watcher.turnEnd();
  await box.must('terminalOpen', { id });
  await box.must('terminalInput', { id, data: `sh -c 'sleep 302; echo ${word}'\r` });
  await expect.poll(() => running(`sleep 302; echo ${word}`).length, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(await box.must('deleteConversation', { id })).toEqual({ ok: true, ended_commands: 3 });
  expect(running(word)).toEqual([]);
  expect(running(other.word)).not.toEqual([]);
});
