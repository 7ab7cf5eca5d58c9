/**
 * One PTY with its child. Reads the master itself instead of by node-pty's stream: a stream ends at the hang-up with bytes unread
 * (5-17 % of children that exit at once lose their tail), and reading each wake-up's few bytes slows the writer down.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants as osConstants } from 'node:os';
import { ReadStream } from 'node:tty';
import { fail, type Result } from '../contract/result.ts';
import { systemClock } from '../node/clock.ts';
import { createInputQueue } from './input-queue.ts';

export interface PtyOptions {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
  readonly onBytes: (bytes: Buffer) => void;
  /** After the last byte. */
  readonly onExit: (exitCode: number | null, signal: string | null) => void;
}

export interface Pty {
  readonly pid: number;
  /** False if the child does not read and its queue is full, or has ended: the data is dropped. */
  write(data: string): boolean;
  resize(cols: number, rows: number): void;
  /** Stops reading, so that the child has to wait; its output stays in the kernel. */
  hold(isHeld: boolean): void;
}

/** Why `write` returned false. */
export const inputDropped = (): Result<never> =>
  fail('rate_limited', 'the program in the terminal does not read its input: what was typed is dropped until it does');

interface NativePty {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    isUtf8: boolean,
    helper: string,
    onExit: (code: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  resize(fd: number, cols: number, rows: number): void;
}

/** While output streams it is fetched this often: longer and the kernel's buffer is full, shorter and the writer is woken for little. */
const PUMP_MS = 2;
/** One go: what the kernel holds for a PTY at most, so that other terminals wait no longer. */
const MAX_GO_BYTES = 128 * 1024;
const READ_BYTES = 64 * 1024;
/** What a key press brings back, with its colors. */
const ECHO_BYTES = 256;
/** As much as a tty's own buffer holds: whoever wrote it is writing on. */
const FULL_BYTES = 4 * 1024;

const readBuffer = Buffer.allocUnsafe(READ_BYTES);
let native: NativePty | null = null;

/** Resolved from node-pty's own place, since its binary is a dependency of its own. */
function loadNative(): { pty: NativePty; helper: string } {
  const own = createRequire(import.meta.url);
  const theirs = createRequire(own.resolve('@lydell/node-pty'));
  const binary = `@lydell/node-pty-${process.platform}-${process.arch}`;
  native ??= readNative(theirs(`${binary}/pty.node`));
  return { pty: native, helper: process.platform === 'darwin' ? theirs.resolve(`${binary}/spawn-helper`) : '' };
}

function readNative(loaded: NativePty): NativePty {
  if (typeof loaded.fork !== 'function') throw new Error('the PTY module is of an unknown version');
  return loaded;
}

export function spawnPty(options: PtyOptions): Pty {
  const { pty, helper } = loadNative();
  const [file, ...args] = options.command;
  const env = Object.entries(options.env).map(([name, value]) => `${name}=${value}`);
  let isOver = false;
  let isHeld = false;
  let isPumping = false;

  const child = pty.fork(
    file,
    args,
    env,
    options.cwd,
    options.cols,
    options.rows,
    -1,
    -1,
    true,
    helper,
    (code, signal) => {
      // Everything the child wrote is in the kernel by now, and the slave we hold keeps it there: read until there is no more.
      isHeld = false;
      while (fetch() > 0);
      isOver = true;
      input.close();
      closeSync(slave);
      stream.destroy();
      options.onExit(signal === 0 ? code : null, signal === 0 ? null : nameOfSignal(signal));
    },
  );
  const slave = openSync(child.pty, constants.O_RDWR | constants.O_NOCTTY);
  const input = createInputQueue(child.fd, systemClock);
  const stream = new ReadStream(child.fd);
  stream.on('error', () => undefined);
  stream.on('data', (bytes: Buffer) => {
    options.onBytes(bytes);
    // An echo is passed on at once, and so is the next one; a stream of output is fetched in bigger pieces.
    if (bytes.length < ECHO_BYTES) return;
    stopStream(stream);
    pumpLater(false);
  });

  /** One go: how many bytes there were. */
  function fetch(): number {
    // What the stream had read before it stopped comes first.
    while (stream.readableLength > 0 && stream.read() !== null);
    const parts: Buffer[] = [];
    let size = 0;
    while (size < MAX_GO_BYTES) {
      const count = readSome(child.fd);
      if (count <= 0) break;
      parts.push(Buffer.from(readBuffer.subarray(0, count)));
      size += count;
    }
    if (size > 0) options.onBytes(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts, size));
    return size;
  }

  function pumpLater(isFull: boolean): void {
    if (isPumping) return;
    isPumping = true;
    if (isFull) setImmediate(pump);
    else setTimeout(pump, PUMP_MS);
  }

  function pump(): void {
    isPumping = false;
    if (isOver || isHeld) return;
    const size = fetch();
    // A full buffer means that the writer waits for us already.
    if (size > 0) pumpLater(size >= FULL_BYTES);
    else stream.resume();
  }

  return {
    pid: child.pid,
    write: (data) => !isOver && input.write(data),
    resize(cols, rows) {
      if (!isOver) pty.resize(child.fd, cols, rows);
    },
    hold(next) {
      if (isHeld === next || isOver) return;
      isHeld = next;
      if (next) stopStream(stream);
      else pump();
    },
  };
}

/** A paused stream reads on until its buffer is full; its handle is told to stop at once. */
function stopStream(stream: ReadStream): void {
  stream.pause();
  const handle: unknown = Reflect.get(stream, '_handle');
  if (typeof handle !== 'object' || handle === null || !('readStop' in handle) || !('reading' in handle)) return;
  if (typeof handle.readStop !== 'function' || handle.reading !== true) return;
  handle.reading = false;
  handle.readStop();
}

/** 0 or less: nothing there now. */
function readSome(fd: number): number {
  try {
    return readSync(fd, readBuffer, 0, READ_BYTES, null);
  } catch {
    // EAGAIN: nothing now. EIO: hung up. Either way there is no more to be had.
    return 0;
  }
}

function nameOfSignal(number: number): string {
  const found = Object.entries(osConstants.signals).find(([, value]) => value === number);
  return found?.[0] ?? `signal ${number}`;
}
