/** What debug mode leaves on disk. */
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../node/clock.ts';
import { createDebugFile } from './debug-file.ts';
import { createDebugRing } from './debug-ring.ts';

async function place() {
  const dir = await mkdtemp(join(tmpdir(), 'signalbox-debug-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return join(dir, 'debug_raw.jsonl');
}

const lines = async (path: string) => (await readFile(path, 'utf8')).trimEnd().split('\n');

test('[DB1] every line, whole and private, and nothing while debug mode is off', async () => {
  const path = await place();
  const ring = createDebugRing(systemClock, false, createDebugFile(path));
  ring.note('in', 'before');
  await expect(stat(path)).rejects.toThrow();
  ring.setEnabled(true);
  const long = 'x'.repeat(100_000);
  ring.note('in', long);
  ring.note('out', 'second');
  ring.setEnabled(false);
  ring.note('in', 'after');
  ring.close();
  expect((await lines(path)).map((line) => JSON.parse(line))).toMatchObject([
    { dir: 'in', line: long },
    { dir: 'out', line: 'second' },
  ]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('[DB1] a full file becomes the one before it; a file of another mode is closed to others', async () => {
  const path = await place();
  await writeFile(path, 'old\n', { mode: 0o644 });
  const file = createDebugFile(path, 100);
  for (let at = 0; at < 30; at += 1) file.write(`${at}`.padStart(19, '.'));
  file.close();
  expect((await stat(path)).size + (await stat(`${path}.1`)).size).toBeLessThanOrEqual(240);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await lines(path)).at(-1)).toBe('29'.padStart(19, '.'));
});

test('[DB1] a link in its place is not followed, and nothing fails', async () => {
  const path = await place();
  await symlink('/dev/null', path);
  const file = createDebugFile(path);
  file.write('x');
  file.close();
  expect((await stat(path)).isCharacterDevice()).toBe(true);
});

test('[DB2] no key of an account is kept', async () => {
  const path = await place();
  const ring = createDebugRing(systemClock, true, createDebugFile(path));
  ring.note('out', '{"method":"account/login/start","params":{"type":"apiKey","apiKey":"sk-se\\"cret"}}');
  ring.note('in', '{"accessToken" : "abc","text":"apiKey"}');
  ring.close();
  const kept = JSON.stringify([ring.lines(10), await lines(path)]);
  expect(kept).not.toMatch(/sk-se|cret|abc/);
  expect(kept).toContain('[redacted]');
});
