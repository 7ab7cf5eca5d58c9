/** What no event could be made of, line by line, for whoever wonders where it went. */
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { RejectedEvent } from '../../contract/routes-events.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { createSerial } from '../../node/serial.ts';

export interface Rejected {
  keep(reason: string, text: string): void;
  readonly before: number;
  close(): Promise<void>;
}

/** A producer gone wrong must not fill the disk; beyond this they are counted and told, not kept. */
const MAX_BYTES = 8 * 1024 * 1024;

export async function openRejected(path: string, clock: Clock, log: Logger): Promise<Rejected> {
  const before = await readTail(path, MAX_BYTES);
  const writing = createSerial();
  const write = async (line: string): Promise<void> => {
    const size = (await stat(path).catch(() => null))?.size ?? 0;
    if (size + line.length > MAX_BYTES) return;
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
    const handle = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    try {
      await handle.writeFile(line);
    } finally {
      await handle.close();
    }
  };
  return {
    before: before.split('\n').length - 1,
    keep(reason, text) {
      log.warn({ path, reason }, 'something that came in is no event');
      const line = `${JSON.stringify({ ts: new Date(clock.now()).toISOString(), reason, text })}\n`;
      writing
        .run(() => write(line))
        .catch((error: unknown) => log.warn({ error, path }, 'a rejected event was not kept'));
    },
    close: writing.idle,
  };
}

/** Of one in a list; the file has the whole. */
const MAX_SHOWN_CHARS = 2_000;
/** Read from the end of the file for a list. */
const MAX_TAIL_BYTES = 2 * 1024 * 1024;

/** The newest, oldest first. */
export async function readRejected(path: string, limit: number): Promise<RejectedEvent[]> {
  const text = await readTail(path, MAX_TAIL_BYTES);
  return text.split('\n').slice(0, -1).slice(-limit).flatMap(parseRejected);
}

/** Empty for whatever is no regular file. O_NONBLOCK: opening a pipe must not wait for a writer, which would take a thread from all others. */
async function readTail(path: string, maxBytes: number): Promise<string> {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (handle === null) return '';
  try {
    const found = await handle.stat();
    if (!found.isFile()) return '';
    const { size } = found;
    const start = Math.max(0, size - maxBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    const text = buffer.toString('utf8', 0, bytesRead);
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}

function parseRejected(line: string): RejectedEvent[] {
  try {
    const { ts, reason, text } = JSON.parse(line);
    return [{ ts: String(ts), reason: String(reason), text: String(text).slice(0, MAX_SHOWN_CHARS) }];
  } catch {
    return [];
  }
}
