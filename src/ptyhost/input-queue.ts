/**
 * What is typed into a PTY, written without ever waiting: Node's own stream writes to a PTY in a busy loop until the child reads, and
 * with it every terminal of the host would stand still.
 */
import { writeSync } from 'node:fs';
import type { Clock, Timer } from '../node/clock.ts';

export interface InputQueue {
  /** False if the queue is full: the data is dropped. */
  write(data: string): boolean;
  /** The child has ended. */
  close(): void;
}

/** Typing ahead of a program that does not read; past it input is dropped, as a tty's own queue does. */
const MAX_QUEUED_BYTES = 4 * 1024 * 1024;
/** Nothing tells that a PTY takes input again, so it is tried: short enough for a paste, long enough to cost nothing. */
const RETRY_MS = 5;

/** `fd`: of the PTY's master, non-blocking. */
export function createInputQueue(fd: number, clock: Clock): InputQueue {
  let parts: Buffer[] = [];
  let size = 0;
  let timer: Timer | null = null;

  const clear = () => {
    parts = [];
    size = 0;
  };
  const flush = () => {
    timer = null;
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const count = writeSome(fd, part);
      if (count === null) return clear();
      size -= count;
      if (count < part.length) {
        parts.unshift(part.subarray(count));
        timer = clock.setTimer(RETRY_MS, flush);
        return;
      }
    }
  };

  return {
    write(data) {
      if (size >= MAX_QUEUED_BYTES) return false;
      const bytes = Buffer.from(data, 'utf8');
      parts.push(bytes);
      size += bytes.length;
      if (timer === null) flush();
      return true;
    },
    close() {
      timer?.cancel();
      timer = null;
      clear();
    },
  };
}

/** How many bytes the PTY took; null if it is hung up. */
function writeSome(fd: number, bytes: Buffer): number | null {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 0 : null;
  }
}
