/** A log whose file can be written anew while it is in use: what is appended meanwhile waits, with the seq it was given. */
import { type AppendLog, openAppendLog, type StorageState } from './append-log.ts';
import type { Clock } from './clock.ts';
import { createLogReader, type LogReader } from './read-log.ts';
import { createSerial } from './serial.ts';

export interface RenewableLog {
  append(build: (seq: number) => string): { readonly seq: number; readonly done: Promise<void> };
  /** Everything appended so far is durable. */
  drain(): Promise<void>;
  /** The lines of these seqs, of those that are there, in the order of the file. */
  pick(seqs: readonly number[]): Promise<string[]>;
  storage(): StorageState;
  /** Of the file, with what is queued for it. */
  bytes(): number;
  /**
   * `prepare` is called when nothing waits to be stored, and answers what then has the file to itself; null when there is nothing to do.
   * The last seq in the file must stay what it is, and a failure must leave the file as it was. A log that is busy or failing is left alone.
   */
  renew(prepare: () => Rewrite | null): Promise<void>;
  close(): Promise<void>;
}

export type Rewrite = () => Promise<void>;

export interface RenewableLogOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly onStorage: (state: StorageState, error?: unknown) => void;
}

interface HeldLine {
  readonly seq: number;
  readonly build: (seq: number) => string;
  readonly done: Promise<void>;
  readonly settle: (stored: Promise<void>) => void;
}

/** In a flood there is always something that waits; the next time will do. */
const MAX_DRAINS = 20;
const REOPEN_MS = 1_000;

export async function openRenewableLog(options: RenewableLogOptions): Promise<RenewableLog> {
  let log: AppendLog = await openAppendLog(options);
  let reader: LogReader = createLogReader({ path: options.path, index: log.index });
  /** Null while the file is in use. */
  let held: HeldLine[] | null = null;
  let isOut = false;
  const renewing = createSerial();
  const stop = new AbortController();
  /** A full disk may keep a line waiting for ever, but not whoever closes the log. */
  const stopped = new Promise<void>((done) => stop.signal.addEventListener('abort', () => done()));
  const reads = createReads();

  const hold = (lines: HeldLine[], build: (seq: number) => string): HeldLine => {
    const line = createHeldLine((lines.at(-1)?.seq ?? log.nextSeq() - 1) + 1, build);
    lines.push(line);
    return line;
  };

  const isQuiet = async (): Promise<boolean> => {
    for (let tries = 0; tries < MAX_DRAINS && log.queuedBytes() > 0; tries += 1)
      await Promise.race([log.drain(), stopped]);
    return log.queuedBytes() === 0 && log.state() === 'ok' && !stop.signal.aborted;
  };

  /** Until it works: what is held has been given its numbers. Null when the log is closed first. */
  const reopen = async (): Promise<AppendLog | null> => {
    for (;;) {
      try {
        return await openAppendLog(options);
      } catch (error) {
        if (!isOut) options.onStorage('failed', error);
        isOut = true;
        if (stop.signal.aborted) return null;
        await options.clock.sleep(REOPEN_MS, stop.signal);
      }
    }
  };

  const renewNow = async (prepare: () => Rewrite | null): Promise<void> => {
    if (!(await isQuiet())) return;
    const rewrite = prepare();
    if (rewrite === null) return;
    const lines: HeldLine[] = [];
    held = lines;
    const nextSeq = log.nextSeq();
    try {
      // Nothing waits in it, so that nothing can be given up.
      await log.close();
      await reads.idle();
      await reader.close();
      await rewrite();
    } finally {
      const next = await reopen();
      if (next !== null) {
        log = next;
        reader = createLogReader({ path: options.path, index: log.index });
        isOut = false;
      }
      held = null;
      const isSound = next !== null && next.nextSeq() === nextSeq;
      for (const line of lines) line.settle(isSound ? log.append(line.build).done : notStored());
    }
  };

  return {
    append: (build) => (held === null ? log.append(build) : hold(held, build)),
    drain: () => held?.at(-1)?.done ?? log.drain(),
    async pick(seqs) {
      while (held !== null) await renewing.idle();
      return reads.during(() => reader.pick(seqs));
    },
    storage: () => (isOut ? 'failed' : log.state()),
    bytes: () => log.bytes(),
    renew: (prepare) => renewing.run(() => renewNow(prepare)),
    async close() {
      stop.abort();
      await renewing.idle();
      await log.close();
      await reads.idle();
      await reader.close();
    },
  };
}

/** Nobody closes a file under those who read it. */
function createReads() {
  let count = 0;
  const waiting: (() => void)[] = [];
  return {
    async during<T>(read: () => Promise<T>): Promise<T> {
      count += 1;
      try {
        return await read();
      } finally {
        count -= 1;
        if (count === 0) for (const go of waiting.splice(0)) go();
      }
    },
    idle: () => (count === 0 ? Promise.resolve() : new Promise<void>((go) => void waiting.push(go))),
  };
}

const notStored = (): Promise<never> => Promise.reject(new Error('the log was closed before this could be stored'));

function createHeldLine(seq: number, build: (seq: number) => string): HeldLine {
  let settle: (stored: Promise<void>) => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    settle = resolve;
  });
  // Whoever does not wait for the line is not to be killed by its failure.
  done.catch(() => undefined);
  return { seq, build, done, settle };
}
