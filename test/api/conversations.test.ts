/** Conversations as a whole through the public surface: settings, lists, archive, trash, fork, revert, review, older threads. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conversationIdOfThread } from '../../src/contract/ids.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

/** A conversation with so many finished turns, each answering what was said. */
async function talked(...texts: string[]): Promise<string> {
  const id = await box.create({ approval: 'never' });
  const watcher = await box.watch(id);
  for (const [at, text] of texts.entries()) {
    await box.must('sendMessage', { conversation_id: id, text });
    await watcher.turnEnd(at + 1);
  }
  watcher.close();
  return id;
}

const turnsOf = async (id: string) =>
  (await box.entries(id)).flatMap((entry) =>
    entry.role === 'status' && entry.turn_id !== undefined ? [entry.turn_id] : [],
  );

describe('settings', () => {
  test('[CS1] one source of truth: a change in one tab holds for all and reaches Codex with the next turn', async () => {
    const id = await box.create({ approval: 'untrusted', model: 'gpt-5.5' });
    const watcher = await box.watch(id);
    const elsewhere = join(box.dir, 'elsewhere');
    await mkdir(elsewhere, { recursive: true });
    await box.must('patchConversation', { id, approval: 'never', reasoning_effort: 'high', cwd: elsewhere });
    await watcher.until(
      (frame) => frame.type === 'conversation' && 'conversation' in frame && frame.conversation.cwd === elsewhere,
      'the row',
    );
    box.model.push(
      { events: [{ call: 'exec_command', args: { cmd: 'pwd', login: false } }] },
      { events: [{ say: 'ok' }] },
    );
    await box.must('sendMessage', { conversation_id: id, text: 'where' });
    await watcher.turnEnd();
    expect(watcher.entries()).toContainEqual(expect.objectContaining({ role: 'command', output: `${elsewhere}\n` }));
    expect(box.model.requests.at(-1)?.rawBody).toMatch(/"effort":"high"/);
    expect(box.model.requests.at(-1)?.rawBody).toMatch(/"summary":"auto"/);
    const meta = JSON.parse(await readFile(join(box.home, 'conversations', id, 'conversation_meta.json'), 'utf8'));
    expect(meta).toMatchObject({ approval: 'never', reasoning_effort: 'high', cwd: elsewhere });
  });

  test('[CS2] an older revision is refused with 409 and changes nothing', async () => {
    const id = await box.create();
    const { conversation } = await box.must('readConversation', { id });
    await box.must('patchConversation', { id, label: 'first', revision: conversation.revision });
    const stale = await box.call('patchConversation', { id, label: 'second', revision: conversation.revision });
    expect(stale).toMatchObject({ status: 409, body: { code: 'stale' } });
    const message = await box.call('sendMessage', { conversation_id: id, text: 'x', revision: conversation.revision });
    expect(message).toMatchObject({ status: 409, body: { code: 'stale' } });
    expect((await box.must('readConversation', { id })).conversation.label).toBe('first');
  });

  test('[CS3] the older words for approval modes are understood', async () => {
    const id = await box.create({ approval: 'always' as 'untrusted' });
    expect((await box.must('readConversation', { id })).conversation.approval).toBe('untrusted');
  });

  test('[CS4] models carry their efforts, and an effort the new model lacks becomes its default', async () => {
    const { models } = await box.must('models', {});
    const efforts = (id: string) => models.find((model) => model.id === id)?.efforts.map((one) => one.effort) ?? [];
    const rich = models.find((model) => model.efforts.some((one) => !efforts('gpt-5.5').includes(one.effort)));
    if (rich === undefined) throw new Error('every model has the same efforts: this test proves nothing');
    const special = efforts(rich.id).find((effort) => !efforts('gpt-5.5').includes(effort)) ?? '';
    const id = await box.create({ model: rich.id, reasoning_effort: special });
    expect((await box.must('readConversation', { id })).conversation.reasoning_effort).toBe(special);
    await box.must('patchConversation', { id, model: 'gpt-5.5' });
    const { default_effort } = models.find((model) => model.id === 'gpt-5.5') ?? {};
    expect((await box.must('readConversation', { id })).conversation.reasoning_effort).toBe(default_effort);
  });

  test('[CS4] without a choice: the configured model is the default, and the row says which one Codex uses', async () => {
    const { models } = await box.must('models', {});
    expect(models.filter((model) => model.is_default).map((model) => model.id)).toEqual(['gpt-5.5']);
    const id = await box.create();
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text: 'hello' });
    await watcher.turnEnd();
    const { row } = await box.must('readConversation', { id });
    expect(row).toMatchObject({ model: null, applied_model: 'gpt-5.5' });
  });

  test('[CS5] the API token sends and reads, but neither approves nor loosens', async () => {
    const id = (await box.must('createConversation', { cwd: box.project }, 'token')).id;
    const looser = await box.call('patchConversation', { id, approval: 'never' }, 'token');
    expect(looser).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const open = await box.call('createConversation', { cwd: box.project, sandbox: 'danger-full-access' }, 'token');
    expect(open.status).toBe(403);
    const config = await box.call('writeConfig', { approval: 'never' }, 'token');
    expect(config.status).toBe(403);
    expect((await box.call('patchConversation', { id, approval: 'untrusted' }, 'token')).status).toBe(200);
    const approve = await box.call(
      'answerApproval',
      { approval_id: `apr_${'0'.repeat(32)}`, decision: 'accept' },
      'token',
    );
    expect(approve.status).toBe(403);
  });

  test('[CS6] the selected conversation is each caller’s own', async () => {
    const [mine, theirs] = [await box.create(), await box.create()];
    await box.must('selectConversation', { id: mine });
    await box.must('selectConversation', { id: theirs }, 'token');
    expect((await box.must('currentConversation', {})).conversation.conversation_id).toBe(mine);
    expect((await box.must('currentConversation', {}, 'token')).conversation.conversation_id).toBe(theirs);
  });
});

describe('history', () => {
  test('[CS7] a fork shares the past and goes its own way', async () => {
    const id = await talked('one', 'two');
    const [first] = await turnsOf(id);
    const forked = await box.must('forkConversation', { id, ...(first !== undefined && { turn_id: first }) });
    expect(forked.id).not.toBe(id);
    const past = await box.must('transcriptRange', { conversation_id: forked.id, before: 1, limit: 50 });
    expect(past.entries.flatMap((entry) => (entry.role === 'user' ? [entry.text] : []))).toEqual(['one']);
    const watcher = await box.watch(forked.id);
    await box.must('sendMessage', { conversation_id: forked.id, text: 'three' });
    await watcher.turnEnd();
    expect(box.model.requests.at(-1)?.rawBody).toContain('one');
    expect(box.model.requests.at(-1)?.rawBody).not.toContain('"two"');
  });

  test('[CS8] a revert takes turns out of what the model sees and keeps them in the transcript', async () => {
    const id = await talked('keep this', 'forget this');
    const [, second] = await turnsOf(id);
    await box.must('revertConversation', { id, before_turn_id: second ?? '' });
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text: 'go on' });
    await watcher.turnEnd();
    const sent = box.model.requests.at(-1)?.rawBody ?? '';
    expect(sent).toContain('keep this');
    expect(sent).not.toContain('forget this');
    const entries = await box.entries(id);
    expect(entries).toContainEqual(expect.objectContaining({ role: 'note', kind: 'reverted', turn_id: second }));
    expect(entries).toContainEqual(expect.objectContaining({ role: 'user', text: 'forget this' }));
  });

  test('[CS9] compaction is a turn with a note', async () => {
    const id = await talked('long story');
    const watcher = await box.watch(id);
    await box.must('compact', { conversation_id: id });
    await watcher.turnEnd();
    expect(await box.entries(id)).toContainEqual(expect.objectContaining({ role: 'note', kind: 'compaction' }));
  });

  test('[CS10] a review begins, ends once, and its words are kept', async () => {
    const id = await talked('hello');
    const watcher = await box.watch(id);
    box.model.push({
      events: [
        {
          say: JSON.stringify({
            findings: [],
            overall_correctness: 'patch is correct',
            overall_explanation: 'fine',
            overall_confidence_score: 1,
          }),
        },
      ],
    });
    await box.must('reviewConversation', { id, target: { type: 'custom', instructions: 'look at it' } });
    await watcher.turnEnd();
    const entries = (await box.entries(id)).slice(5);
    expect(entries.filter((entry) => entry.role === 'status')).toHaveLength(1);
    expect(entries).toContainEqual(expect.objectContaining({ role: 'note', kind: 'review_started' }));
    expect(entries).toContainEqual(expect.objectContaining({ role: 'note', kind: 'review_finished' }));
    expect((await box.must('readConversation', { id })).row.state).toBe('idle');
  });

  test('[CS11] what is in CODEX_HOME is listed, opens with its past a page at a time, and goes on', async () => {
    const id = await talked('old one', 'old two', 'old three');
    const { conversation } = await box.must('readConversation', { id });
    // As if it had been made elsewhere: the folder here is gone, the thread is not.
    await box.kill('SIGTERM');
    const { rm } = await import('node:fs/promises');
    await rm(join(box.home, 'conversations', id), { recursive: true });
    await box.restart();
    const { conversations } = await box.must('listConversations', {});
    const row = conversations.find((one) => one.thread_id === conversation.thread_id);
    expect(row).toMatchObject({ source: 'codex', preview: 'old one' });
    const foreign = row?.id ?? '';
    const newest = await box.must('transcriptRange', { conversation_id: foreign, limit: 3 });
    expect(newest.last_seq).toBe(0);
    expect(newest.has_more).toBe(true);
    const older = await box.must('transcriptRange', {
      conversation_id: foreign,
      before: newest.first_seq ?? 0,
      limit: 100,
    });
    const texts = [...older.entries, ...newest.entries].flatMap((entry) => (entry.role === 'user' ? [entry.text] : []));
    expect(texts).toEqual(['old one', 'old two', 'old three']);
    const seqs = [...older.entries, ...newest.entries].map((entry) => entry.seq);
    expect(seqs).toEqual(seqs.map((_seq, at) => at - seqs.length + 1));
    const watcher = await box.watch(foreign);
    await box.must('sendMessage', { conversation_id: foreign, text: 'new' });
    await watcher.turnEnd();
    expect((await box.entries(foreign)).map((entry) => [entry.seq, entry.role])).toEqual([
      [1, 'user'],
      [2, 'delivery'],
      [3, 'assistant'],
      [4, 'token_usage'],
      [5, 'status'],
    ]);
  });
});

describe('lists', () => {
  test('[CS12] rename, pin and archive show in the lists, and an archived one can come back', async () => {
    const id = await talked('to be archived');
    await box.must('patchConversation', { id, label: 'Named', pinned: true });
    const find = async (archived: boolean) =>
      (await box.must('listConversations', { archived: String(archived) as 'true' })).conversations.find(
        (row) => row.id === id,
      );
    expect(await find(false)).toMatchObject({ label: 'Named', pinned: true, source: 'signalbox' });
    await box.must('archiveConversation', { id });
    expect(await find(false)).toBeUndefined();
    expect(await find(true)).toMatchObject({ archived: true });
    await box.must('unarchiveConversation', { id });
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text: 'back again' });
    await watcher.turnEnd();
  });

  test('[CS12] a message to an archived conversation brings it back', async () => {
    const id = await box.create();
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text: 'first' });
    await watcher.turnEnd();
    await box.must('archiveConversation', { id });
    await box.must('sendMessage', { conversation_id: id, text: 'from the archive' });
    await watcher.turnEnd(2);
    expect((await box.must('readConversation', { id })).row).toMatchObject({ archived: false, state: 'idle' });
    expect(watcher.entries()).toContainEqual(
      expect.objectContaining({ role: 'assistant', text: 'scripted: from the archive' }),
    );
  });

  test('[CS13] a deleted conversation is gone and can be restored whole', async () => {
    const id = await talked('precious');
    const before = await box.entries(id);
    await box.must('deleteConversation', { id });
    expect((await box.must('listConversations', {})).conversations.map((row) => row.id)).not.toContain(id);
    await box.must('restoreConversation', { id });
    expect(await box.entries(id)).toEqual(before);
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text: 'still here' });
    await watcher.turnEnd();
  });

  test('[CS43] a deleted conversation is in no list, under no id, until it is restored', async () => {
    const id = await talked('to be deleted');
    const { thread_id } = (await box.must('readConversation', { id })).conversation;
    await box.must('deleteConversation', { id });
    for (const archived of ['false', 'true'] as const) {
      const { conversations } = await box.must('listConversations', { archived });
      expect(conversations.filter((row) => row.thread_id === thread_id)).toEqual([]);
    }
    const { rollouts } = await box.must('rollouts', {});
    expect(rollouts.map((one) => one.thread_id)).not.toContain(thread_id);
    expect((await box.call('readConversation', { id: conversationIdOfThread(thread_id ?? '') })).status).toBe(404);
    await box.must('restoreConversation', { id });
    const { conversations } = await box.must('listConversations', {});
    expect(conversations.filter((row) => row.thread_id === thread_id).map((row) => row.id)).toEqual([id]);
  });

  test('[CS14] notes can be added, nothing else can be written into a transcript', async () => {
    const id = await box.create();
    const { seq } = await box.must('appendNote', { conversation_id: id, text: 'from a script' }, 'token');
    expect(await box.entries(id)).toMatchObject([{ seq, role: 'note', kind: 'api', text: 'from a script' }]);
    const forged = await box.call('appendNote', { conversation_id: id, text: 'x', role: 'assistant' as 'note' });
    expect(forged.status).toBe(400);
  });

  test('[CS15] a shell command of the user runs, answers with its output, and is two entries', async () => {
    const id = await talked('hello');
    const ran = await box.must('shellExec', { conversation_id: id, command: '(echo shell; exit 3)' });
    expect(ran).toMatchObject({ stdout: 'shell\n', exitCode: 3 });
    const roles = (await box.entries(id)).map((entry) => entry.role);
    expect(roles).toEqual(expect.arrayContaining(['shell_input', 'shell_output']));
  });

  test('[CS16] unknown methods are refused by /rpc, allowed ones are answered', async () => {
    const refused = await box.call('rpc', { method: 'thread/fork', params: { threadId: 'x' } });
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('/fork') } });
    const answered = await box.must('rpc', { method: 'model/list', id: 7 });
    expect(answered).toMatchObject({ id: 7, result: { data: expect.any(Array) } });
  });
});
