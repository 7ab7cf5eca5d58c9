/** Texts that lie across the edges of what is read at once. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fileHolds } from './file-holds.ts';

const dir = mkdtempSync(join(tmpdir(), 'sb-holds-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('a text is found wherever it lies, and nothing that is not there', async () => {
  const path = join(dir, 'file');
  writeFileSync(path, 'abc déf ghi');
  for (const chunkBytes of [1, 2, 3, 5, 100]) {
    for (const text of ['abc', 'c dé', 'éf g', 'ghi', 'abc déf ghi'])
      expect([text, await fileHolds(path, text, chunkBytes)]).toEqual([text, true]);
    for (const text of ['abd', 'ghij', 'c de']) expect(await fileHolds(path, text, chunkBytes)).toBe(false);
  }
});

test('a file that is not there holds nothing', async () => {
  expect(await fileHolds(join(dir, 'missing'), 'a')).toBe(false);
});
