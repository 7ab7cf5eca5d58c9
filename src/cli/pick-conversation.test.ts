/** Which conversation is meant, and an export that reads page by page. */
import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { ConversationRow } from '../contract/conversation.ts';
import { ok } from '../contract/result.ts';
import { sampleRow } from '../testing/samples.ts';
import type { Client } from './client.ts';
import { exportConversation } from './export.ts';
import { namesOf } from './list-names.ts';
import { createOutput } from './output.ts';
import { pickFrom } from './pick-conversation.ts';

const row = (hex: string, label: string | null, thread_id: string | null = null): ConversationRow =>
  sampleRow({ id: `conv_${hex.padEnd(32, '0')}`, label, thread_id });

describe('[CL20] a conversation is meant', () => {
  const rows = [
    row('abcd1', 'Fix the bug'),
    row('abcd2', 'Fix the build', '0199aaaa-bbbb-cccc-dddd-eeeeeeeeeeee'),
    row('beef', 'Docs'),
    row('f00d', 'docs and more'),
    { ...row('cafe', null), preview: 'Why does it fail' },
    { ...row('face', null), preview: 'x'.repeat(100) },
  ];
  test.each([
    ['Docs', 'beef'],
    ['docs', 'beef'],
    ['docs a', 'f00d'],
    ['fix the bui', 'abcd2'],
    ['conv_abcd1', 'abcd1'],
    ['abcd2', 'abcd2'],
    ['CAFE', 'cafe'],
    ['why does it fail', 'cafe'],
    ['why does', 'cafe'],
    [`${'x'.repeat(59)}…`, 'face'],
    ['0199aaaa-bb', 'abcd2'],
  ])('%s', (words, hex) => {
    expect(pickFrom(rows, words)).toEqual({ ok: true, value: row(hex, null).id });
  });
  test.each(['abcd', 'fix', 'Fix the b'])('%s means several', (words) => {
    expect(pickFrom(rows, words)).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
  });
  test.each(['', ' ', 'conv_', 'abc', 'nothing', 'deadbeef'])('%j means none', (words) => {
    expect(pickFrom(rows, words)).toMatchObject({ ok: false, error: { code: 'unknown_conversation' } });
  });
});

test('[CL25] every name that completions offer means its own conversation', () => {
  const rows = [
    row('aaaa', 'Docs'),
    row('bbbb', 'docs'),
    row('cccc', null),
    row('dddd', 'Fix the bug'),
    { ...row('eeee', null), preview: 'Fix the bug now' },
  ];
  expect(namesOf(rows).map((name) => pickFrom(rows, name))).toEqual(rows.map(({ id }) => ({ ok: true, value: id })));
});

/** A server that has `past` entries from before Signalbox and `own` ones, and gives at most `most` at once. */
function pagedClient(
  past: number,
  own: number,
  most: number,
): { client: Client; asked: string[]; largest: () => number } {
  const asked: string[] = [];
  let largest = 0;
  const all = Array.from({ length: past + own }, (_, index) => ({
    seq: index + 1 - past,
    ts: '2026-01-01T00:00:00.000Z',
    role: 'user',
    text: `message ${index}`,
  }));
  const answer = (id: string, input: { before?: number; after?: number }) => {
    asked.push(`${id} ${input.before ?? ''}-${input.after ?? ''}`);
    if (id === 'readConversation') {
      const conversation = { label: 'x', preview: '', cwd: '/', thread_id: null, model: null, created_at: '' };
      const history = past === 0 ? null : { cursor: null, complete: true };
      return { conversation: { ...conversation, history }, row: { last_seq: own } };
    }
    const { before, after } = input;
    const found = all.filter((one) => one.seq < (before ?? Infinity) && one.seq > (after ?? -Infinity));
    const entries = after === undefined ? found.slice(-most) : found.slice(0, most);
    largest = Math.max(largest, entries.length);
    return {
      entries,
      first_seq: entries[0]?.seq ?? null,
      last_seq: entries.at(-1)?.seq ?? null,
      has_more: found.length > entries.length,
    };
  };
  const client = {
    server: { pid: 1, start_time: '', url: '', api_token: '', started_at: '', version: '' },
    call: async (id: string, input: object) => ok(answer(id, input)),
    callRaw: async (id: string, input: object) => ok(answer(id, input)),
  } as unknown as Client;
  return { client, asked, largest: () => largest };
}

describe('[CL22] an export reads page by page, oldest first', () => {
  test.each([
    [0, 0, 10],
    [0, 25, 10],
    [7, 0, 10],
    [25, 25, 10],
  ])('%i entries from before, %i of ours, %i a page', async (past, own, most) => {
    const { client, largest } = pagedClient(past, own, most);
    let text = '';
    const stdout = Object.assign(new EventEmitter(), {
      write(piece: string) {
        text += piece;
        return true;
      },
    });
    const out = createOutput({ isJson: false, color: false, env: {}, stdout, stderr: stdout });
    expect(await exportConversation(out, client, `conv_${'a'.repeat(32)}`, 'json')).toBe(0);
    const seqs = JSON.parse(text).entries.map((entry: { seq: number }) => entry.seq);
    expect(seqs).toEqual(Array.from({ length: past + own }, (_, index) => index + 1 - past));
    expect(largest()).toBeLessThanOrEqual(most);
  });
});
