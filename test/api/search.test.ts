/** Finding text in transcripts, and tokens per turn, through the public surface. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

async function noted(...texts: string[]): Promise<string> {
  const id = await box.create();
  for (const text of texts) await box.must('appendNote', { conversation_id: id, text });
  return id;
}

/** Every answer to the end. */
async function findAll(query: { q: string; conversation_id?: string; limit?: number }) {
  const hits = [];
  for (let before: string | undefined; ; ) {
    const page = await box.must('search', { ...query, ...(before !== undefined && { before }) });
    hits.push(...page.hits);
    if (page.next_before === null) return hits;
    before = page.next_before;
  }
}

describe('find', () => {
  test('[SR1][SR2] newest first, whatever the case, as plain text', async () => {
    const id = await noted('The Walrus (1)', 'nothing', 'a walrus. (2)');
    await box.must('patchConversation', { id, label: 'named so' });
    const { hits, is_complete } = await box.must('search', { q: 'WALRUS', conversation_id: id });
    expect(hits.map(({ seq }) => seq)).toEqual([3, 1]);
    expect(hits[1]).toMatchObject({
      conversation_id: id,
      name: 'named so',
      role: 'note',
      snippet: { before: 'The ', match: 'Walrus', after: ' (1)' },
    });
    expect(is_complete).toBe(true);
    expect(await findAll({ q: 'w.lrus', conversation_id: id })).toEqual([]);
    expect(await findAll({ q: '(2)', conversation_id: id })).toHaveLength(1);
  });

  test('[SR5] fields and ids are not what a person sees', async () => {
    const id = await noted('plain');
    for (const q of ['note', 'seq', 'kind', 'api']) expect(await findAll({ q, conversation_id: id })).toEqual([]);
  });

  test('[SR3] goes on where it ended', async () => {
    const id = await noted(...Array.from({ length: 25 }, (_none, at) => `zebra ${at}`));
    const seqs = (await findAll({ q: 'zebra', conversation_id: id, limit: 4 })).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: 25 }, (_none, at) => 25 - at));
    const bad = await box.call('search', { q: 'zebra', conversation_id: id, before: 'x' });
    expect(bad).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('[SR3][SR4] all conversations, open or not, without opening any', async () => {
    const ids = [await noted('one okapi'), await noted('two okapis', 'OKAPI three'), await noted('four okapi')];
    await box.restart();
    const before = (await box.must('status', {})).conversations_loaded;
    const hits = await findAll({ q: 'okapi', limit: 1 });
    expect(hits.map(({ conversation_id, seq }) => [ids.indexOf(conversation_id), seq])).toEqual([
      [2, 1],
      [1, 2],
      [1, 1],
      [0, 1],
    ]);
    expect(await findAll({ q: 'okapi' })).toEqual(hits);
    expect((await box.must('status', {})).conversations_loaded).toBe(before);
    const unknown = await box.call('search', { q: 'x', conversation_id: `conv_${'0'.repeat(32)}` });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'unknown_conversation' } });
  });

  test('[SR1] what was said, answered and run is found', async () => {
    const id = await box.create({ approval: 'never' });
    const watcher = await box.watch(id);
    box.model.push(
      { events: [{ call: 'exec_command', args: { cmd: 'echo pang; echo olin', login: false } }] },
      { events: [{ say: 'the Pangolin ran' }] },
    );
    await box.must('sendMessage', { conversation_id: id, text: 'run the pangolin' });
    await watcher.turnEnd();
    expect((await findAll({ q: 'pangolin', conversation_id: id })).map(({ role }) => role)).toEqual([
      'assistant',
      'user',
    ]);
    expect((await findAll({ q: 'pang\nolin', conversation_id: id })).map(({ role }) => role)).toEqual(['command']);
  });

  test('[SR7] pages from before are searched once they were fetched', async () => {
    const id = await box.create({ approval: 'never' });
    const watcher = await box.watch(id);
    for (const [at, text] of ['first quokka', 'second quokka'].entries()) {
      await box.must('sendMessage', { conversation_id: id, text });
      await watcher.turnEnd(at + 1);
    }
    const forked = (await box.must('forkConversation', { id })).id;
    const past = await box.must('transcriptRange', { conversation_id: forked, before: 1, limit: 500 });
    const expected = past.entries.filter((entry) => entry.role === 'user').map(({ seq }) => seq);
    expect(expected).toHaveLength(2);
    const found = await box.must('search', { q: 'quokka', conversation_id: forked });
    const mine = found.hits.filter(({ role }) => role === 'user').map(({ seq }) => seq);
    expect(mine).toEqual([...expected].reverse());
    expect(found.has_unread_past).toBe(false);
  });
});

test('[SR8] one point of usage for each turn, and new turns join it', async () => {
  const id = await box.create({ approval: 'never' });
  const watcher = await box.watch(id);
  expect(await box.must('usage', { conversation_id: id })).toEqual({ points: [] });
  const turns: (string | null)[] = [];
  for (let turn = 1; turn <= 3; turn += 1) {
    box.model.push(
      { events: [{ call: 'exec_command', args: { cmd: 'true', login: false } }] },
      { events: [{ say: `done ${turn}` }] },
    );
    await box.must('sendMessage', { conversation_id: id, text: `turn ${turn}` });
    await watcher.turnEnd(turn);
    const { points } = await box.must('usage', { conversation_id: id });
    expect(points).toHaveLength(turn);
    turns.push(points.at(-1)?.turn_id ?? null);
    expect(points.map((point) => point.turn_id)).toEqual(turns);
  }
  await box.restart();
  const { points } = await box.must('usage', { conversation_id: id });
  expect(points.map((point) => point.turn_id)).toEqual(turns);
  expect(points.every((point) => point.total_tokens > 0)).toBe(true);
  const unknown = await box.call('usage', { conversation_id: `conv_${'0'.repeat(32)}` });
  expect(unknown.status).toBe(404);
});

test('[SR8] a turn told again later keeps its place and shows the newer use, wherever the role stands in its line', async () => {
  const id = await box.create();
  await box.kill();
  const counts = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_output_tokens: 0 };
  const told = [
    ['a', 10],
    ['b', 20],
    ['a', 15],
  ] as const;
  const lines = told.map(([turn_id, total_tokens], at) => {
    const used = { ...counts, total_tokens, cumulative_tokens: total_tokens, context_window: 100 };
    return JSON.stringify({ seq: at + 1, ts: '2026-01-05T09:00:00.000Z', turn_id, ...used, role: 'token_usage' });
  });
  await writeFile(join(box.home, 'conversations', id, 'transcript.jsonl'), `${lines.join('\n')}\n`);
  await box.restart();
  const { points } = await box.must('usage', { conversation_id: id });
  expect(points.map((point) => [point.turn_id, point.total_tokens])).toEqual([
    ['a', 15],
    ['b', 20],
  ]);
});
