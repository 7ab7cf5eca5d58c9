/** The lines that wait to become durable, and how they are put together into one write. Used by append-log only. */

import { MAX_LINE_BYTES } from './log-line.ts';

export interface QueuedLine {
  seq: number;
  offset: number;
  done: Promise<void>;
  text: string;
  /** Without the newline. */
  bytes: number;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** What one write and one sync carry at most; more would only be copied, not stored faster. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Throws when the text breaks the rules: that is a bug of its builder, and the log could not be read back. */
export function createQueuedLine(seq: number, text: string, offset: number): QueuedLine {
  const bytes = checkLine(seq, text);
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const done = new Promise<void>((onDone, onError) => {
    resolve = onDone;
    reject = onError;
  });
  // Whoever does not wait for the entry is not to be killed by its failure.
  done.catch(() => undefined);
  return { seq, offset, done, text, bytes, resolve, reject };
}

/** The front of the queue; it stays queued until it is durable. */
export function takeBatch(queue: QueuedLine[]): QueuedLine[] {
  let bytes = 0;
  const end = queue.findIndex((line) => {
    bytes += line.bytes + 1;
    return bytes > MAX_BATCH_BYTES;
  });
  return queue.slice(0, end === -1 ? queue.length : Math.max(1, end));
}

export function encodeBatch(batch: QueuedLine[]): Buffer {
  const total = batch.reduce((sum, line) => sum + line.bytes + 1, 0);
  const bytes = Buffer.allocUnsafe(total);
  let at = 0;
  for (const line of batch) {
    at += bytes.write(line.text, at);
    at = bytes.writeUInt8(NEWLINE, at);
  }
  return bytes;
}

function checkLine(seq: number, text: string): number {
  const start = `{"seq":${seq}`;
  const hasSeqFirst = text.startsWith(`${start},`) || text === `${start}}`;
  if (!hasSeqFirst || !text.endsWith('}') || text.includes('\n')) {
    throw new Error(`a line must be one JSON object that begins ${start} and holds no newline`);
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_LINE_BYTES) throw new RangeError(`a line of ${bytes} bytes is more than ${MAX_LINE_BYTES}`);
  return bytes;
}
