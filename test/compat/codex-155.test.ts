/** The product with Codex 0.155.0, which listens on a socket and stores its history in the older way. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

const codexBin = process.env.CODEX_COMPAT_BIN_155 ?? '';
let box: Box;
beforeAll(async () => {
  box = await openBox({ codexBin, transport: 'unix' });
});
afterAll(() => box.close());

const WAIT = { timeout: 25_000, interval: 20 };

/** A conversation in mid-turn: the model has said some words and waits at a gate. */
async function inMidTurn(gate: string) {
  box.model.push({ match: gate, events: [{ say: 'words' }, { gate }, { say: 'more' }] });
  const id = await box.create({ approval: 'never' });
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: gate, client_message_id: `of-${gate}` });
  await watcher.until((frame) => frame.type === 'assistant_finalize' || frame.type === 'assistant_delta', 'words');
  return { id, watcher };
}

const usersOf = async (id: string) =>
  (await box.entries(id)).flatMap((entry) => (entry.role === 'user' ? [[entry.text, entry.client_message_id]] : []));

test('Codex 0.155.0, and the server killed in mid-turn: the message is in the transcript once', {
  timeout: 60_000,
}, async () => {
  const { codex } = await box.must('initialize', {});
  expect(codex).toMatchObject({ state: 'ready', version: '0.155.0', transport: 'unix' });
  const { id } = await inMidTurn('server-gate');
  await box.restart();
  const watcher = await box.watch(id);
  await box.must('initialize', {});
  box.model.release('server-gate');
  await vi.waitFor(async () => {
    expect((await box.entries(id)).some((entry) => entry.role === 'status')).toBe(true);
  }, WAIT);
  await box.must('sendMessage', { conversation_id: id, text: 'go on', client_message_id: 'after-server' });
  await watcher.until((frame) => frame.type === 'status' && 'seq' in frame, 'the end of the turn');
  await vi.waitFor(async () => {
    expect((await box.entries(id)).filter((entry) => entry.role === 'status')).toHaveLength(2);
  }, WAIT);
  expect(await usersOf(id)).toEqual([
    ['server-gate', 'of-server-gate'],
    ['go on', 'after-server'],
  ]);
});

test('Codex 0.155.0 killed in mid-turn: the message is in the transcript once, and the next one works', {
  timeout: 60_000,
}, async () => {
  const { id, watcher } = await inMidTurn('codex-gate');
  const pid = await box.codexPid();
  if (pid <= 0) throw new Error('Codex is not running');
  process.kill(pid, 'SIGKILL');
  await watcher.turnEnd();
  await vi.waitFor(async () => {
    await box.must('start', {});
    expect((await box.must('status', {})).codex).toMatchObject({ state: 'ready' });
  }, WAIT);
  await box.must('sendMessage', { conversation_id: id, text: 'go on', client_message_id: 'after-codex' });
  await watcher.turnEnd(2);
  expect(await usersOf(id)).toEqual([
    ['codex-gate', 'of-codex-gate'],
    ['go on', 'after-codex'],
  ]);
  const request = box.model.requests.findLast((one) => one.rawBody.includes('go on'));
  expect(request?.rawBody.split('codex-gate')).toHaveLength(2);
});
