/** `inbox/*.json` and `*.jsonl`: whole files as messages. A file goes once what it held is durable; what could not be read is kept aside. */

import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_EVENT_BYTES } from '../../contract/external-event.ts';
import { isRecord } from '../../core/text/is-record.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
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

const POLL_MS = 1_000;
/** A file that is not whole yet may still be being written for so long. */
const SETTLE_MS = 2_000;
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

  const scan = async (): Promise<void> => {
    isDirty = false;
    const names = (await readdir(path)).filter((name) => /^[^.].*\.jsonl?$/.test(name)).sort();
    for (const name of names.slice(0, MAX_FILES)) if (!isStopped) await takeFile(join(path, name), options);
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

async function takeFile(path: string, { desk, clock, log }: DropFolderOptions): Promise<void> {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (handle === null) return;
  let lines: readonly EventLine[] | null;
  try {
    lines = await linesOf(handle, path, clock.now());
  } finally {
    await handle.close();
  }
  if (lines === null || !(await takeLines(desk, lines, 'drop'))) return;
  await rm(path, { force: true }).catch((error: unknown) => log.warn({ error, path }, 'a dropped file stays'));
}

/** Null: not whole yet, or no file at all. */
async function linesOf(handle: FileHandle, path: string, now: number): Promise<readonly EventLine[] | null> {
  const { size, mtimeMs, isFile } = await describe(handle);
  if (!isFile) return null;
  if (size > MAX_FILE_BYTES) return [{ tooLong: size }];
  const isSettled = now - mtimeMs > SETTLE_MS;
  const bytes = await handle.readFile();
  if (path.endsWith('.jsonl')) {
    const { lines, used } = splitEventLines(bytes, isSettled);
    return used < bytes.length ? null : lines;
  }
  return wholeFile(bytes, isSettled);
}

async function describe(handle: FileHandle) {
  const found = await handle.stat();
  return { size: found.size, mtimeMs: found.mtimeMs, isFile: found.isFile() };
}

/** One event, or an array of them, over as many lines as it likes. */
function wholeFile(bytes: Buffer, isSettled: boolean): readonly EventLine[] | null {
  // Windows' own tools begin a file with a mark of its encoding.
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  try {
    const value: unknown = JSON.parse(text);
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    return all.map((one) => (isRecord(one) ? { text: JSON.stringify(one) } : { text: String(JSON.stringify(one)) }));
  } catch {
    if (!isSettled) return null;
    return bytes.length > MAX_EVENT_BYTES ? [{ tooLong: bytes.length }] : [{ text }];
  }
}
