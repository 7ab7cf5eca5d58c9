/** Codex's own file of a thread is damaged or gone: the conversation says so, and goes on in a new thread with a short history. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { openRawCodex } from '../../src/testing/raw-codex.ts';
import { saidIn } from '../../src/testing/said.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

const DAMAGE: Readonly<Record<string, (path: string) => Promise<void>>> = {
  'its first line is gone': async (path) => {
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.slice(text.indexOf('\n') + 1));
  },
  'it is empty': (path) => writeFile(path, ''),
  'it is binary': (path) => writeFile(path, Buffer.from(Array.from({ length: 3000 }, (_none, at) => (at * 7) % 256))),
  'it is deleted': (path) => rm(path),
};

const metaOf = async (id: string) => (await box.must('readConversation', { id })).conversation;

async function talk(id: string, text: string, answer: string): Promise<void> {
  box.model.push({ match: text, events: [{ say: answer }] });
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text });
  await watcher.turnEnd();
  watcher.close();
}

/** Damaged while no Codex runs, as after a full disk or a careless clean-up. */
async function damage(how: (path: string) => Promise<void>, ids: readonly string[]): Promise<void> {
  await box.must('stop', {});
  for (const id of ids) await how((await metaOf(id)).rollout_path ?? '');
  await box.must('start', {});
}

test.each(Object.entries(DAMAGE))('[RC1] [RC2] [RC4] the file of a thread: %s', async (_how, how) => {
  const id = await box.create();
  await talk(id, 'remember the green door', 'It is noted.');
  const before = await metaOf(id);
  await damage(how, [id]);

  const refused = await box.call('sendMessage', { conversation_id: id, text: 'which door?' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'thread_unreadable' } });
  expect(refused.ok ? '' : refused.body.message).not.toMatch(/rollout|thread-store|UTF-8/);

  // Two clients at once get one new thread.
  const both = await Promise.all([0, 1].map(() => box.must('recoverConversation', { id }, 'token')));
  expect(both[0]?.conversation.thread_id).toBe(both[1]?.conversation.thread_id);
  const after = await metaOf(id);
  expect(after).toMatchObject({ conversation_id: id, label: before.label, cwd: before.cwd });
  expect(after.thread_id).not.toBe(before.thread_id);
  const entries = await box.entries(id);
  expect(entries.filter((entry) => entry.role === 'note')).toMatchObject([{ kind: 'recovered' }]);
  expect(entries[0]).toMatchObject({ role: 'user', text: 'remember the green door' });

  await talk(id, 'which door now?', 'The green one.');
  const asked = box.model.requests.at(-1)?.body ?? {};
  const told = saidIn(asked).find((one) => one.text.includes('<external_conversation_history>'))?.text;
  expect(told).toBe(
    '<external_conversation_history>User: remember the green door\n\nYou: It is noted.</external_conversation_history>',
  );
  expect(
    saidIn(asked)
      .filter((one) => one.role === 'developer')
      .some((one) => one.text.includes(String(before.thread_id))),
  ).toBe(true);
  expect((await metaOf(id)).recovering).toBeNull();
});

test('[RC1] [RC7] another program deletes the thread while Codex runs: the message is refused and the conversation goes on', async () => {
  const id = await box.create();
  await talk(id, 'remember the blue door', 'It is noted.');
  const { thread_id: threadId } = await metaOf(id);
  const other = await openRawCodex(box.home);
  await other.request('thread/delete', { threadId });
  other.close();

  const refused = await box.call('sendMessage', { conversation_id: id, text: 'which door?' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'thread_unreadable' } });
  for (const act of ['compact', 'forkConversation', 'reviewConversation'] as const) {
    const input = act === 'compact' ? { conversation_id: id } : { id };
    expect(await box.call(act, input as never), act).toMatchObject({ body: { code: 'thread_unreadable' } });
  }
  const { conversation } = await box.must('recoverConversation', { id });
  expect(conversation).toMatchObject({ conversation_id: id });
  await talk(id, 'which door was noted?', 'The blue one.');
  const told = saidIn(box.model.requests.at(-1)?.body ?? {}).map((one) => one.text);
  expect(told.filter((text) => text.includes('remember the blue door'))).toHaveLength(1);
});

test('[RC5] Codex ends before the first turn of the new thread: the next message begins it again, with the history', async () => {
  const id = await box.create();
  await talk(id, 'remember the red door', 'It is noted.');
  await damage(DAMAGE['it is deleted'] ?? rm, [id]);
  await box.must('recoverConversation', { id });
  const { rollout_path } = await metaOf(id);
  await box.must('stop', {});
  await rm(rollout_path ?? '', { force: true });
  await box.must('start', {});
  await talk(id, 'which door was it?', 'The red one.');
  const told = saidIn(box.model.requests.at(-1)?.body ?? {}).map((one) => one.text);
  expect(told.filter((text) => text.includes('remember the red door'))).toHaveLength(1);
});

test('[RC2] a conversation that Codex can read is left as it is', async () => {
  const id = await box.create();
  await talk(id, 'all is well', 'Yes.');
  const answer = await box.call('recoverConversation', { id });
  expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect(await box.call('recoverConversation', { id: await box.create() })).toMatchObject({ status: 409 });
});
