/** `inbox/*.json` and `*.jsonl`: whole files as messages. A file goes once what it held is durable; what could not be read is kept aside. */

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MAX_EVENT_BYTES } from '../../contract/external-event.ts';
import { isRecord } from '../../core/text/is-record.ts';
import { isTooDeep } from '../../core/text/json-depth.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { openFolder } from '../../node/open-folder.ts';
import type { Desk } from './desk.ts';
import { type EventLine, splitEventLines } from './event-lines.ts';
import { type Inbox, watchFolder } from './inbox.ts';
import { takeLines } from './take-lines.ts';

export interface DropFolderOptions {
  readonly path: string;
  readonly desk: Desk;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How far a file has been taken that is not removed yet. */
interface Progress {
  readonly ino: number;
  readonly offset: number;
}

/** Behind the name of a file that is being removed. */
const ASIDE = '.taken';
const POLL_MS = 1_000;
/** For so long its writer may still add to a file, or end what it has begun. */
const SETTLE_MS = 3_000;
/** Who has made a file and not written to it yet (`report > inbox/today.jsonl`) may take its time. */
const EMPTY_MS = 24 * 3_600_000;
/** More than a thousand events; a log belongs elsewhere. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Files looked at in one go; the rest wait for the next. */
const MAX_FILES = 1_000;

export function openDropFolder(options: DropFolderOptions): Inbox {
  const { clock, log, path } = options;
  let isStopped = false;
  let isDirty = false;
  let scanning: Promise<void> | null = null;
  let timer: Timer | null = null;
  let progress: ReadonlyMap<string, Progress> = new Map();
  let isFirst = true;
  /** Where the last look ended. */
  let lastName = '';

  /** A link in the place of the folder, or nothing there, was logged. */
  let isMissing = false;

  const scan = async (): Promise<void> => {
    isDirty = false;
    // Not by its name: somebody who may write beside it could put a link to another folder there, whose files would be read and removed.
    const folder = await openFolder(path);
    if (folder === null) {
      if (!isMissing) log.warn({ path }, 'the drop folder is no folder: nothing is read until it is one');
      isMissing = true;
      return;
    }
    isMissing = false;
    try {
      await scanFolder(folder.path);
    } finally {
      await folder.close();
    }
  };

  const scanFolder = async (path: string): Promise<void> => {
    if (isFirst) await giveAllBack(path);
    isFirst = false;
    const names = (await readdir(path)).filter((name) => /^[^.].*\.jsonl?$/.test(name)).sort();
    const turn = nextTurn(names, lastName);
    // Of those whose turn it is not, what is known stays known.
    const others = new Set(names);
    for (const name of turn) others.delete(name);
    const next = new Map([...progress].filter(([name]) => others.has(name)));
    for (const name of turn) {
      if (isStopped) return;
      const left = await takeFile(join(path, name), options, progress.get(name));
      if (left !== null) next.set(name, left);
    }
    lastName = turn.at(-1) ?? '';
    progress = next;
  };
  const wake = (): void => {
    isDirty = true;
    if (isStopped) return;
    scanning ??= scan()
      .catch((error: unknown) => log.warn({ error, path }, 'a drop folder could not be read'))
      .finally(() => {
        scanning = null;
        if (isDirty) wake();
      });
  };
  const poll = (): void => {
    wake();
    if (!isStopped) timer = clock.setTimer(POLL_MS, poll);
  };
  const watcher = watchFolder(path, wake);
  poll();
  return {
    ready: scanning ?? Promise.resolve(),
    async stop() {
      isStopped = true;
      timer?.cancel();
      watcher?.close();
      await scanning;
    },
  };
}

/** In order, and after the last one the first: whatever cannot be taken has its turn, and keeps nobody from theirs. */
function nextTurn(names: readonly string[], lastName: string): readonly string[] {
  if (names.length <= MAX_FILES) return names;
  const from = names.findIndex((name) => name > lastName);
  return [...names.slice(Math.max(0, from)), ...names.slice(0, Math.max(0, from))].slice(0, MAX_FILES);
}

/** What is to be remembered of the file until the next look; null when it is gone or was not begun. */
async function takeFile(path: string, options: DropFolderOptions, before?: Progress): Promise<Progress | null> {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  let found: Found | null;
  try {
    found = await readOn(handle, path, options.clock.now(), before);
  } finally {
    await handle.close();
  }
  if (found === null) return before ?? null;
  if (found.lines.length > 0 && !(await takeLines(options.desk, found.lines, 'drop'))) return before ?? null;
  if (!found.isDone) return found.progress;
  await remove(path, found.progress).catch((error: unknown) =>
    options.log.warn({ error, path }, 'a dropped file stays'),
  );
  return null;
}

/** What was read and nothing else: a file that took its name meanwhile, or grew, is given back to be read. */
async function remove(path: string, read: Progress): Promise<void> {
  const aside = join(dirname(path), `.${basename(path)}${ASIDE}`);
  await rename(path, aside);
  const { ino, size } = await lstat(aside);
  if (ino === read.ino && size === read.offset) await rm(aside);
  else await giveBack(aside);
}

/** Under a name nobody else has by now. */
async function giveBack(aside: string): Promise<void> {
  const name = basename(aside).slice(1, -ASIDE.length);
  await rename(aside, join(dirname(aside), `${randomUUID()}-${name}`));
}

/** What a crash left between the two. */
async function giveAllBack(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith('.') && name.endsWith(ASIDE)) await giveBack(join(folder, name));
}

interface Found {
  readonly lines: readonly EventLine[];
  readonly progress: Progress;
  /** Nothing more is to come of it. */
  readonly isDone: boolean;
}

/** Null: not whole yet, or no file at all. */
async function readOn(handle: FileHandle, path: string, now: number, before?: Progress): Promise<Found | null> {
  const { size, mtimeMs, ino, isFile } = await describe(handle);
  if (!isFile) return null;
  const isSettled = now - mtimeMs > (size === 0 ? EMPTY_MS : SETTLE_MS);
  const whole = { ino, offset: size };
  if (size > MAX_FILE_BYTES) return { lines: [{ tooLong: size }], progress: whole, isDone: true };
  if (!path.endsWith('.jsonl')) {
    const lines = wholeFile(await handle.readFile(), isSettled);
    return lines === null ? null : { lines, progress: whole, isDone: true };
  }
  // Its lines are taken as they come; it goes when nobody has written to it for a while, so that none is lost with it.
  const offset = before?.ino === ino && before.offset <= size ? before.offset : 0;
  const bytes = Buffer.alloc(size - offset);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset);
  const { lines, used } = splitEventLines(bytes.subarray(0, bytesRead), isSettled);
  return { lines, progress: { ino, offset: offset + used }, isDone: isSettled && offset + used === size };
}

async function describe(handle: FileHandle) {
  const found = await handle.stat();
  return { size: found.size, mtimeMs: found.mtimeMs, ino: found.ino, isFile: found.isFile() };
}

/** One event, or an array of them, over as many lines as it likes. */
function wholeFile(bytes: Buffer, isSettled: boolean): readonly EventLine[] | null {
  // Windows' own tools begin a file with a mark of its encoding.
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  // Kept aside as it is: no event is that deep.
  if (isTooDeep(text)) return bytes.length > MAX_EVENT_BYTES ? [{ tooLong: bytes.length }] : [{ text }];
  try {
    const value: unknown = JSON.parse(text);
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    return all.map((one) => (isRecord(one) ? { text: JSON.stringify(one) } : { text: String(JSON.stringify(one)) }));
  } catch {
    if (!isSettled) return null;
    return bytes.length > MAX_EVENT_BYTES ? [{ tooLong: bytes.length }] : [{ text }];
  }
}
