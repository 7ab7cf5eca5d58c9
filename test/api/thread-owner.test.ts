/** One conversation owns a thread: whichever way the thread is asked for, its owner answers, and duplicates on disk become one. */
import { execFile } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conversationIdOfThread } from '../../src/contract/ids.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

const CLI = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');
let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

async function talk(id: string, text: string): Promise<void> {
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text });
  await watcher.turnEnd();
}

/** A conversation with a thread, and the id a conversation imported from that thread would have. */
async function owned(text: string): Promise<{ id: string; alias: string; threadId: string }> {
  const id = await box.create({ approval: 'never' });
  await talk(id, text);
  const threadId = (await box.must('readConversation', { id })).conversation.thread_id ?? '';
  return { id, threadId, alias: conversationIdOfThread(threadId) };
}

const rowsOf = async (threadId: string) =>
  (await box.must('listConversations', {})).conversations.filter((row) => row.thread_id === threadId);

test('[CS17] an import of an owned thread, by list, id or command line, gives its owner', async () => {
  const { id, alias, threadId } = await owned('mine');
  expect(alias).not.toBe(id);
  const { rollouts } = await box.must('rollouts', {});
  expect(rollouts.find((one) => one.thread_id === threadId)).toMatchObject({ conversation_id: id });
  expect((await box.must('readConversation', { id: alias })).row.id).toBe(id);
  const env = { ...process.env, SIGNALBOX_HOME: box.home };
  const imported = await promisify(execFile)(process.execPath, [CLI, 'conversations', 'import', threadId], { env });
  expect(imported.stdout.trim()).toBe(id);
  expect(await rowsOf(threadId)).toHaveLength(1);
  const watcher = await box.watch(alias);
  expect(watcher.frames).toContainEqual(
    expect.objectContaining({ type: 'refused', code: 'conflict', message: expect.stringContaining(id) }),
  );
});

test('[CS17] a message to the id of an owned thread is answered in its owner, which does not stay running', async () => {
  const { id, alias, threadId } = await owned('first');
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: alias, text: 'second' });
  await watcher.turnEnd();
  const texts = (await box.entries(id)).flatMap((entry) => (entry.role === 'assistant' ? [entry.text] : []));
  expect(texts).toEqual(['scripted: first', 'scripted: second']);
  expect(await rowsOf(threadId)).toMatchObject([{ id, state: 'idle' }]);
  await box.must('selectConversation', { id: alias });
  expect((await box.must('currentConversation', {})).row.id).toBe(id);
});

test('[CS17] two imports of one thread at the same time make one conversation', async () => {
  const { id, threadId } = await owned('foreign soon');
  await box.kill();
  await rm(join(box.home, 'conversations', id), { recursive: true });
  await box.restart();
  const alias = conversationIdOfThread(threadId);
  const reads = await Promise.all([1, 2, 3].map(() => box.must('readConversation', { id: alias })));
  expect(new Set(reads.map((one) => one.conversation.updated_at)).size).toBe(1);
  expect(await rowsOf(threadId)).toMatchObject([{ id: alias }]);
});

test('[CS18] two conversations of one thread on disk are one after the next start, and no entry is lost', async () => {
  const { id, alias, threadId } = await owned('in the owner');
  await box.kill();
  const dir = (one: string) => join(box.home, 'conversations', one);
  const meta = JSON.parse(await readFile(join(dir(id), 'conversation_meta.json'), 'utf8'));
  await cp(dir(id), dir(alias), { recursive: true, filter: (path) => !/transcript|message_ids/.test(path) });
  const queued = { client_message_id: 'queued-1', text: 'waited in the copy', images: [], queued_at: meta.updated_at };
  const copy = { ...meta, conversation_id: alias, draft: 'half a thought', queue: [queued], queue_paused: true };
  await writeFile(join(dir(alias), 'conversation_meta.json'), JSON.stringify(copy));
  const lines = [
    { role: 'user', text: 'in the copy', client_message_id: 'copy-1', mode: 'send', state: 'delivered' },
    {
      role: 'assistant',
      text: 'answered in the copy',
      turn_id: 'turn-copy',
      item_id: 'item-copy',
      status: 'completed',
    },
    { role: 'status', status: 'success', turn_status: 'completed', duration_ms: 5, turn_id: 'turn-copy' },
    { role: 'note', kind: 'api', text: 'seen in the copy' },
  ].map((entry, at) => JSON.stringify({ seq: at + 1, ts: `2026-01-01T00:00:0${at}.000Z`, ...entry }));
  await writeFile(join(dir(alias), 'transcript.jsonl'), `${lines.join('\n')}\n`);
  const before = (await readFile(join(dir(id), 'transcript.jsonl'), 'utf8')).trim().split('\n').length;
  await box.restart();

  expect(await rowsOf(threadId)).toMatchObject([{ id }]);
  const entries = await box.entries(id);
  const told = entries.flatMap((entry) => ('text' in entry ? [entry.text] : []));
  expect(told).toEqual(
    expect.arrayContaining(['in the owner', 'in the copy', 'answered in the copy', 'seen in the copy']),
  );
  expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_entry, at) => at + 1));
  expect(entries.length).toBeGreaterThanOrEqual(before + 4);
  const { conversation } = await box.must('readConversation', { id: alias });
  expect(conversation).toMatchObject({ conversation_id: id, draft: 'half a thought', queue: [queued] });
  // A message of the copy is known: sent again it is not a second message.
  const again = await box.must('sendMessage', {
    conversation_id: id,
    text: 'in the copy',
    client_message_id: 'copy-1',
  });
  expect(again).toMatchObject({ outcome: 'duplicate' });
  await talk(id, 'goes on');
});
