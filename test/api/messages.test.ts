/** Send, steer, queue and stop through the public surface, with the real Codex. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { openRawCodex } from '../../src/testing/raw-codex.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

const users = (entries: readonly { role: string; text?: string | undefined }[]) =>
  entries.flatMap((one) => (one.role === 'user' ? [one.text] : []));

/** A conversation whose turn is held at a gate after some words. */
async function held(gate: string) {
  box.model.push({ match: gate, events: [{ say: 'words before', chunk: 3 }, { gate }, { say: 'words after' }] });
  const id = await box.create({ approval: 'never' });
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: gate });
  await watcher.until((frame) => frame.type === 'assistant_finalize', 'the first words');
  return { id, watcher };
}

test('[TN9] a steer reaches the running turn', async () => {
  const { id, watcher } = await held('steer-gate');
  box.model.push({ match: 'turn left', events: [{ say: 'turning' }] });
  const steered = await box.must('sendMessage', { conversation_id: id, text: 'turn left', mode: 'steer' });
  expect(steered.outcome).toBe('steered');
  await watcher.turnEnd();
  const entries = await box.entries(id);
  expect(users(entries)).toEqual(['steer-gate', 'turn left']);
  expect(entries.filter((one) => one.role === 'status')).toHaveLength(1);
  expect(entries.filter((one) => one.role === 'assistant').map((one) => one.role === 'assistant' && one.text)).toEqual([
    'words before',
    'turning',
  ]);
});

test('[TN9] a steer without a turn is refused and nothing is lost', async () => {
  const id = await box.create();
  const refused = await box.call('sendMessage', { conversation_id: id, text: 'turn left', mode: 'steer' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'no_active_turn' } });
  expect(await box.entries(id)).toEqual([]);
});

test('[TN10] a message to a busy conversation is queued and never steers', async () => {
  const { id, watcher } = await held('queue-gate');
  box.model.push(
    { match: 'second', events: [{ say: 'answer two' }] },
    { match: 'third', events: [{ say: 'answer three' }] },
  );
  expect((await box.must('sendMessage', { conversation_id: id, text: 'second' })).outcome).toBe('queued');
  expect((await box.must('sendMessage', { conversation_id: id, text: 'third', mode: 'queue' })).outcome).toBe('queued');
  expect((await box.must('readQueue', { id })).queue.map((one) => one.text)).toEqual(['second', 'third']);
  box.model.release('queue-gate');
  await watcher.turnEnd(3);
  const entries = await box.entries(id);
  expect(users(entries)).toEqual(['queue-gate', 'second', 'third']);
  expect(entries.filter((one) => one.role === 'status')).toHaveLength(3);
  expect((await box.must('readQueue', { id })).queue).toEqual([]);
});

test('[TN11] the queue can be reordered, edited and emptied', async () => {
  const { id, watcher } = await held('edit-gate');
  for (const name of ['a', 'b', 'c']) {
    await box.must('sendMessage', { conversation_id: id, text: name, mode: 'queue', client_message_id: `id-${name}` });
  }
  const next = [{ client_message_id: 'id-c' }, { client_message_id: 'id-a', text: 'edited' }];
  expect((await box.must('writeQueue', { id, queue: next })).queue.map((one) => one.text)).toEqual(['c', 'edited']);
  const refused = await box.call('writeQueue', { id, queue: [{ client_message_id: 'id-b' }] });
  expect(refused.status).toBe(409);
  box.model.release('edit-gate');
  await watcher.turnEnd(3);
  expect(users(await box.entries(id))).toEqual(['edit-gate', 'c', 'edited']);
});

test('[OB33] send now gives a queued message to the running turn, once, and it leaves the queue', async () => {
  const { id, watcher } = await held('now-gate');
  const queue = async (name: string) =>
    box.must('sendMessage', { conversation_id: id, text: name, mode: 'queue', client_message_id: `now-${name}` });
  await queue('waits');
  await queue('hurries');
  box.model.push({ match: 'hurries', events: [{ say: 'heard' }] });
  const sent = await box.must('sendQueued', { id, client_message_id: 'now-hurries' });
  expect(sent).toMatchObject({ outcome: 'steered', client_message_id: 'now-hurries' });
  expect((await box.must('readQueue', { id })).queue.map((one) => one.text)).toEqual(['waits']);
  // On its way it is a duplicate; once Codex has repeated it, it is not in the queue any more.
  const again = await box.call('sendQueued', { id, client_message_id: 'now-hurries' });
  expect(again.status === 409 || (again.ok && again.body.outcome)).toBeOneOf([true, 'duplicate']);
  box.model.release('now-gate');
  await watcher.turnEnd(2);
  const entries = await box.entries(id);
  expect(users(entries)).toEqual(['now-gate', 'hurries', 'waits']);
  const requests = box.model.requests.filter((one) => one.rawBody.includes('hurries'));
  expect(requests[0]?.rawBody.match(/hurries/g)).toHaveLength(1);
});

test('[OB33] send now starts a turn where the queue is paused and nothing runs', async () => {
  const { id, watcher } = await held('paused-gate');
  for (const name of ['first', 'second'])
    await box.must('sendMessage', {
      conversation_id: id,
      text: `${name} of two`,
      mode: 'queue',
      client_message_id: `p-${name}`,
    });
  await box.must('interrupt', { conversation_id: id });
  await watcher.turnEnd(1);
  expect((await box.must('sendQueued', { id, client_message_id: 'p-second' })).outcome).toBe('started');
  await watcher.turnEnd(2);
  const { queue, paused } = await box.must('readQueue', { id });
  expect([queue.map((one) => one.text), paused]).toEqual([['first of two'], true]);
});

test('[TN10] an interrupt ends the turn once and pauses the queue', async () => {
  const { id, watcher } = await held('stop-gate');
  await box.must('sendMessage', { conversation_id: id, text: 'later', mode: 'queue' });
  expect((await box.must('interrupt', { conversation_id: id })).interrupted).toBe(true);
  await watcher.turnEnd(1);
  await watcher.until(
    (frame) => frame.type === 'conversation' && 'conversation' in frame && frame.conversation.queued === 1,
    'the row',
  );
  expect(watcher.entries().at(-1)).toMatchObject({ role: 'status', turn_status: 'interrupted' });
  expect(users(await box.entries(id))).toEqual(['stop-gate']);
  await box.must('resumeQueue', { id });
  await watcher.turnEnd(2);
  expect(users(await box.entries(id))).toEqual(['stop-gate', 'later']);
  expect((await box.must('interrupt', { conversation_id: id })).interrupted).toBe(false);
});

test('[TN12] the same client_message_id is one message, also when sent at once', async () => {
  const id = await box.create();
  const watcher = await box.watch(id);
  const message = { conversation_id: id, text: 'once', client_message_id: 'same' };
  const outcomes = await Promise.all([1, 2, 3].map(() => box.must('sendMessage', message)));
  expect(outcomes.map((one) => one.outcome).sort()).toEqual(['duplicate', 'duplicate', 'started']);
  await watcher.turnEnd();
  expect(users(await box.entries(id))).toEqual(['once']);
});

test('[TN13] bad input is refused with its code, and loses nothing', async () => {
  const id = await box.create();
  const unknown = await box.call('sendMessage', { conversation_id: `conv_${'0'.repeat(32)}`, text: 'x' });
  expect(unknown).toMatchObject({ status: 404, body: { ok: false, code: 'unknown_conversation' } });
  const tooLong = await box.call('sendMessage', { conversation_id: id, text: 'x'.repeat(1_048_577) });
  expect(tooLong).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  const empty = await box.call('sendMessage', { conversation_id: id, text: '  ' });
  expect(empty).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  const nowhere = await box.call('createConversation', { cwd: '/no/such/place' });
  expect(nowhere).toMatchObject({ status: 400, body: { code: 'missing_cwd' } });
  expect(await box.entries(id)).toEqual([]);
});

test('[TN13] a directory that vanished is named, and the message is not sent', async () => {
  const cwd = join(box.dir, 'vanishing');
  await mkdir(cwd);
  const id = await box.create({ cwd });
  await rm(cwd, { recursive: true });
  const refused = await box.call('sendMessage', { conversation_id: id, text: 'hello' });
  expect(refused).toMatchObject({ status: 400, body: { code: 'missing_cwd' } });
});

test('[FT9] a lone surrogate is replaced, control characters are dropped, and the turn ends', async () => {
  const id = await box.create();
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'odd \ud83d end \u2028 \u0007' });
  await watcher.turnEnd();
  expect(users(await box.entries(id))).toEqual(['odd \ufffd end \u2028 ']);
});

test('[CX23] a message is asked about by the settings of its conversation, also after another client gave the thread others', async () => {
  const id = await box.create({ approval: 'untrusted' });
  const watcher = await box.watch(id);
  let turns = 0;
  const sendAndDecline = async (text: string) => {
    box.model.push(
      { match: text, events: [{ call: 'exec_command', args: { cmd: `echo ${text}`, login: false } }] },
      { match: text, events: [{ say: 'ended' }] },
    );
    await box.must('sendMessage', { conversation_id: id, text });
    turns += 1;
    const { approval_id } = await watcher.approval(turns);
    await box.must('answerApproval', { approval_id, decision: 'decline' });
  };
  await sendAndDecline('first-asks');
  await watcher.turnEnd(1);
  // This one repeats the settings of the first, and names none.
  await sendAndDecline('second-asks');
  await watcher.turnEnd(2);
  const { conversation } = await box.must('readConversation', { id });
  const other = await openRawCodex(box.home);
  await other.request('thread/resume', { threadId: conversation.thread_id });
  await other.request('thread/settings/update', {
    threadId: conversation.thread_id,
    approvalPolicy: 'never',
    sandboxPolicy: { type: 'dangerFullAccess' },
  });
  await other.heard('thread/settings/updated');
  other.close();
  await sendAndDecline('third-asks');
  await watcher.turnEnd(3);
  const commands = (await box.entries(id)).flatMap((one) => (one.role === 'command' ? [one.status] : []));
  expect(commands.filter((status) => status === 'completed')).toEqual([]);
});
