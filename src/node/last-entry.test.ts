/** The newest seq of a log without opening it. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLastSeq } from './last-entry.ts';

async function seqOf(text: string): Promise<number> {
  const path = join(await mkdtemp(join(tmpdir(), 'last-')), 'x.jsonl');
  await writeFile(path, text);
  return readLastSeq(path);
}

const line = (seq: number, filler = ''): string => `{"seq":${seq},"text":"${filler}"}\n`;

test('the last whole entry counts, whatever comes after it', async () => {
  expect(await seqOf('')).toBe(0);
  expect(await seqOf(line(1))).toBe(1);
  expect(await seqOf(line(1) + line(2))).toBe(2);
  expect(await seqOf(`${line(1)}${line(2)}{"seq":3,"te`)).toBe(2);
  expect(await seqOf(`${line(1)}{"seq":2,"te!\n${line(2)}`)).toBe(2);
});

test('an entry longer than the first look is found', async () => {
  expect(await seqOf(line(1) + line(2, 'x'.repeat(300_000)))).toBe(2);
});

test('a log that is not there has none', async () => {
  expect(await readLastSeq('/nowhere/at/all.jsonl')).toBe(0);
});
