/** The user messages in a thread's file, also in one that a kill cut off or that is very long. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readKeptMessages } from './rollout.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sb-rollout-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const line = (role: string, text: string, second: number) =>
  JSON.stringify({
    timestamp: at(second),
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type: 'input_text', text }] },
  });

function write(...lines: string[]): string {
  const path = join(dir, 'rollout.jsonl');
  writeFileSync(path, lines.join('\n'));
  return path;
}

test('[OB19] messages since a time are read in order, without what others said', async () => {
  const path = write(
    line('user', 'old', 1),
    line('user', 'one', 5),
    line('assistant', 'two', 6),
    line('user', 'three', 7),
    '',
  );
  expect(await readKeptMessages(path, Date.parse(at(5)))).toEqual([
    { text: 'one', atMs: Date.parse(at(5)) },
    { text: 'three', atMs: Date.parse(at(7)) },
  ]);
});

test('[OB19] a last line that a kill cut off holds no message', async () => {
  const path = write(line('user', 'one', 1), line('user', 'two', 2).slice(0, -4));
  expect((await readKeptMessages(path, 0))?.map((one) => one.text)).toEqual(['one']);
});

test('[OB19] of a file that is longer than what is read, the end is read, and a character cut in two does no harm', async () => {
  const long = line('user', 'é'.repeat(5 * 1024 * 1024), 1);
  const path = write(long, line('user', 'last', 2), '');
  expect((await readKeptMessages(path, 0))?.map((one) => one.text)).toEqual(['last']);
});

test('[OB19] a file that Codex never wrote holds nothing; one that cannot be read is not an empty one', async () => {
  expect(await readKeptMessages(join(dir, 'none.jsonl'), 0)).toEqual([]);
  expect(await readKeptMessages(dir, 0)).toBeNull();
  expect(await readKeptMessages(write(''), 0)).toEqual([]);
});
