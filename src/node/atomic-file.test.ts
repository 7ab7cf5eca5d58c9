/** Atomic files and private directories. */
import {
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensurePrivateDir, FileError, writeFileAtomic } from './atomic-file.ts';

const isRoot = process.getuid?.() === 0;
const OTHER_UID = 12345;
let dir = '';
let umask = 0;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sb-atomic-'));
  umask = process.umask();
});
afterEach(() => {
  process.umask(umask);
  rmSync(dir, { recursive: true });
});

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

test.each([0o000, 0o022, 0o777])('[ST3] a file gets its mode whatever the umask (%o)', async (mask) => {
  process.umask(mask);
  await writeFileAtomic(join(dir, 'a.json'), '{}');
  await writeFileAtomic(join(dir, 'b.sh'), Buffer.from('x'), { mode: 0o755 });
  process.umask(umask);
  expect([modeOf(join(dir, 'a.json')), modeOf(join(dir, 'b.sh'))]).toEqual([0o600, 0o755]);
});

test('a write replaces the whole file and leaves nothing else behind', async () => {
  const path = join(dir, 'meta.json');
  await writeFileAtomic(path, 'x'.repeat(1000));
  await writeFileAtomic(path, '{"a":1}');
  expect(readFileSync(path, 'utf8')).toBe('{"a":1}');
  await Promise.all(Array.from({ length: 20 }, (_, i) => writeFileAtomic(path, String(i).repeat(5000))));
  expect(new Set(readFileSync(path, 'utf8').match(/\d/g)).size).toBeLessThanOrEqual(2);
  expect(readdirSync(dir)).toEqual(['meta.json']);
});

test('a failed write keeps the system code and cleans up', async () => {
  mkdirSync(join(dir, 'taken'));
  const failure = await writeFileAtomic(join(dir, 'taken'), 'x').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(FileError);
  expect(failure).toMatchObject({ code: 'EISDIR', path: join(dir, 'taken') });
  expect(readdirSync(dir)).toEqual(['taken']);
  await expect(writeFileAtomic(join(dir, 'none', 'x'), '')).rejects.toMatchObject({ code: 'ENOENT' });
});

test.each([0o000, 0o277])('[ST3] missing directories are made 0700 whatever the umask (%o)', async (mask) => {
  mkdirSync(join(dir, 'there'), { mode: 0o755 });
  process.umask(mask);
  const outcome = await ensurePrivateDir(join(dir, 'there', 'a', 'b'));
  process.umask(umask);
  expect(outcome).toEqual({ created: true, repaired: false });
  expect(['there', 'there/a', 'there/a/b'].map((path) => modeOf(join(dir, path)))).toEqual([0o755, 0o700, 0o700]);
});

test('[ST3] an open directory is repaired once, and a link of ours is followed', async () => {
  mkdirSync(join(dir, 'data'), { mode: 0o755 });
  symlinkSync(join(dir, 'data'), join(dir, 'link'));
  expect(await ensurePrivateDir(join(dir, 'link'))).toEqual({ created: false, repaired: true });
  expect(modeOf(join(dir, 'data'))).toBe(0o700);
  expect(await ensurePrivateDir(join(dir, 'data'))).toEqual({ created: false, repaired: false });
});

test('what is not a directory is refused', async () => {
  await writeFileAtomic(join(dir, 'file'), '');
  await expect(ensurePrivateDir(join(dir, 'file'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(ensurePrivateDir(join(dir, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test.skipIf(!isRoot)("another user's directory or link is refused (needs root to set up)", async () => {
  mkdirSync(join(dir, 'theirs'), { mode: 0o700 });
  chownSync(join(dir, 'theirs'), OTHER_UID, OTHER_UID);
  mkdirSync(join(dir, 'ours'), { mode: 0o755 });
  symlinkSync(join(dir, 'ours'), join(dir, 'trap'));
  lchownSync(join(dir, 'trap'), OTHER_UID, OTHER_UID);
  await expect(ensurePrivateDir(join(dir, 'theirs'))).rejects.toMatchObject({ code: 'not_ours' });
  await expect(ensurePrivateDir(join(dir, 'trap'))).rejects.toMatchObject({ code: 'not_ours' });
  expect(modeOf(join(dir, 'ours'))).toBe(0o755);
});
