/** A set of ids on disk: what is in it, what a kill leaves of it, and how it is made anew. */
import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdFile } from './id-file.ts';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sb-ids-'));
});
afterAll(() => rm(dir, { recursive: true }));

const fileAt = (name: string, all: readonly string[] = []) =>
  createIdFile({ path: join(dir, name), rebuild: async () => all });

test('an id that was added is known, also to the next process', async () => {
  const ids = fileAt('ids');
  expect(await ids.has('a')).toBe(false);
  await ids.add(['a', 'b', 'a']);
  expect(await Promise.all(['a', 'b', 'c'].map(ids.has))).toEqual([true, true, false]);
  expect(await fileAt('ids').has('b')).toBe(true);
});

test('a file that is missing is made from all ids there are', async () => {
  expect(await fileAt('rebuilt', ['old']).has('old')).toBe(true);
  expect(await fileAt('rebuilt', ['another']).has('another')).toBe(false);
});

test('a torn record is overwritten, and hides nothing behind it', async () => {
  const ids = fileAt('torn');
  await ids.add(['a']);
  await appendFile(join(dir, 'torn'), 'half');
  const again = fileAt('torn');
  await again.add(['b']);
  expect(await Promise.all(['a', 'b'].map(again.has))).toEqual([true, true]);
  expect((await stat(join(dir, 'torn'))).size).toBe(32);
});

test('ids beyond one piece of the file are found', async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => `message ${at}`);
  const ids = fileAt('many', many);
  expect(await Promise.all([ids.has('message 0'), ids.has('message 9999'), ids.has('message 10000')])).toEqual([
    true,
    true,
    false,
  ]);
});
