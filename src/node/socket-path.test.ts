/** Socket paths that fit. */
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fitSocketPath } from './socket-path.ts';

const isRoot = process.getuid?.() === 0;
const LIMIT = process.platform === 'linux' ? 107 : 103;
let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sb-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const pathOf = (bytes: number): string => `/${'h'.repeat(bytes - 1)}`;

test('a path is kept up to the last byte that fits; bytes count, not characters', async () => {
  expect(await fitSocketPath(pathOf(LIMIT), { fallbackDir: dir })).toBe(pathOf(LIMIT));
  expect(await fitSocketPath(pathOf(LIMIT + 1), { fallbackDir: dir })).not.toBe(pathOf(LIMIT + 1));
  const accented = `/${'é'.repeat(60)}`;
  expect(await fitSocketPath(accented, { fallbackDir: dir })).not.toBe(accented);
});

test('a long path becomes a short one in a private directory, always the same, where a socket really appears', async () => {
  const short = await fitSocketPath(pathOf(200), { fallbackDir: dir });
  expect(short).toBe(await fitSocketPath(pathOf(200), { fallbackDir: dir }));
  expect(short).not.toBe(await fitSocketPath(pathOf(201), { fallbackDir: dir }));
  expect(statSync(dirname(short)).mode & 0o777).toBe(0o700);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(short, resolve));
  expect(statSync(short).isSocket()).toBe(true);
  await new Promise((resolve) => server.close(resolve));
});

test('a fallback that is itself too long is passed over', async () => {
  const short = await fitSocketPath(pathOf(200), { fallbackDir: join(dir, 'x'.repeat(150)) });
  expect(Buffer.byteLength(short)).toBeLessThanOrEqual(LIMIT);
});

test.skipIf(!isRoot)("another user's directory in the shared folder is refused (needs root to set up)", async () => {
  const theirs = join(dir, `signalbox-${process.getuid?.()}`);
  mkdirSync(theirs, { mode: 0o700 });
  chownSync(theirs, 12345, 12345);
  await expect(fitSocketPath(pathOf(200), { fallbackDir: dir })).rejects.toMatchObject({ code: 'not_ours' });
});
