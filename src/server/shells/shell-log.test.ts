/** A log that a process writes while we read, search and rotate it. */
import { spawn } from 'node:child_process';
import { closeSync, statSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShellLog, type ShellLog } from './shell-log.ts';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'signalbox-log-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function readAll(log: ShellLog, maxBytes = 10_000): Promise<string> {
  let text = '';
  let offset = (await log.read(0, 1)).first_offset;
  for (;;) {
    const page = await log.read(offset, maxBytes);
    text += page.text;
    if (page.next_offset === offset) return text;
    offset = page.next_offset;
  }
}

test('[SH16] rotation under a writer that never stops loses and repeats nothing, and gives the disk back', async () => {
  const path = join(dir, 'busy.log');
  let base = 0;
  const log = await openShellLog(path, base, { liveBytes: 200_000, archives: 1000 });
  const fd = log.openForWriting();
  const writer = spawn('seq', ['1', '400000'], { stdio: ['ignore', fd, fd] });
  closeSync(fd);
  let isOver = false;
  writer.once('exit', () => {
    isOver = true;
  });
  const save = async (next: number) => {
    base = next;
  };
  while (!isOver) await log.rotate(save);
  await log.rotate(save);
  const expected = Array.from({ length: 400_000 }, (_, at) => `${at + 1}\n`).join('');
  expect(await readAll(log, 65_536)).toBe(expected);
  expect(base).toBeGreaterThan(0);
  expect(statSync(path).size).toBe(expected.length);
  expect(statSync(path).blocks * 512).toBeLessThan(expected.length / 2);
  // Another server finds the same bytes.
  expect(await readAll(await openShellLog(path, base))).toBe(expected);
  const tail = await log.tail(100_000, 1024 * 1024);
  expect(tail.text).toBe(expected.slice(-tail.text.length));
  expect(tail.text.split('\n')).toHaveLength(100_001);
});

test('[SH16] old archives are dropped, and what is left says where it begins', async () => {
  const path = join(dir, 'old.log');
  const log = await openShellLog(path, 0, { liveBytes: 4096, archives: 2 });
  for (let at = 0; at < 6; at += 1) {
    await writeFile(path, `${String(at).repeat(8191)}\n`, { flag: 'a' });
    await log.rotate(async () => undefined);
  }
  expect((await readdir(dir)).filter((name) => name.startsWith('old.log.'))).toHaveLength(2);
  const page = await log.read(0, 1);
  expect(page).toMatchObject({ first_offset: 4 * 8192, offset: 4 * 8192, total_bytes: 6 * 8192 });
  expect((await readAll(log)).slice(0, 3)).toBe('444');
  await log.remove();
  expect((await readdir(dir)).filter((name) => name.startsWith('old.log'))).toEqual([]);
});

test('[SH16] a character on the seam of two archives is read whole', async () => {
  const path = join(dir, 'seam.log');
  const log = await openShellLog(path, 0, { liveBytes: 4096, archives: 9 });
  const text = `${'x'.repeat(4095)}€${'y'.repeat(4096)}`;
  await writeFile(path, text.slice(0, 4095));
  await writeFile(path, Buffer.from('€').subarray(0, 1), { flag: 'a' });
  await writeFile(path, Buffer.from(text).subarray(4096), { flag: 'a' });
  await log.rotate(async () => undefined);
  expect(await readAll(log, 7)).toBe(text);
});

test('[SH10] search finds the last hits over chunks, archives and a line without an end', async () => {
  const path = join(dir, 'search.log');
  const log = await openShellLog(path, 0, { liveBytes: 300_000, archives: 9 });
  const lines = Array.from({ length: 50_000 }, (_, at) => `line ${at} ${at % 1000 === 0 ? 'NEEDLE' : ''}\n`);
  await writeFile(path, lines.slice(0, 30_000).join(''));
  await log.rotate(async () => undefined);
  await writeFile(path, `${lines.slice(30_000).join('')}needle at the end`, { flag: 'a' });
  const found = await log.search('needle', 3);
  expect(found.is_complete).toBe(false);
  expect(found.lines.map((line) => line.text.trim())).toEqual([
    'line 48000 NEEDLE',
    'line 49000 NEEDLE',
    'needle at the end',
  ]);
  const hit = found.lines[0];
  expect((await log.read(hit?.offset ?? 0, 10)).text).toBe('line 48000');
  expect((await log.search('nothing of it', 3)).lines).toEqual([]);
});
