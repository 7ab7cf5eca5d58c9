/** The lines that wait to become durable, gathered into batches: one write, one sync and one promise each. Used by append-log only. */

import { MAX_LINE_BYTES } from './log-line.ts';

interface QueuedLine {
  readonly seq: number;
  offset: number;
  /** Of the whole batch: its lines become durable together. */
  readonly done: Promise<void>;
  readonly text: string;
  /** Without the newline. */
  readonly bytes: number;
}

export interface Batch {
  readonly lines: QueuedLine[];
  /** With the newlines. */
  bytes: number;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface AppendQueue {
  /** Throws when the text breaks the rules: that is a bug of its builder, and the log could not be read back. */
  push(seq: number, text: string, offset: number): QueuedLine;
  /** The front; it stays queued until it is removed, but takes no more lines. */
  front(): Batch | undefined;
  removeFront(): void;
  last(): Batch | undefined;
  isEmpty(): boolean;
  bytes(): number;
  /** Gives up everything. */
  rejectAll(error: unknown): void;
}

/** What one write and one sync carry at most; more would only be copied, not stored faster. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

export function createAppendQueue(): AppendQueue {
  let batches: Batch[] = [];
  /** The one that new lines join; null once it is being written. */
  let open: Batch | null = null;
  let queuedBytes = 0;
  return {
    push(seq, text, offset) {
      const bytes = checkLine(seq, text);
      if (open === null || open.bytes + bytes >= MAX_BATCH_BYTES) {
        open = createBatch();
        batches.push(open);
      }
      const line = { seq, offset, done: open.done, text, bytes };
      open.lines.push(line);
      open.bytes += bytes + 1;
      queuedBytes += bytes + 1;
      return line;
    },
    front() {
      const [front] = batches;
      if (front === open) open = null;
      return front;
    },
    removeFront() {
      queuedBytes -= batches.shift()?.bytes ?? 0;
    },
    last: () => batches.at(-1),
    isEmpty: () => batches.length === 0,
    bytes: () => queuedBytes,
    rejectAll(error) {
      for (const batch of batches) batch.reject(error);
      batches = [];
      open = null;
      queuedBytes = 0;
    },
  };
}

function createBatch(): Batch {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const done = new Promise<void>((onDone, onError) => {
    resolve = onDone;
    reject = onError;
  });
  // Whoever does not wait for a line is not to be killed by its failure.
  done.catch(() => undefined);
  return { lines: [], bytes: 0, done, resolve, reject };
}

export function encodeBatch(batch: Batch): Buffer {
  // One call for all of them: crossing into the encoder costs more than a usual line.
  let text = '';
  for (const line of batch.lines) text += `${line.text}\n`;
  return Buffer.from(text);
}

function checkLine(seq: number, text: string): number {
  const start = `{"seq":${seq}`;
  const isSeqFirst = text.startsWith(start) && (text[start.length] === ',' || text.length === start.length + 1);
  if (!isSeqFirst || !text.endsWith('}') || text.includes('\n')) {
    throw new Error(`a line must be one JSON object that begins ${start} and holds no newline`);
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_LINE_BYTES) throw new RangeError(`a line of ${bytes} bytes is more than ${MAX_LINE_BYTES}`);
  return bytes;
}
