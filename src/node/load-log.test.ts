/** Hostile and damaged files, in memory: whatever they hold, loading never throws and every good line is found. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openAppendLog } from './append-log.ts';
import { type LoadedLog, loadLog } from './load-log.ts';
import type { LogFiles, LogHandle } from './log-files.ts';
import { createLogReader } from './read-log.ts';

const MIB = 1024 * 1024;

/** `maxRead` makes every read short, so that lines meet the ends of reads in many ways. */
function createMemoryFiles(initial: Buffer, maxRead = Number.POSITIVE_INFINITY): LogFiles & { content(): Buffer } {
  const contents = new Map<string, Buffer>([['t.jsonl', initial]]);
  return {
    content: () => contents.get('t.jsonl') ?? Buffer.alloc(0),
    syncDirectory: () => Promise.resolve(),
    async open(path, access): Promise<LogHandle> {
      if (!contents.has(path) && access === 'read') throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
      const get = (): Buffer => contents.get(path) ?? Buffer.alloc(0);
      return {
        isWriteSynced: false,
        stat: async () => ({ size: get().length, dev: 1, ino: 1 }),
        read: async (target, position) => get().copy(target, 0, position, Math.min(get().length, position + maxRead)),
        async write(bytes, position) {
          contents.set(path, Buffer.concat([get().subarray(0, position ?? get().length), bytes]));
          return bytes.length;
        },
        datasync: () => Promise.resolve(),
        truncate: async (size) => void contents.set(path, get().subarray(0, size)),
        close: () => Promise.resolve(),
      };
    },
  };
}

async function load(content: Buffer, maxRead?: number): Promise<LoadedLog & { lines: string[] }> {
  const files = createMemoryFiles(content, maxRead);
  const handle = await files.open('t.jsonl', 'read');
  const loaded = await loadLog(files, handle, { path: 't.jsonl', firstSeq: 1, acceptTail: true });
  const { lines } = await createLogReader({ path: 't.jsonl', index: loaded.index, files }).read({ limit: 1e6 });
  return { ...loaded, lines };
}

const goodLine = fc.dictionary(fc.string({ unit: 'binary', maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
});
/** Lines that are no entries where they stand; `seq` is that of the last good line. */
const badLine = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => () => Buffer.from(bytes.filter((byte) => byte !== 10))),
  fc
    .constantFrom(
      '',
      ' ',
      '\r',
      'null',
      '[]',
      '{}',
      '{"seq":1e309}',
      '{"seq":-1}',
      '{"seq":"3"}',
      '{"seq":0}',
      '{"__proto__":{"seq":2}}',
      '{"seq":99999999999,"far":1}',
      '\ufeff{"a":1}',
      `${'['.repeat(5000)}`,
    )
    .map((text) => () => Buffer.from(text)),
  fc.nat(30).map((back) => (seq: number) => Buffer.from(`{"seq":${Math.max(0, seq - back)},"again":true}`)),
  fc
    .nat(30)
    .map((cut) => (seq: number) => Buffer.from(`{"seq":${seq + 1},"a":{"b":{"c":1}}}`.slice(0, -1 - (cut % 25)))),
);
/** One entry numbered far too high, as a damaged digit makes it. */
const jump = fc.integer({ min: 100, max: 10_000 }).map((far) => (seq: number) => Buffer.from(`{"seq":${seq + far}}`));
const piece = fc.record({
  good: goodLine,
  isLost: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  bad: fc.array(badLine, { maxLength: 3 }),
  jump: fc.option(jump, { freq: 3 }),
});
type Piece = typeof piece extends fc.Arbitrary<infer T> ? T : never;

function makeFile(pieces: Piece[]): { good: string[]; all: Buffer[] } {
  const good: string[] = [];
  const all: Buffer[] = [];
  let lastGood = 0;
  for (const [i, { good: rest, isLost, bad, jump: far }] of pieces.entries()) {
    const line = JSON.stringify({
      seq: i + 1,
      ...Object.fromEntries(Object.entries(rest).map(([k, v]) => [`_${k}`, v])),
    });
    if (!isLost) {
      lastGood = i + 1;
      good.push(line);
    }
    all.push(Buffer.from(isLost ? `x${line}` : line));
    for (const make of bad) all.push(make(lastGood));
    // Which of two numberings is right can be told only if the old one goes on.
    const goesOn = !isLost && pieces.slice(i + 1).some((later) => !later.isLost);
    if (far !== null && goesOn) all.push(far(lastGood));
  }
  return { good, all };
}

test('[ST6] fuzzed files: every good line is returned, in order, and every other line is counted once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 300 }), async (pieces, maxRead) => {
      const { good, all } = makeFile(pieces);
      const loaded = await load(Buffer.concat(all.flatMap((line) => [line, Buffer.from('\n')])), maxRead);
      expect(loaded.lines).toEqual(good);
      expect(loaded.skipped.count).toBe(all.length - good.length);
      expect(loaded.tail).toBe('none');
    }),
    { numRuns: 500 },
  );
});

test('[ST6] any bytes at all: opening for append never throws and the next entry is readable', async () => {
  const token = fc.constantFrom(
    '{"seq":1,"a":1}',
    '{"seq":2}',
    '{"seq":',
    '\n',
    '}',
    '\0',
    ',',
    '!',
    '{"seq":7,"b":{}}\n',
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
    fc.array(token, { maxLength: 20 }).map((tokens) => Buffer.from(tokens.join(''))),
  );
  await fc.assert(
    fc.asyncProperty(bytes, bytes, async (content, idx) => {
      const files = createMemoryFiles(content);
      const handle = await files.open('t.idx', 'index');
      await handle.write(idx, 0);
      const log = await openAppendLog({ path: 't.jsonl', files });
      const before = log.index.count();
      const { seq } = log.append((next) => `{"seq":${next},"new":{}}`);
      await log.close();
      const again = await load(files.content());
      expect(again.lines).toHaveLength(before + 1);
      expect(again.lines.at(-1)).toBe(`{"seq":${seq},"new":{}}`);
      expect(again.tail).toBe('none');
    }),
    { numRuns: 500 },
  );
});

test('one wrong digit does not hide the entries behind it, an edited file keeps its numbers', async () => {
  const seqsOf = async (seqs: number[]): Promise<number[]> => {
    const { lines } = await load(Buffer.from(seqs.map((seq) => `{"seq":${seq}}\n`).join('')));
    return lines.map((line) => Number(line.slice(7, -1)));
  };
  expect(await seqsOf([1, 2, 93, 4, 5])).toEqual([1, 2, 4, 5]);
  expect(await seqsOf([1, 2, 0, 4, 5])).toEqual([1, 2, 4, 5]);
  expect(await seqsOf([900, 901, 905, 906])).toEqual([900, 901, 905, 906]);
  expect(await seqsOf([1, 2, 3, 70])).toEqual([1, 2, 3, 70]);
  expect(await seqsOf([1, 2, 2, 1, 3])).toEqual([1, 2, 3]);
  expect(await seqsOf([2 ** 31 + 2, 1])).toEqual([1]);
});

test('[ST6] a line over 64 MiB is skipped and counted, one of 50 MB is an entry', async () => {
  const good = (seq: number, length: number): Buffer => Buffer.from(`{"seq":${seq},"a":"${'x'.repeat(length)}"}\n`);
  const content = Buffer.concat([good(1, 1), good(2, 65 * MIB), good(3, 50_000_000), good(4, 1)]);
  const files = createMemoryFiles(content);
  const handle = await files.open('t.jsonl', 'read');
  const { index, skipped } = await loadLog(files, handle, { path: 't.jsonl', firstSeq: 1, acceptTail: false });
  expect([0, 1, 2].map((position) => index.at(position).seq)).toEqual([1, 3, 4]);
  expect(skipped).toEqual({ count: 1, lines: [{ offset: 18, bytes: 65 * MIB + 16, reason: 'too_long' }] });
});

test('the report of skipped lines is bounded, the count is not; an index file keeps the damage known', async () => {
  const content = Buffer.from(
    `{"seq":1}\n${'bad\n'.repeat(1000)}${Array.from({ length: 300 }, (_, i) => `{"seq":${i + 2}}\n`).join('')}`,
  );
  const loaded = await load(content);
  expect([loaded.skipped.count, loaded.skipped.lines.length]).toEqual([1000, 100]);
  expect(loaded.skipped.lines[0]).toEqual({ offset: 10, bytes: 3, reason: 'not_json' });
  const files = createMemoryFiles(content);
  await (await openAppendLog({ path: 't.jsonl', files })).close();
  const log = await openAppendLog({ path: 't.jsonl', files });
  expect(log.skipped).toEqual({ count: 1, lines: [{ offset: 10, bytes: 4000, reason: 'skipped_before' }] });
  await log.close();
});

test('far from the end a line is judged by its ends, but never with a raw NUL in it', async () => {
  const hole = Buffer.from(`{"seq":2,"a":"${'\0'.repeat(100)}"}\n`);
  const filler = Buffer.from(
    Array.from({ length: 6 }, (_, i) => `{"seq":${i + 3},"a":"${'x'.repeat(MIB)}"}\n`).join(''),
  );
  const loaded = await load(
    Buffer.concat([Buffer.from('{"seq":1}\n'), hole, Buffer.from('{"seq":2,"b":1}\n'), filler]),
  );
  expect(loaded.lines[1]).toBe('{"seq":2,"b":1}');
  expect(loaded.skipped.lines).toEqual([{ offset: 10, bytes: hole.length - 1, reason: 'not_json' }]);
});
