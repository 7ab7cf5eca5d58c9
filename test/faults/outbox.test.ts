/** A message that was answered is kept and told once, whoever is killed at whatever moment: the server, Codex, or the disk is slow. */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { eventFor, eventsOf, openTarget, post, untilState } from '../api/events-stand.ts';

let box: Box;
afterEach(() => box.close());

const WAIT = { timeout: 25_000, interval: 20 };
/** The moment itself is what these tests are about. */
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** How often the newest request to the model with these words has them as a user message. */
function timesTold(text: string): number {
  const request = box.model.requests.findLast((one) => one.rawBody.includes(text));
  const input = Array.isArray(request?.body.input) ? request.body.input : [];
  return input.filter((item: { role?: string; content?: { text?: string }[] }) =>
    item.content?.some((part) => part.text === text),
  ).length;
}

async function usersOf(id: string, clientMessageId: string) {
  const entries = await box.entries(id);
  return entries.filter((entry) => entry.role === 'user' && entry.client_message_id === clientMessageId);
}

/** The last word on a message: of its newest `delivery` entry, or of its `user` entry. */
async function stateOf(id: string, clientMessageId: string): Promise<string | undefined> {
  const entries = await box.entries(id);
  const states = entries.flatMap((entry) =>
    (entry.role === 'user' || entry.role === 'delivery') && entry.client_message_id === clientMessageId
      ? [entry.state]
      : [],
  );
  return states.at(-1);
}

/** Nothing runs, nothing waits in the queue, and no message is on its way. */
async function untilQuiet(id: string, ...clientMessageIds: string[]): Promise<void> {
  await vi.waitFor(async () => {
    const { row } = await box.must('readConversation', { id });
    if (!['idle', 'failed', 'draft'].includes(row.state) || row.queued > 0)
      throw new Error(`it is ${row.state} with ${row.queued} queued`);
    for (const one of clientMessageIds)
      if ((await stateOf(id, one)) === 'sent') throw new Error(`${one} is still on its way`);
  }, WAIT);
}

async function say(id: string, text: string): Promise<void> {
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text });
  await watcher.until((frame) => frame.type === 'status' && 'seq' in frame, 'the end of the turn');
  watcher.close();
}

/** The number of the Codex that runs. Never 0: that would be the process group of this test. */
async function codexPid(): Promise<number> {
  await box.must('initialize', {});
  const pid = await box.codexPid();
  if (pid <= 0) throw new Error('Codex is not running');
  return pid;
}

async function killCodex(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(async () => {
    await box.must('start', {});
    expect(await codexPid()).not.toBe(pid);
  }, WAIT);
}

/** When all is quiet: in the transcript once, settled, and the model has it exactly if it was delivered. */
async function expectOnce(id: string, clientMessageId: string, text: string): Promise<void> {
  await untilQuiet(id, clientMessageId);
  await say(id, `what is there after ${text}`);
  expect(await usersOf(id, clientMessageId)).toMatchObject([{ text }]);
  const state = await stateOf(id, clientMessageId);
  expect(['delivered', 'not_delivered']).toContain(state);
  expect({ text, times: timesTold(text) }).toEqual({ text, times: state === 'delivered' ? 1 : 0 });
}

describe('Codex is killed', () => {
  test('right after a message was answered: the message is in the transcript and says whether Codex has it', {
    timeout: 60_000,
  }, async () => {
    box = await openBox();
    const id = await box.create({ approval: 'never' });
    await say(id, 'hello');
    for (const ms of [0, 5, 20, 40]) {
      const pid = await codexPid();
      const text = `killed after ${ms}`;
      const sent = await box.must('sendMessage', { conversation_id: id, text, client_message_id: `codex-${ms}` });
      expect(sent.outcome).toBe('started');
      await pause(ms);
      await killCodex(pid);
      await expectOnce(id, `codex-${ms}`, text);
    }
  });

  test('right after the first message of a conversation: the conversation goes on', { timeout: 60_000 }, async () => {
    box = await openBox();
    for (const ms of [0, 5]) {
      const id = await box.create({ approval: 'never' });
      const pid = await codexPid();
      const text = `first and killed after ${ms}`;
      await box.must('sendMessage', { conversation_id: id, text, client_message_id: `first-${ms}` });
      await pause(ms);
      await killCodex(pid);
      await expectOnce(id, `first-${ms}`, text);
    }
  });

  test('right after a steer was answered: the steer is in the transcript', { timeout: 60_000 }, async () => {
    box = await openBox();
    const id = await box.create({ approval: 'never' });
    await say(id, 'hello');
    box.model.push({ match: 'long work', events: [{ say: 'words' }, { gate: 'never opened' }] });
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text: 'long work' });
    await watcher.until((frame) => frame.type === 'assistant_finalize' || frame.type === 'assistant_delta', 'words');
    const pid = await codexPid();
    const message = { conversation_id: id, text: 'turn left', mode: 'steer', client_message_id: 'steer-1' } as const;
    expect((await box.must('sendMessage', message)).outcome).toBe('steered');
    await killCodex(pid);
    await expectOnce(id, 'steer-1', 'turn left');
  });
});

describe('the server is killed', () => {
  test('while it hands a queued message over: the model is told once', { timeout: 120_000 }, async () => {
    box = await openBox();
    // Ten moments, since the one between giving and forgetting is short.
    for (const ms of [0, 3, 6, 9, 12, 15, 20, 25, 30, 40]) {
      const id = await box.create({ approval: 'never' });
      const gate = `gate-${ms}`;
      box.model.push({ match: gate, events: [{ say: 'words' }, { gate }, { say: 'more' }] });
      await box.must('sendMessage', { conversation_id: id, text: gate });
      await box.model.waitForRequest((one) => one.userText === gate);
      const text = `queued ${ms}`;
      const queued = { conversation_id: id, text, client_message_id: `queued-${ms}`, mode: 'queue' } as const;
      expect((await box.must('sendMessage', queued)).outcome).toBe('queued');
      const watcher = await box.watch(id);
      box.model.release(gate);
      await watcher.turnEnd();
      await pause(ms);
      await box.restart();
      await expectOnce(id, `queued-${ms}`, text);
    }
  });

  test('[TN12] and the same client_message_id is sent again: it is a duplicate, and the model is told once', {
    timeout: 120_000,
  }, async () => {
    box = await openBox();
    for (const ms of [0, 2, 5, 10, 15, 20, 25, 30]) {
      const id = await box.create({ approval: 'never' });
      await say(id, `hello ${ms}`);
      const text = `again ${ms}`;
      const message = { conversation_id: id, text, client_message_id: `again-${ms}` } as const;
      expect((await box.must('sendMessage', message)).outcome).toBe('started');
      await pause(ms);
      await box.restart();
      expect((await box.must('sendMessage', message)).outcome).toBe('duplicate');
      await expectOnce(id, `again-${ms}`, text);
    }
  });

  test('[TN12] and a steer is sent again: it is a duplicate, and the model is told once', {
    timeout: 120_000,
  }, async () => {
    box = await openBox();
    for (const ms of [0, 3, 8, 15]) {
      const id = await box.create({ approval: 'never' });
      const gate = `steer-gate-${ms}`;
      box.model.push({ match: gate, events: [{ say: 'words' }, { gate }, { say: 'more' }] });
      await box.must('sendMessage', { conversation_id: id, text: gate });
      await box.model.waitForRequest((one) => one.userText === gate);
      const text = `steer ${ms}`;
      box.model.push({ match: text, events: [{ say: 'words' }, { gate }, { say: 'more' }] });
      const message = { conversation_id: id, text, mode: 'steer', client_message_id: `steer-${ms}` } as const;
      expect((await box.must('sendMessage', message)).outcome).toBe('steered');
      await pause(ms);
      await box.restart();
      expect((await box.must('sendMessage', message)).outcome).toBe('duplicate');
      box.model.release(gate);
      await expectOnce(id, `steer-${ms}`, text);
    }
  });
});

test('an event that names another turn does not steer the running one, and says why it waits', async () => {
  box = await openBox();
  const target = await openTarget(box);
  await box.must('writeEventRules', {
    rules: [{ match_type: 'build.failed', prefer_steer: true, delivery: 'queue_for_next_turn' }],
    allow_sources: ['ci'],
  });
  box.model.push({ match: 'long work', events: [{ say: 'words' }, { gate: 'work' }, { say: 'done' }] });
  const watcher = await box.watch(target.id);
  const { turn_id: turnId } = await box.must('sendMessage', { conversation_id: target.id, text: 'long work' });
  await watcher.until((frame) => frame.type === 'assistant_finalize' || frame.type === 'assistant_delta', 'words');
  const other = eventFor(target.threadId, {
    type: 'build.failed',
    routing: { thread_id: target.threadId, turn_id: 'another-turn' },
  });
  expect((await post(box, other)).body).toMatchObject({ delivered: { mode: 'queue_for_next_turn' } });
  await untilState(box, target, other.event_id, 'queued');
  const standing = (await eventsOf(box, target)).events.find((one) => one.event_id === other.event_id);
  expect(standing).toMatchObject({ mode: 'queue_for_next_turn', reason: 'other_turn' });
  const own = eventFor(target.threadId, {
    type: 'build.failed',
    routing: { thread_id: target.threadId, turn_id: turnId },
  });
  expect((await post(box, own)).body).toMatchObject({ delivered: { mode: 'turn_steer' } });
  await untilState(box, target, own.event_id, 'delivered');
  box.model.release('work');
});

/** A library that lets the disk wait; null where there is no C compiler. */
async function compileSlowSync(): Promise<{ library: string; flag: string; dir: string } | null> {
  // The loader splits its variable at spaces, which our own path may have.
  const dir = await mkdtemp(join(tmpdir(), 'signalbox-sync-'));
  const library = join(dir, 'sync.so');
  const source = resolve(import.meta.dirname, '../fixtures/faulty-sync.c');
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'], { stdio: 'ignore' });
  } catch {
    rmSync(dir, { recursive: true });
    return null;
  }
  return { library, flag: join(dir, 'wait'), dir };
}

const slow = process.platform === 'linux' ? await compileSlowSync() : null;

test.skipIf(slow === null)(
  'a message is answered, and the model asked, only when the message is on disk (needs Linux and a C compiler)',
  async () => {
    if (slow === null) return;
    box = await openBox({ env: { LD_PRELOAD: slow.library, RIG_SYNC_WAITS: slow.flag } });
    const id = await box.create({ approval: 'never' });
    await say(id, 'hello');
    writeFileSync(slow.flag, '');
    let isAnswered = false;
    const sent = box
      .must('sendMessage', { conversation_id: id, text: 'keep this', client_message_id: 'kept' })
      .finally(() => {
        isAnswered = true;
      });
    // Long enough for a whole turn on a disk that does not wait.
    await pause(1_000);
    const wasAnswered = isAnswered;
    const wasAsked = box.model.requests.some((one) => one.rawBody.includes('keep this'));
    rmSync(slow.flag);
    expect({ wasAnswered, wasAsked }).toEqual({ wasAnswered: false, wasAsked: false });
    expect((await sent).outcome).toBe('started');
    await expectOnce(id, 'kept', 'keep this');
    if (existsSync(slow.dir)) rmSync(slow.dir, { recursive: true });
  },
);
