/** What `git log` prints, with the titles that people and attackers write. */
import { expect, test } from 'vitest';
import { parseCommits } from './parse-log.ts';

const SHA = 'a'.repeat(40);
const encode = (text: string) => new TextEncoder().encode(text);

test('[CV81] commits are read with their titles and times; what is no commit is left out', () => {
  const lines = [`${SHA}\u00001000000000\u0000A title: with "quotes"`, 'warning: something', `${SHA}\u0000x\u0000`, ''];
  expect(parseCommits(encode(lines.join('\n')))).toEqual([
    { sha: SHA, title: 'A title: with "quotes"', at: '2001-09-09T01:46:40.000Z' },
    { sha: SHA, title: '', at: '1970-01-01T00:00:00.000Z' },
  ]);
});

test('[CV81] a time no calendar has, a title of a megabyte and bytes that are no UTF-8 end in a short line', () => {
  const title = '🙂'.repeat(300_000);
  const [commit] = parseCommits(encode(`${SHA}\u000099999999999999999\u0000${title}`));
  expect(commit?.at).toBe('+275760-09-13T00:00:00.000Z');
  expect(commit?.title).toBe('🙂'.repeat(200));
  const bytes = new Uint8Array([...encode(`${SHA}\u00000\u0000caf`), 0xe9]);
  expect(parseCommits(bytes)[0]?.title).toBe('caf\ufffd');
});
