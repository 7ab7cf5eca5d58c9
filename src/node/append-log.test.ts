/** The append log: what it acknowledges, how it heals, what it promises when the storage fails. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAppendLog } from './append-log.ts';
import { type LogFiles, systemLogFiles } from './log-files.ts';
import { openLogReader } from './read-log.ts';

let dir = '';
let path = '';
let idx = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sb-log-'));
  path = join(dir, 't.jsonl');
  idx = join(dir, 't.idx');
});
afterEach(() => rmSync(dir, { recursive: true }));

const lineOf = (seq: number, text = `t${seq}`): string => `{"seq":${seq},"a":{"b":[{"text":"${text}"}]}}`;

async function readAll(): Promise<string[]> {
  const reader = await openLogReader({ path });
  const { lines } = await reader.read({ limit: 1_000_000 });
  await reader.close();
  return lines;
}

async function writeLines(count: number): Promise<void> {
  const log = await openAppendLog({ path });
  for (let i = 0; i < count; i += 1) log.append((seq) => lineOf(seq));
  await log.close();
}

test('seq is dense and given at once; what was appended is read back in order, over restarts', async () => {
  const log = await openAppendLog({ path, firstSeq: 1 });
  const first = log.append((seq) => lineOf(seq, 'é\u2028'));
  const second = log.append((seq) => lineOf(seq));
  expect([first.seq, second.seq, log.nextSeq(), log.lastDurableSeq()]).toEqual([1, 2, 3, 0]);
  expect(log.queuedBytes()).toBe(Buffer.byteLength(lineOf(1, 'é\u2028') + lineOf(2)) + 2);
  await log.drain();
  expect([log.lastDurableSeq(), log.queuedBytes(), log.state()]).toEqual([2, 0, 'ok']);
  expect(readFileSync(path).subarray(second.offset).toString()).toBe(`${lineOf(2)}\n`);
  await log.close();

  const again = await openAppendLog({ path });
  expect(again.skipped).toEqual({ count: 0, lines: [] });
  await again.append((seq) => lineOf(seq)).done;
  await again.close();
  expect(await readAll()).toEqual([lineOf(1, 'é\u2028'), lineOf(2), lineOf(3)]);
});

test('lines of one turn share one write and one sync, and none is done before the sync', async () => {
  const calls: string[] = [];
  let releaseSync: () => void = () => undefined;
  const files: LogFiles = {
    ...systemLogFiles,
    async open(openPath, access) {
      const handle = await systemLogFiles.open(openPath, access);
      if (access !== 'append') return handle;
      return {
        ...handle,
        isWriteSynced: false,
        write: (bytes) => {
          calls.push(`write ${bytes.length}`);
          return handle.write(bytes);
        },
        datasync: async () => {
          calls.push('sync');
          await new Promise<void>((resolve) => {
            releaseSync = resolve;
          });
          await handle.datasync();
          calls.push('synced');
        },
      };
    },
  };
  const log = await openAppendLog({ path, files });
  const pendings = Array.from({ length: 50 }, () => log.append((seq) => lineOf(seq)));
  for (const { done, seq } of pendings) done.then(() => calls.push(`done ${seq}`)).catch(() => undefined);
  while (!calls.includes('sync')) await new Promise((resolve) => setImmediate(resolve));
  const late = log.append((seq) => lineOf(seq));
  const bytes = pendings.reduce((sum, { seq }) => sum + lineOf(seq).length + 1, 0);
  expect(calls).toEqual([`write ${bytes}`, 'sync']);
  expect(log.lastDurableSeq()).toBe(0);
  releaseSync();
  await pendings.at(-1)?.done;
  await new Promise((resolve) => setImmediate(resolve));
  expect(log.lastDurableSeq()).toBe(50);
  // The next write is under way before anyone hears of the last.
  const next = `write ${lineOf(late.seq).length + 1}`;
  expect(calls.slice(2, 54)).toEqual(['synced', next, ...pendings.map(({ seq }) => `done ${seq}`)]);
  while (calls.filter((call) => call === 'sync').length < 2) await new Promise((resolve) => setImmediate(resolve));
  releaseSync();
  await late.done;
  await log.close();
  expect(await readAll()).toHaveLength(51);
});

test('a builder that breaks the rules throws, uses up no seq and leaves the file alone', async () => {
  const log = await openAppendLog({ path });
  const bad = ['{"seq":1,"a":"\n"}', '{"seq":2}', '{"a":1,"seq":1}', '{"seq":1,"a":1', '{"seq":12}', ''];
  for (const text of bad) expect(() => log.append(() => text)).toThrow('newline');
  expect(() => log.append((seq) => lineOf(seq + log.append((inner) => lineOf(inner)).seq - 1))).toThrow('inside');
  await log.drain();
  expect(log.append((seq) => `{"seq":${seq}}`).seq).toBe(2);
  await log.close();
  await log.close();
  expect(() => log.append((seq) => lineOf(seq))).toThrow('closed');
  expect(await readAll()).toEqual([lineOf(1), '{"seq":2}']);
});

test('[ST2] torn at every byte of the last two records: only the torn one is lost and the next append is whole', async () => {
  await writeLines(4);
  const whole = readFileSync(path);
  const thirdStart = whole.indexOf(lineOf(3));
  const goodIdx = readFileSync(idx);
  for (let cut = thirdStart; cut <= whole.length; cut += 1) {
    for (const withIdx of [true, false]) {
      writeFileSync(path, whole.subarray(0, cut));
      if (withIdx) writeFileSync(idx, goodIdx);
      else rmSync(idx, { force: true });
      const kept = [1, 2, 3, 4].map((seq) => lineOf(seq)).filter((line) => whole.indexOf(line) + line.length <= cut);
      const isTorn =
        cut !== thirdStart &&
        whole[cut - 1] !== 0x0a &&
        !kept.some((line) => whole.indexOf(line) + line.length === cut);

      const log = await openAppendLog({ path });
      expect([log.nextSeq(), log.skipped.count], `cut at ${cut}`).toEqual([kept.length + 1, isTorn ? 1 : 0]);
      await log.append((seq) => lineOf(seq, 'next')).done;
      await log.close();
      const expected = [...kept, lineOf(kept.length + 1, 'next')];
      expect(await readAll(), `cut at ${cut}`).toEqual(expected);
      rmSync(idx);
      expect(await readAll(), `cut at ${cut}, rebuilt`).toEqual(expected);
      const raw = readFileSync(path, 'utf8').trimEnd().split('\n');
      expect(raw.filter((line) => !isJson(line))).toHaveLength(isTorn ? 1 : 0);
    }
  }
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('[ST2] a fragment cut behind a brace stays refused when it is no longer near the end', async () => {
  await writeLines(1);
  const torn = lineOf(2).slice(0, -1);
  expect(torn.endsWith('}')).toBe(true);
  writeFileSync(path, torn, { flag: 'a' });
  const log = await openAppendLog({ path });
  // More than the part of the end that is parsed whole, so the rebuild sees the fragment only by its ends.
  for (let i = 0; i < 6; i += 1) log.append((seq) => lineOf(seq, 'x'.repeat(1024 * 1024)));
  await log.close();
  rmSync(idx);
  const lines = await readAll();
  expect(lines.map((line) => line.slice(0, 9))).toEqual([1, 2, 3, 4, 5, 6, 7].map((seq) => `{"seq":${seq},`));
  expect(lines.every(isJson)).toBe(true);
});

test('an index file that is cut, changed, foreign or missing never changes what is read', async () => {
  await writeLines(6);
  const expected = await readAll();
  const good = readFileSync(idx);
  expect(good.length).toBe(16 + 6 * 16);
  for (let at = 0; at < good.length; at += 1) {
    writeFileSync(idx, good.subarray(0, at));
    expect(await readAll(), `cut at ${at}`).toEqual(expected);
    for (const delta of [1, 128, 255]) {
      const changed = Buffer.from(good);
      changed.writeUInt8((changed.readUInt8(at) + delta) % 256, at);
      writeFileSync(idx, changed);
      expect(await readAll(), `changed at ${at}`).toEqual(expected);
    }
  }
  rmSync(idx);
  expect(await readAll()).toEqual(expected);
  mkdirSync(idx);
  await writeLines(1);
  expect(await readAll()).toEqual([...expected, lineOf(7)]);
});

test('a log that was edited by hand is read as it is now, and the index file follows', async () => {
  await writeLines(5);
  writeFileSync(path, `${[1, 3, 4, 5].map((seq) => lineOf(seq, 'edited')).join('\n')}\n`);
  await writeLines(1);
  expect(await readAll()).toEqual([...[1, 3, 4, 5].map((seq) => lineOf(seq, 'edited')), lineOf(6)]);
  const byIdx = await readAll();
  rmSync(idx);
  expect(await readAll()).toEqual(byIdx);
});

test('the index file grows while the log is open, and a stale one costs a scan of the rest only', async () => {
  const log = await openAppendLog({ path });
  for (let i = 0; i < 300; i += 1) log.append((seq) => lineOf(seq));
  await log.drain();
  await log.append((seq) => lineOf(seq)).done;
  await expect.poll(() => statSync(idx).size).toBeGreaterThanOrEqual(16 + 16 * 256);
  copyFileSync(idx, join(dir, 'old.idx'));
  await log.close();
  copyFileSync(join(dir, 'old.idx'), idx);
  expect(await readAll()).toHaveLength(301);
});

test.each([0o000, 0o277])('[ST3] both files are 0600 whatever the umask (%o) and whatever they were', async (mask) => {
  const umask = process.umask(mask);
  await writeLines(1);
  process.umask(umask);
  expect([path, idx].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  execFileSync('chmod', ['644', path, idx]);
  await writeLines(1);
  expect([path, idx].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
});

test('links, pipes and directories are refused, and a link in place of the index is not followed', async () => {
  const target = join(dir, 'target');
  writeFileSync(target, 'precious');
  symlinkSync(target, path);
  await expect(openAppendLog({ path })).rejects.toMatchObject({ code: 'ELOOP' });
  execFileSync('mkfifo', [join(dir, 'pipe.jsonl')]);
  await expect(openAppendLog({ path: join(dir, 'pipe.jsonl') })).rejects.toMatchObject({ code: 'not_a_file' });
  await expect(openAppendLog({ path: dir })).rejects.toMatchObject({ code: 'EISDIR' });
  await expect(openAppendLog({ path: join(dir, 'none', 'x.jsonl') })).rejects.toMatchObject({ code: 'ENOENT' });
  rmSync(path);
  symlinkSync(target, idx);
  await writeLines(2);
  expect(readFileSync(target, 'utf8')).toBe('precious');
  expect(await readAll()).toHaveLength(2);
  expect(existsSync(path)).toBe(true);
});
