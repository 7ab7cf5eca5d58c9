/** Small files that are not there, not JSON, or of another shape. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DemoRecord } from '../contract/run-files.ts';
import { readJson, readJsonSync } from './read-json.ts';

const dir = mkdtempSync(join(tmpdir(), 'sb-json-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test.each([
  ['a record', '{"port":80}\n', { port: 80 }],
  ['nothing', '', null],
  ['half a record', '{"po', null],
  ['another shape', '{"port":"80"}', null],
  ['null', 'null', null],
])('[ST6] %s', async (name, text, expected) => {
  const path = join(dir, name);
  writeFileSync(path, text);
  expect(await readJson(path, DemoRecord)).toEqual(expected);
  expect(readJsonSync(path, DemoRecord)).toEqual(expected);
});

test('[ST6] a file that is not there, and a directory', async () => {
  for (const path of [join(dir, 'missing'), dir]) {
    expect(await readJson(path, DemoRecord)).toBeNull();
    expect(readJsonSync(path, DemoRecord)).toBeNull();
  }
});
