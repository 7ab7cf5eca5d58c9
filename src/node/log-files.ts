/** The file port of the log: what append-log and read-log may do to a file, and the real one. Tests put a failing one in its place. */

import { close, constants, fchmod, fdatasync, fstat, ftruncate, open, read, write } from 'node:fs';
import { promisify } from 'node:util';
import { FileError, syncDirectory } from './atomic-file.ts';

/** `append`: created if missing, every write goes to the end. `reopen`: the same, but it must exist. `index`: created if missing, written by position. */
type LogAccess = 'read' | 'append' | 'reopen' | 'index';

interface LogFileStat {
  size: number;
  dev: number;
  ino: number;
}

/** One call is one system call: `read` and `write` may do less than asked for. */
export interface LogHandle {
  /** What a `write` has taken is synced: no `datasync` is needed behind it. */
  readonly isWriteSynced: boolean;
  stat(): Promise<LogFileStat>;
  read(target: Buffer, position: number): Promise<number>;
  /** Without a position the bytes go to the end of the file. */
  write(bytes: Buffer, position?: number): Promise<number>;
  datasync(): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

export interface LogFiles {
  open(path: string, access: LogAccess): Promise<LogHandle>;
  syncDirectory(path: string): Promise<void>;
}

const { O_APPEND, O_CREAT, O_DSYNC, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;

/** Linux syncs with the write, which saves a commit one of its two ways through the thread pool. Elsewhere the flag promises less than `fdatasync`. */
const IS_WRITE_SYNCED = process.platform === 'linux';
const SYNCED = IS_WRITE_SYNCED ? O_DSYNC : 0;

const ACCESS_FLAGS: Record<LogAccess, number> = {
  read: O_RDONLY,
  append: O_RDWR | O_APPEND | O_CREAT | SYNCED,
  reopen: O_RDWR | O_APPEND | SYNCED,
  index: O_RDWR | O_CREAT,
};

// The callback calls with a plain descriptor cost less per commit than `FileHandle`.
const openFd = promisify(open);
const statFd = promisify(fstat);
const chmodFd = promisify(fchmod);
const readFd = promisify(read);
const writeFd = promisify(write);
const datasyncFd = promisify(fdatasync);
const truncateFd = promisify(ftruncate);
const closeFd = promisify(close);

export const systemLogFiles: LogFiles = { open: openPrivate, syncDirectory };

/** Refuses links and everything but regular files, and makes what it may write 0600 whatever the umask was. */
async function openPrivate(path: string, access: LogAccess): Promise<LogHandle> {
  // O_NONBLOCK: opening a FIFO in place of the file must not hang.
  const fd = await openFd(path, ACCESS_FLAGS[access] | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const found = await statFd(fd);
    if (!found.isFile()) throw new FileError('not_a_file', path);
    if (access !== 'read' && (found.mode & 0o777) !== 0o600) await chmodFd(fd, 0o600);
  } catch (error) {
    await closeFd(fd);
    throw error;
  }
  return createHandle(fd, IS_WRITE_SYNCED && (access === 'append' || access === 'reopen'));
}

function createHandle(fd: number, isWriteSynced: boolean): LogHandle {
  return {
    isWriteSynced,
    stat: () => statFd(fd),
    read: async (target, position) => (await readFd(fd, target, 0, target.length, position)).bytesRead,
    write: async (bytes, position) => (await writeFd(fd, bytes, 0, bytes.length, position ?? null)).bytesWritten,
    datasync: () => datasyncFd(fd),
    truncate: (size) => truncateFd(fd, size),
    close: () => closeFd(fd),
  };
}

/** Reads until `target` is full or the file ends. */
export async function readFully(handle: LogHandle, target: Buffer, position: number): Promise<number> {
  let filled = 0;
  while (filled < target.length) {
    const count = await handle.read(target.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** Writes all of `bytes`, going on after short writes. */
export async function writeFully(handle: LogHandle, bytes: Buffer, position?: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const rest = bytes.subarray(written);
    const count = await handle.write(rest, position === undefined ? undefined : position + written);
    if (count === 0) throw Object.assign(new Error('a write stored nothing'), { code: 'EIO' });
    written += count;
  }
}
