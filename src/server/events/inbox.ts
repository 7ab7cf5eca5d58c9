/**
 * Tails `external_events.inbox.jsonl`: each line an event, each event once, whatever is done to the file. A read may be
 * repeated (after a crash, a truncation, a replacement); the ledger knows what was there before.
 */
import { constants, type FSWatcher, watch } from 'node:fs';
import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { Desk } from './desk.ts';
import { splitEventLines } from './event-lines.ts';
import { takeLines } from './take-lines.ts';

export interface Inbox {
  stop(): Promise<void>;
}

export interface InboxOptions {
  readonly path: string;
  readonly cursorPath: string;
  readonly desk: Desk;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How far we have read, and what stood just before it: a file of the same number with another text there is another file. */
interface Cursor {
  readonly dev: number;
  readonly ino: number;
  readonly offset: number;
  /** The last bytes before `offset`, base64. */
  readonly tail: string;
}

/** The watch is a hint; network file systems and containers lose some. */
const POLL_MS = 1_000;
/** While lines flow the cursor is written this often; what is read again after a crash is recognised. */
const SAVE_MS = 250;
const CHUNK_BYTES = 256 * 1024;
const TAIL_BYTES = 1024;
/** A line without an end is not held beyond this; what follows of it is no event either. */
const MAX_PENDING_BYTES = 1024 * 1024;
const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

interface OpenFile {
  readonly handle: FileHandle;
  readonly dev: number;
  readonly ino: number;
  offset: number;
  tail: Buffer;
}

export async function openInbox(options: InboxOptions): Promise<Inbox> {
  const { clock, log, path } = options;
  let file: OpenFile | null = null;
  let isStopped = false;
  let isDirty = false;
  let scanning: Promise<void> | null = null;
  let saveTimer: Timer | null = null;
  let saving: Promise<void> = Promise.resolve();
  let pollTimer: Timer | null = null;

  const save = (): Promise<void> => {
    saveTimer?.cancel();
    saveTimer = null;
    if (file === null) return saving;
    const { dev, ino, offset, tail } = file;
    const cursor: Cursor = { dev, ino, offset, tail: tail.toString('base64') };
    saving = saving
      .then(() => writeFileAtomic(options.cursorPath, `${JSON.stringify({ inbox: cursor })}\n`))
      .catch((error: unknown) => log.warn({ error, path }, 'the cursor of an inbox was not written'));
    return saving;
  };
  const saveSoon = () => {
    saveTimer ??= clock.setTimer(SAVE_MS, () => void save());
  };

  /** Reads what is there; false when something has to be tried again later. */
  const drain = async (from: OpenFile, isFinal: boolean): Promise<void> => {
    let pending = Buffer.alloc(0);
    let readTo = from.offset;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await from.handle.read(chunk, 0, CHUNK_BYTES, readTo);
      readTo += bytesRead;
      pending = Buffer.concat([pending, chunk.subarray(0, bytesRead)]);
      const isEnd = bytesRead === 0;
      const { lines, used } = splitEventLines(pending, isEnd && isFinal);
      if (lines.length > 0 && !(await takeLines(options.desk, lines, 'file'))) return;
      if (used > 0) {
        from.tail = Buffer.concat([from.tail, pending.subarray(0, used)]).subarray(-TAIL_BYTES);
        from.offset += used;
        pending = pending.subarray(used);
        saveSoon();
      }
      if (pending.length > MAX_PENDING_BYTES) {
        options.desk.quarantine(`too_large: a line of more than ${MAX_PENDING_BYTES} bytes`, '');
        from.offset += pending.length;
        from.tail = pending.subarray(-TAIL_BYTES);
        pending = Buffer.alloc(0);
      }
      if (isEnd || isStopped) return;
    }
  };

  const isStillSame = async (one: OpenFile, size: number): Promise<boolean> => {
    if (size < one.offset) return false;
    const before = Buffer.alloc(one.tail.length);
    await one.handle.read(before, 0, before.length, one.offset - before.length);
    return before.equals(one.tail);
  };

  const scan = async (): Promise<void> => {
    const found = await stat(path).catch(() => null);
    if (file !== null && (found === null || found.ino !== file.ino || found.dev !== file.dev)) {
      // Taken away or replaced: what was still in the old one comes first.
      await drain(file, found !== null);
      if (found === null) return;
      await file.handle.close();
      file = null;
    }
    if (found === null || !found.isFile()) return;
    file ??= await openAt(path, null);
    if (file === null) return;
    const { size } = await file.handle.stat();
    if (!(await isStillSame(file, size))) {
      file.offset = 0;
      file.tail = Buffer.alloc(0);
    }
    await drain(file, false);
  };

  const wake = (): void => {
    isDirty = true;
    if (isStopped) return;
    scanning ??= run().finally(() => {
      scanning = null;
      if (isDirty) wake();
    });
  };
  const run = async (): Promise<void> => {
    isDirty = false;
    await scan().catch((error: unknown) => log.warn({ error, path }, 'an inbox could not be read'));
  };
  const poll = (): void => {
    wake();
    if (!isStopped) pollTimer = clock.setTimer(POLL_MS, poll);
  };

  file = await resume(options);
  const watcher = watchFolder(dirname(path), (name) => {
    if (name === null || name === basename(path)) wake();
  });
  poll();

  return {
    async stop() {
      isStopped = true;
      pollTimer?.cancel();
      watcher?.close();
      await scanning;
      await save();
      await file?.handle.close();
    },
  };
}

/** Where we were before the restart: in this file, or in one that was moved aside meanwhile. */
async function resume(options: InboxOptions): Promise<OpenFile | null> {
  const cursor = await readCursor(options.cursorPath);
  if (cursor === null) return null;
  const folder = dirname(options.path);
  const names = [basename(options.path), ...(await readdir(folder).catch(() => []))];
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found === null || !found.isFile() || found.ino !== cursor.ino || found.dev !== cursor.dev) continue;
    return openAt(path, cursor);
  }
  return null;
}

async function openAt(path: string, cursor: Cursor | null): Promise<OpenFile | null> {
  // No links: the folder is private, but what is in it may come from a script. O_NONBLOCK: a pipe must not hang us.
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  const { dev, ino } = await handle.stat();
  const tail = Buffer.from(cursor?.tail ?? '', 'base64');
  return { handle, dev, ino, offset: cursor?.offset ?? 0, tail };
}

async function readCursor(path: string): Promise<Cursor | null> {
  try {
    const { inbox } = JSON.parse(await readFile(path, 'utf8'));
    const isWhole = [inbox.dev, inbox.ino, inbox.offset].every(Number.isSafeInteger) && typeof inbox.tail === 'string';
    return isWhole ? inbox : null;
  } catch {
    return null;
  }
}

/** Null where watching is not possible: then there is the poll. */
export function watchFolder(folder: string, onChange: (name: string | null) => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => onChange(name));
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}
