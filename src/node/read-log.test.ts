/** Pages of a log, and what they cost. */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAppendLog } from './append-log.ts';
import { type LogFiles, systemLogFiles } from './log-files.ts';
import { createLogReader, type LogQuery, openLogReader } from './read-log.ts';

let dir = '';
let path = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sb-read-'));
  path = join(dir, 't.jsonl');
});
afterEach(() => rmSync(dir, { recursive: true }));

const lineOf = (seq: number): string => `{"seq":${seq},"text":"${'é'.repeat(seq % 7)}"}`;

/** Real files that count what is read. */
function createCountingFiles(): LogFiles & { reads: number[] } {
  const reads: number[] = [];
  return {
    ...systemLogFiles,
    reads,
    async open(openPath, access) {
      const handle = await systemLogFiles.open(openPath, access);
      return {
        ...handle,
        async read(target, position) {
          const count = await handle.read(target, position);
          reads.push(count);
          return count;
        },
      };
    },
  };
}

/** Good lines, and between them what a damaged file holds. */
function writeDamaged(seqs: number[]): void {
  const garbage = ['', 'garbage', '{"seq":1,"text":"again"}', '{"seq":2,"cut":{"a":1}', '\0\0\0'];
  writeFileSync(path, seqs.map((seq, i) => `${garbage[i % garbage.length]}\n${lineOf(seq)}\n`).join(''));
}

test('pages agree with a plain list, over gaps and garbage', async () => {
  const seqs = Array.from({ length: 60 }, (_, i) => i + 1).filter((seq) => seq % 9 !== 0 || seq === 1);
  writeDamaged(seqs);
  const reader = await openLogReader({ path });
  expect(reader.total()).toBe(seqs.length);
  const bound = fc.option(fc.integer({ min: -2, max: 64 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(bound, bound, fc.nat(70), async (before, after, limit) => {
      const query: LogQuery = { limit };
      if (before !== undefined) query.before = before;
      if (after !== undefined) query.after = after;
      const within = seqs.filter((seq) => seq < (before ?? 99) && seq > (after ?? -9));
      const page = after === undefined ? within.slice(Math.max(0, within.length - limit)) : within.slice(0, limit);
      expect(await reader.read(query)).toEqual({
        lines: page.map(lineOf),
        firstSeq: page[0] ?? null,
        lastSeq: page.at(-1) ?? null,
        hasMore: page.length < within.length,
      });
    }),
    { numRuns: 200 },
  );
  await reader.close();
});

test('a page of a long log is one read of exactly its bytes, wherever it lies', async () => {
  const count = 100_000;
  writeFileSync(path, `${Array.from({ length: count }, (_, i) => lineOf(i + 1)).join('\n')}\n`);
  const log = await openAppendLog({ path });
  await log.close();

  const files = createCountingFiles();
  const reader = await openLogReader({ path, files });
  const opened = files.reads.splice(0).reduce((sum, bytes) => sum + bytes, 0);
  expect(opened).toBeLessThan(16 + count * 16 + 1000);
  for (const query of [
    { limit: 50 },
    { limit: 50, before: 50_000 },
    { limit: 50, after: 0 },
    { limit: 1, after: 777 },
  ]) {
    const { lines } = await reader.read(query);
    expect(lines).toHaveLength(query.limit);
    expect(files.reads.splice(0)).toEqual([lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)]);
  }
  await reader.close();
});

test('a large damaged stretch is jumped, not read', async () => {
  writeFileSync(path, `${lineOf(1)}\n${'x'.repeat(1_000_000)}\n${lineOf(2)}\n`);
  const files = createCountingFiles();
  const reader = await openLogReader({ path, files });
  files.reads.length = 0;
  expect((await reader.read({ limit: 9 })).lines).toEqual([lineOf(1), lineOf(2)]);
  expect(files.reads).toEqual([lineOf(1), lineOf(2)].map((line) => Buffer.byteLength(line) + 1));
  await reader.close();
});

test('a page is limited in bytes but never empty for that', async () => {
  writeFileSync(path, [1, 2, 3, 4].map((seq) => `{"seq":${seq},"t":"${'x'.repeat(1000)}"}\n`).join(''));
  const reader = await openLogReader({ path });
  const seqsOf = async (query: LogQuery): Promise<unknown> => {
    const { firstSeq, lastSeq, hasMore } = await reader.read(query);
    return [firstSeq, lastSeq, hasMore];
  };
  expect(await seqsOf({ limit: 9, maxBytes: 2100 })).toEqual([3, 4, true]);
  expect(await seqsOf({ limit: 9, maxBytes: 10 })).toEqual([4, 4, true]);
  expect(await seqsOf({ limit: 9, maxBytes: 2100, after: 0 })).toEqual([1, 2, true]);
  expect(await seqsOf({ limit: 9, maxBytes: 2100, after: 2 })).toEqual([3, 4, false]);
  await reader.close();
});

test('with the index of the writer a reader sees what is durable, and nothing before', async () => {
  const log = await openAppendLog({ path });
  const reader = createLogReader({ path, index: log.index });
  expect(await reader.read({ limit: 5 })).toEqual({ lines: [], firstSeq: null, lastSeq: null, hasMore: false });
  const pending = log.append(lineOf);
  expect(reader.total()).toBe(0);
  await pending.done;
  expect((await reader.read({ limit: 5 })).lines).toEqual([lineOf(1)]);
  await reader.close();
  await log.close();
});

test('opening read-only changes nothing: no heal, no index file, no times; an unended last line is not served', async () => {
  writeFileSync(path, `${lineOf(1)}\n${lineOf(2)}`);
  utimesSync(path, 1000, 1000);
  const before = readFileSync(path);
  const reader = await openLogReader({ path });
  expect((await reader.read({ limit: 5 })).lines).toEqual([lineOf(1)]);
  expect(reader.skipped).toEqual({
    count: 1,
    lines: [{ offset: Buffer.byteLength(lineOf(1)) + 1, bytes: Buffer.byteLength(lineOf(2)), reason: 'torn' }],
  });
  await reader.close();
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(statSync(path).mtimeMs).toBe(1_000_000);
  expect(readdirSync(dir)).toEqual(['t.jsonl']);
});

test('a missing file and a link are errors with the system code', async () => {
  await expect(openLogReader({ path })).rejects.toMatchObject({ code: 'ENOENT' });
  symlinkSync('/etc/passwd', path);
  await expect(openLogReader({ path })).rejects.toMatchObject({ code: 'ELOOP' });
});

test('lines that moved under the reader are left out, not served in pieces', async () => {
  writeFileSync(path, [1, 2, 3].map((seq) => `${lineOf(seq)}\n`).join(''));
  const reader = await openLogReader({ path });
  writeFileSync(path, `${lineOf(1)}\n`);
  expect((await reader.read({ limit: 5 })).lines).toEqual([lineOf(1)]);
  await reader.close();
});

test('lines are picked whatever the order they are asked for in', async () => {
  writeFileSync(path, [1, 2, 3, 4].map((seq) => `${lineOf(seq)}\n`).join(''));
  const reader = await openLogReader({ path });
  expect(await reader.pick([1, 4, 3])).toEqual([1, 3, 4].map(lineOf));
  expect(await reader.pick([3, 1])).toEqual([1, 3].map(lineOf));
  await reader.close();
});

test('lines are picked by seq over gaps and garbage, those side by side in one read', async () => {
  const seqs = Array.from({ length: 60 }, (_, i) => i + 1).filter((seq) => seq % 9 !== 0);
  writeDamaged(seqs);
  const files = createCountingFiles();
  const reader = await openLogReader({ path, files });
  files.reads.length = 0;
  const wanted = [3, 9, 10, 12, 40, 59, 60, 61];
  expect(await reader.pick(wanted)).toEqual(wanted.filter((seq) => seqs.includes(seq)).map(lineOf));
  expect(files.reads.length).toBe(1);
  expect(await reader.pick([9, 70])).toEqual([]);
  await reader.close();
});
