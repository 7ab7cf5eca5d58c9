/**
 * Tails `external_events.inbox.jsonl`: each line an event, each event once, whatever is done to the file. A read may be
 * repeated (after a crash, a truncation, a replacement); the ledger knows what was there before.
 */
import { constants, type FSWatcher, watch } from 'node:fs';
import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { InboxState } from '../../contract/external-event.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { createSerial } from '../../node/serial.ts';
import type { Desk } from './desk.ts';
import { splitEventLines } from './event-lines.ts';
import { createRotated, fileKey } from './rotated.ts';
import { takeLines } from './take-lines.ts';

export interface Inbox {
  /** What was there when it was opened has been read. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

export interface InboxOptions {
  readonly path: string;
  readonly cursorPath: string;
  readonly desk: Desk;
  /** How long its ledger remembers what was there. */
  readonly maxAgeMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

type Cursor = NonNullable<InboxState['inbox']>;

/** The watch is a hint; network file systems and containers lose some. */
const POLL_MS = 1_000;
/** While lines flow the cursor is written this often; what is read again after a crash is recognized. */
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
  readonly key: string;
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
  const saving = createSerial();
  let pollTimer: Timer | null = null;
  /** Whether another file may be in its place by now. */
  let isPlaceDue = true;
  /** Whether files may have been moved aside since we last looked at them. */
  let isFolderDue = true;
  const saved = await readSaved(options.cursorPath);

  const save = (): Promise<void> => {
    saveTimer?.cancel();
    saveTimer = null;
    const rotatedMarks = rotated.marks();
    if (file === null && Object.keys(rotatedMarks).length === 0) return saving.idle();
    const state: InboxState = { ...(file !== null && { inbox: cursorOf(file) }), rotated: rotatedMarks };
    return saving
      .run(() => writeFileAtomic(options.cursorPath, `${JSON.stringify(state)}\n`))
      .catch((error: unknown) => log.warn({ error, path }, 'the cursor of an inbox was not written'));
  };
  const saveSoon = () => {
    saveTimer ??= clock.setTimer(SAVE_MS, () => void save());
  };

  /** Takes the whole lines there are; false when some could not be stored now. A file that is not the one we know any more, truncated or another, is read from its beginning. */
  const drain = async (from: OpenFile, isFinal: boolean): Promise<boolean> => {
    for (let size = CHUNK_BYTES; !isStopped; ) {
      const bytes = await readOn(from, size);
      const isEnd = bytes.length < size;
      const { lines, used } = splitEventLines(bytes, isEnd && isFinal);
      if (lines.length > 0 && !(await takeLines(options.desk, lines, 'file'))) return false;
      if (used > 0) goOn(from, bytes.subarray(0, used));
      if (isEnd) return true;
      if (used === 0 && size === MAX_PENDING_BYTES) {
        options.desk.quarantine(`too_large: a line of more than ${MAX_PENDING_BYTES} bytes`, '');
        goOn(from, bytes);
      }
      size = used === 0 ? MAX_PENDING_BYTES : CHUNK_BYTES;
    }
    return false;
  };
  const goOn = (from: OpenFile, used: Buffer): void => {
    from.tail = Buffer.concat([from.tail, used]).subarray(-TAIL_BYTES);
    from.offset += used.length;
    saveSoon();
  };

  const rotated = createRotated({
    path,
    marks: saved.rotated,
    maxAgeMs: options.maxAgeMs,
    clock,
    async readFrom(aside, offset, isFinal) {
      const one = await openAt(aside, { offset, tail: '' });
      if (one === null) return offset;
      try {
        await drain(one, isFinal);
      } finally {
        await one.handle.close();
      }
      return one.offset;
    },
  });

  const scan = async (): Promise<void> => {
    if (file !== null && !isPlaceDue) {
      await drain(file, false);
      return;
    }
    isPlaceDue = false;
    const found = await stat(path).catch(() => null);
    if (file !== null && (found === null || found.ino !== file.ino || found.dev !== file.dev)) {
      // Taken away or replaced: what was still in the old one comes first, also when the disk is full: it may have no other name.
      if (!(await drain(file, false))) {
        isPlaceDue = true;
        return;
      }
      isFolderDue = true;
      if (found !== null) {
        rotated.left(file.key, file.offset);
        // Where it can be found again, its writer may still end a line it has begun.
        if (!(await rotated.holds(file.key))) await drain(file, true);
        await file.handle.close();
        file = null;
      }
    }
    if (isFolderDue) {
      isFolderDue = false;
      await rotated.read(file?.key ?? null);
    }
    if (found === null || !found.isFile()) return;
    file ??= await openAt(path, null);
    if (file === null) return;
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
    isPlaceDue = true;
    isFolderDue = true;
    wake();
    if (!isStopped) pollTimer = clock.setTimer(POLL_MS, poll);
  };

  file = saved.inbox === undefined ? null : await resume(path, saved.inbox);
  const watcher = watchFolder(dirname(path), (name, event) => {
    if (name !== null && name !== basename(path)) return;
    // A line that was added is the usual case, and needs no look at anything else.
    if (name === null || event === 'rename') isPlaceDue = true;
    wake();
  });
  poll();

  return {
    ready: scanning ?? Promise.resolve(),
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

/**
 * What follows the place we know. What stood before it is read with it, in one go: were the file looked at first and read after, it could
 * be truncated and written anew in between.
 */
async function readOn(from: OpenFile, size: number): Promise<Buffer> {
  const known = from.tail.length;
  const bytes = Buffer.allocUnsafe(known + size);
  const { bytesRead } = await from.handle.read(bytes, 0, bytes.length, from.offset - known);
  if (bytesRead >= known && from.tail.equals(bytes.subarray(0, known))) return bytes.subarray(known, bytesRead);
  from.offset = 0;
  from.tail = Buffer.alloc(0);
  return readOn(from, size);
}

/** Where we were before the restart: in this file, or in one that was moved aside meanwhile. */
async function resume(inbox: string, cursor: Cursor): Promise<OpenFile | null> {
  const folder = dirname(inbox);
  const names = [basename(inbox), ...(await readdir(folder).catch(() => []))];
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found === null || !found.isFile() || found.ino !== cursor.ino || found.dev !== cursor.dev) continue;
    return openAt(path, cursor);
  }
  return null;
}

async function openAt(path: string, from: Pick<Cursor, 'offset' | 'tail'> | null): Promise<OpenFile | null> {
  // No links: the folder is private, but what is in it may come from a script. O_NONBLOCK: a pipe must not hang us.
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  const found = await handle.stat({ bigint: true });
  const tail = Buffer.from(from?.tail ?? '', 'base64');
  const [dev, ino] = [Number(found.dev), Number(found.ino)];
  return { handle, dev, ino, key: fileKey(found), offset: from?.offset ?? 0, tail };
}

function cursorOf({ dev, ino, offset, tail }: OpenFile): Cursor {
  return { dev, ino, offset, tail: tail.toString('base64') };
}

/** What is not as we wrote it is as if it were not there: then everything is read, and what is known is recognized. */
async function readSaved(path: string): Promise<InboxState> {
  const state = InboxState.safeParse(
    await readFile(path, 'utf8')
      .then(JSON.parse)
      .catch(() => null),
  );
  return state.data ?? { rotated: {} };
}

/** `rename`: something came, went or was moved; `change`: it was written to. Null where watching is not possible: then there is the poll. */
export function watchFolder(
  folder: string,
  onChange: (name: string | null, event: 'rename' | 'change') => void,
): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, (event, name) => onChange(name, event));
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}
