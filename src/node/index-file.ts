/** The index file beside a log (`x.jsonl` → `x.idx`): a cache that is checked when read and can always be rebuilt. Used by load-log and append-log. */

import { type LogFiles, type LogHandle, readFully, writeFully } from './log-files.ts';
import { createLogIndex, decodeRecord, type EntryPlace, entryEnd, type LogIndex, RECORD_BYTES } from './log-index.ts';
import { classifyLine, MAX_LINE_BYTES } from './log-line.ts';
import { createSerial } from './serial.ts';

export interface IndexFile {
  /** Begins to append what is new once enough has gathered; a failure is no harm, the next open scans a little more. */
  flushWhenDue(): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** The bytes between two entries, which an earlier scan refused. */
export interface IndexGap {
  offset: number;
  bytes: number;
}

const MAGIC = Buffer.from('SBXIDX01');
const HEADER_BYTES = 16;
/** A crash costs a scan of at most this many entries; writing them one by one would cost a system call for each. */
const FLUSH_RECORDS = 256;
/** `{"seq":1}` and its newline. */
const MIN_LINE_BYTES = 10;
/** Beyond this a scan is as cheap as asking line by line. */
const MAX_CHECKED_LINES = 200;
const NEWLINE = 0x0a;

/** An empty index when there is no valid file for a log of this size. */
export async function readIndexFile(
  files: LogFiles,
  log: LogHandle,
  options: { path: string; firstSeq: number; size: number },
): Promise<{ index: LogIndex; gaps: IndexGap[] }> {
  const none = { index: createLogIndex(options.firstSeq), gaps: [] };
  let records: Buffer | null;
  try {
    records = await readRecords(files, options);
  } catch {
    return none;
  }
  if (records === null) return none;
  const findings = inspectRecords(records, options);
  if (findings === null) return none;
  const index = createLogIndex(options.firstSeq, records);
  for (const position of findings.doubtful) {
    if (!(await isLineAt(log, index.at(position)))) return none;
  }
  return { index, gaps: findings.gaps };
}

export function createIndexFile(options: {
  files: LogFiles;
  path: string;
  index: LogIndex;
  indexedOnDisk: number;
}): IndexFile {
  const { files, index } = options;
  let handle: LogHandle | null = null;
  let flushed = options.indexedOnDisk;
  let dueAt = flushed + FLUSH_RECORDS;
  /** One after the other, beside the commits: none of them waits for the cache. */
  const flushing = createSerial();

  const close = async (): Promise<void> => {
    const open = handle;
    handle = null;
    await open?.close().catch(() => undefined);
  };
  const writeNew = async (): Promise<void> => {
    if (index.count() === flushed) return;
    try {
      handle ??= await openForRecords(files, options.path, index.firstSeq, flushed);
      const count = index.count();
      await writeFully(handle, Buffer.concat(index.records(flushed)), HEADER_BYTES + flushed * RECORD_BYTES);
      flushed = count;
    } catch {
      await close();
    }
  };
  const flush = (): Promise<void> => {
    dueAt = index.count() + FLUSH_RECORDS;
    return flushing.run(writeNew);
  };
  return {
    flush,
    flushWhenDue() {
      if (index.count() >= dueAt) void flush();
    },
    close,
  };
}

function indexPath(logPath: string): string {
  return `${logPath.replace(/\.jsonl$/, '')}.idx`;
}

async function openForRecords(files: LogFiles, path: string, firstSeq: number, kept: number): Promise<LogHandle> {
  const handle = await files.open(indexPath(path), 'index');
  try {
    await handle.truncate(kept === 0 ? 0 : HEADER_BYTES + kept * RECORD_BYTES);
    if (kept === 0) await writeFully(handle, header(firstSeq), 0);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function header(firstSeq: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(bytes);
  bytes.writeDoubleLE(firstSeq, MAGIC.length);
  return bytes;
}

/** Whole records only: the last one may be cut. */
async function readRecords(
  files: LogFiles,
  options: { path: string; firstSeq: number; size: number },
): Promise<Buffer | null> {
  const handle = await files.open(indexPath(options.path), 'read');
  try {
    const { size } = await handle.stat();
    const count = Math.floor((size - HEADER_BYTES) / RECORD_BYTES);
    if (count < 1 || count > options.size / MIN_LINE_BYTES) return null;
    const bytes = Buffer.allocUnsafe(HEADER_BYTES + count * RECORD_BYTES);
    if ((await readFully(handle, bytes, 0)) !== bytes.length) return null;
    return bytes.subarray(0, HEADER_BYTES).equals(header(options.firstSeq)) ? bytes.subarray(HEADER_BYTES) : null;
  } finally {
    await handle.close();
  }
}

/**
 * Null when the records cannot belong to a log of this size. `doubtful` are the positions to compare with the log: the
 * last, which shows that nothing before it was moved, and both sides of every break in the numbering or the offsets,
 * which a damaged log has too, but which a damaged record cannot hide.
 */
function inspectRecords(
  records: Buffer,
  options: { firstSeq: number; size: number },
): { gaps: IndexGap[]; doubtful: number[] } | null {
  const view = new DataView(records.buffer, records.byteOffset, records.length);
  const count = records.length / RECORD_BYTES;
  const gaps: IndexGap[] = [];
  const doubtful = [count - 1];
  let seq = options.firstSeq - 1;
  let end = 0;
  for (let position = 0; position < count; position += 1) {
    const entry = decodeRecord(view, position * RECORD_BYTES, options.firstSeq);
    const isSound = Number.isSafeInteger(entry.offset) && entry.length > 0 && entry.length <= MAX_LINE_BYTES;
    if (!isSound || entry.seq <= seq || entry.offset < end) return null;
    if (entry.offset > end) gaps.push({ offset: end, bytes: entry.offset - end });
    if (entry.offset > end || entry.seq > seq + 1) doubtful.push(Math.max(0, position - 1), position);
    if (doubtful.length > MAX_CHECKED_LINES) return null;
    seq = entry.seq;
    end = entryEnd(entry);
  }
  return end <= options.size ? { gaps, doubtful } : null;
}

async function isLineAt(log: LogHandle, entry: EntryPlace): Promise<boolean> {
  const before = entry.offset === 0 ? 0 : 1;
  const bytes = Buffer.alloc(before + entry.length + 1);
  if ((await readFully(log, bytes, entry.offset - before)) !== bytes.length) return false;
  if (before === 1 && bytes[0] !== NEWLINE) return false;
  if (bytes.indexOf(NEWLINE, before) !== bytes.length - 1) return false;
  return classifyLine(bytes, before, bytes.length - 1, true) === entry.seq;
}
