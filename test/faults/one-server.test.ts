/** One server per home, private files, and a home on a full disk. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFile, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { canMount } from '../../src/testing/small-disk.ts';

const CLI = join(import.meta.dirname, '../../dist/bin/signalbox.js');
let box: Box;
afterEach(() => box.close());

const second = () =>
  spawnSync(
    process.execPath,
    [CLI, 'serve', '--json', '--no-open', '--port', '0', '--home', box.home, '--codex-home', box.codexHome],
    {
      encoding: 'utf8',
      timeout: 20_000,
    },
  );

test('[FT6] a second server exits with 75 and names the first, also while the first is stopped', async () => {
  box = await openBox();
  const refused = second();
  expect(refused.status).toBe(75);
  expect(refused.stderr + refused.stdout).toContain(String(box.pid()));
  process.kill(box.pid(), 'SIGSTOP');
  try {
    expect(second().status).toBe(75);
  } finally {
    process.kill(box.pid(), 'SIGCONT');
  }
  await box.restart();
  expect((await box.call('status', {})).status).toBe(200);
});

test('[FT10] every file is 0600 and every directory 0700 under umask 000', async () => {
  box = await openBox();
  const umask = process.umask(0);
  try {
    await box.restart();
    const id = await box.create();
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text: 'hello' });
    await watcher.turnEnd();
  } finally {
    process.umask(umask);
  }
  const names = await readdir(box.home, { recursive: true });
  const looks = ['.', ...names].map(async (name) => {
    // A file that is being written gets its name in the end: it may be gone since the folder was read.
    const found = await stat(join(box.home, name)).catch((error) =>
      error.code === 'ENOENT' ? null : Promise.reject(error),
    );
    return found === null ? [] : [[name, found.mode & 0o777] as const];
  });
  const modes = (await Promise.all(looks)).flat();
  expect(modes.length).toBeGreaterThan(6);
  expect(modes.filter(([, mode]) => (mode & 0o077) !== 0)).toEqual([]);
});

/** A small file system of its own; needs root. */
const isMountable = canMount();

test.skipIf(!isMountable)(
  `[FT7] a home on a full disk answers 507, keeps what it has, and heals${isMountable ? '' : ' (skipped: mounting a tmpfs is not permitted)'}`,
  async () => {
    box = await openBox();
    const conversations = join(box.home, 'conversations');
    await mkdir(conversations, { recursive: true, mode: 0o700 });
    await box.kill('SIGTERM');
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0700', 'tmpfs', conversations]);
    const ballast = join(conversations, 'ballast');
    try {
      await box.restart();
      const id = await box.create();
      const watcher = await box.watch(id);
      await box.must('sendMessage', { conversation_id: id, text: 'stored' });
      await watcher.turnEnd(1);
      const before = await box.entries(id);
      // Again when the server has just let go of a file: that is room for a small one.
      const create = async () => {
        await appendFile(ballast, Buffer.alloc(2 * 1024 * 1024)).catch(() => undefined);
        return box.call('createConversation', { cwd: box.project });
      };
      await expect.poll(create).toMatchObject({ status: 507, body: { code: 'storage_full' } });
      expect(await box.entries(id)).toEqual(before);
      execFileSync('rm', [ballast]);
      const note = await box.must('appendNote', { conversation_id: id, text: 'healed' });
      expect(note.seq).toBe(before.length + 1);
      expect((await box.entries(id)).at(-1)).toMatchObject({ role: 'note', text: 'healed' });
    } finally {
      await box.kill('SIGTERM');
      execFileSync('umount', ['-l', conversations]);
    }
  },
);

test('[FT6] a killed server frees its home at once', async () => {
  box = await openBox();
  await box.kill('SIGKILL');
  const child = spawn(process.execPath, [
    CLI,
    'serve',
    '--json',
    '--no-open',
    '--port',
    '0',
    '--home',
    box.home,
    '--codex-home',
    box.codexHome,
  ]);
  const line = await new Promise<string>((done) => child.stdout.once('data', (data: Buffer) => done(data.toString())));
  expect(JSON.parse(line)).toMatchObject({ event: 'ready' });
  child.kill('SIGTERM');
  await new Promise((done) => child.once('exit', done));
});
