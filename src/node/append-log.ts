/** The JSONL writer: one owner per file, dense seq, acknowledged only when synced, healed before every append that follows damage. */

import { dirname } from 'node:path';
import { type Batch, createAppendQueue, encodeBatch } from './append-queue.ts';
import { errorCode, FileError } from './atomic-file.ts';
import { type Clock, systemClock } from './clock.ts';
import { createIndexFile, type IndexFile } from './index-file.ts';
import { type LoadedLog, loadLog, type SkippedLines } from './load-log.ts';
import { type LogFiles, type LogHandle, readFully, systemLogFiles, writeFully } from './log-files.ts';
import { type LogIndex, MAX_SEQ_SPAN } from './log-index.ts';

export type StorageState = 'ok' | 'full' | 'failed';

interface Pending {
  readonly seq: number;
  /** Where the line is expected to begin; final once `done` has resolved. */
  readonly offset: number;
  /** Resolves when the line is written and synced; rejects only if the log is closed before that could be done. */
  readonly done: Promise<void>;
}

export interface AppendLog {
  /** The durable entries, to be shared with a reader. */
  readonly index: LogIndex;
  /** What was found damaged when the log was opened. */
  readonly skipped: SkippedLines;
  /** `build` gets the seq and returns the line: one JSON object that begins `{"seq":N`, without a newline. */
  append(build: (seq: number) => string): Pending;
  /** When not `ok`, appends are kept and retried; a caller that can refuse should. */
  state(): StorageState;
  nextSeq(): number;
  lastDurableSeq(): number;
  /** What waits to become durable. */
  queuedBytes(): number;
  /** Of the file, with what is queued for it. */
  bytes(): number;
  /** Everything appended so far is durable. */
  drain(): Promise<void>;
  /** Drains; while the storage fails there is one last try, then what could not be stored is rejected. */
  close(): Promise<void>;
}

export interface AppendLogOptions {
  path: string;
  firstSeq?: number;
  clock?: Clock;
  /** Called on every change of state; it must not throw. */
  onStorage?: (state: StorageState, error?: unknown) => void;
  retryMs?: number;
  files?: LogFiles;
}

const DEFAULT_RETRY_MS = 1000;
const NEWLINE = 0x0a;
/** Ends a torn line so that it can never be taken for an entry, even when it was cut right behind a `}`. */
const TORN_MARK = '!\n';

export async function openAppendLog(options: AppendLogOptions): Promise<AppendLog> {
  const files = options.files ?? systemLogFiles;
  const handle = await files.open(options.path, 'append');
  try {
    const loaded = await loadLog(files, handle, {
      path: options.path,
      firstSeq: options.firstSeq ?? 1,
      acceptTail: true,
    });
    if (loaded.size === 0) await files.syncDirectory(dirname(options.path));
    const { dev, ino } = await handle.stat();
    const writer = new LogWriter(options, files, loaded, `${dev}:${ino}`);
    await writer.start(handle);
    return writer;
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
}

class LogWriter implements AppendLog {
  readonly index: LogIndex;
  readonly skipped: SkippedLines;
  readonly #options: AppendLogOptions;
  readonly #files: LogFiles;
  readonly #clock: Clock;
  readonly #indexFile: IndexFile;
  readonly #identity: string;
  readonly #stop = new AbortController();
  /** Null while the storage fails: a descriptor that failed once is never used again. */
  #handle: LogHandle | null = null;
  /** The first descriptor that failed: kept open, unused, so that a new file cannot get the same inode number meanwhile. */
  #pin: LogHandle | null = null;
  readonly #queue = createAppendQueue();
  #nextSeq: number;
  /** The file's length as far as it is known to be durable; bytes behind it are ours to cut. */
  #end: number;
  #tailMark: string;
  #state: StorageState = 'ok';
  #running: Promise<void> | null = null;
  #closed: Promise<void> | null = null;

  constructor(options: AppendLogOptions, files: LogFiles, loaded: LoadedLog, identity: string) {
    this.#options = options;
    this.#files = files;
    this.#clock = options.clock ?? systemClock;
    this.#identity = identity;
    this.index = loaded.index;
    this.skipped = loaded.skipped;
    this.#nextSeq = loaded.index.lastSeq() + 1;
    this.#end = loaded.size;
    this.#tailMark = loaded.tail === 'complete' ? '\n' : TORN_MARK;
    this.#indexFile = createIndexFile({ ...loaded, files, path: options.path });
  }

  /** A full disk must not keep a conversation from being read: then the heal is left to the retries. */
  async start(handle: LogHandle): Promise<void> {
    try {
      this.#end = await this.#heal(handle, this.#end);
      // What an earlier run wrote but did not live to sync is about to be served as durable.
      if (this.#end > 0) await handle.datasync();
      this.#handle = handle;
      this.#indexFile.flushWhenDue();
    } catch (error) {
      await this.#giveUp(handle, error);
      this.#runUnlessRunning();
    }
  }

  append(build: (seq: number) => string): Pending {
    if (this.#closed !== null) throw new Error('append to a closed log');
    const seq = this.#nextSeq;
    const text = build(seq);
    if (this.#nextSeq !== seq) throw new Error('append inside the builder of another append');
    if (seq - this.index.firstSeq >= 2 * MAX_SEQ_SPAN) throw new RangeError('the log has no seq left');
    const line = this.#queue.push(seq, text, this.#end + this.#queue.bytes());
    this.#nextSeq += 1;
    this.#runUnlessRunning();
    return line;
  }

  #runUnlessRunning(): void {
    if (this.#hasWork()) this.#running ??= this.#run();
  }

  #hasWork(): boolean {
    return !this.#queue.isEmpty() || this.#handle === null;
  }

  state(): StorageState {
    return this.#state;
  }

  nextSeq(): number {
    return this.#nextSeq;
  }

  lastDurableSeq(): number {
    return this.index.lastSeq();
  }

  queuedBytes(): number {
    return this.#queue.bytes();
  }

  bytes(): number {
    return this.#end + this.#queue.bytes();
  }

  drain(): Promise<void> {
    return this.#queue.last()?.done ?? Promise.resolve();
  }

  close(): Promise<void> {
    this.#closed ??= this.#finish();
    return this.#closed;
  }

  async #finish(): Promise<void> {
    this.#stop.abort();
    this.#runUnlessRunning();
    await this.#running;
    await this.#indexFile.flush();
    await this.#indexFile.close();
    await this.#unpin();
    // What could be synced is; a failing close can lose nothing.
    await this.#handle?.close().catch(() => undefined);
  }

  /** The only place that writes. It ends when there is nothing to do and the next append starts it again. */
  async #run(): Promise<void> {
    let isLastTry = false;
    // Lets everything that is appended in the same turn of the event loop share the first sync.
    await null;
    let durable: Batch | undefined;
    while (this.#hasWork()) {
      const batch = this.#queue.front();
      let handle = this.#handle;
      try {
        handle ??= await this.#reopen();
        const commit = this.#commit(handle, batch);
        // Only now, since those who hear of it keep the thread busy: meanwhile the next write is under way.
        durable?.resolve();
        durable = undefined;
        await commit;
        durable = batch;
        if (this.#pin !== null) await this.#unpin();
        this.#indexFile.flushWhenDue();
      } catch (error) {
        await this.#giveUp(handle, error);
        if (isLastTry) {
          this.#queue.rejectAll(error);
          break;
        }
        isLastTry = this.#stop.signal.aborted;
        await this.#clock.sleep(this.#options.retryMs ?? DEFAULT_RETRY_MS, this.#stop.signal);
      }
    }
    this.#running = null;
    durable?.resolve();
  }

  /** Without a batch there is only the descriptor to be proven. */
  async #commit(handle: LogHandle, batch: Batch | undefined): Promise<void> {
    if (batch !== undefined) await writeFully(handle, encodeBatch(batch));
    // A fresh descriptor also answers for what was there before it.
    if (!handle.isWriteSynced || handle !== this.#handle) await handle.datasync();
    for (const line of batch?.lines ?? []) {
      line.offset = this.#end;
      this.index.push({ seq: line.seq, offset: line.offset, length: line.bytes });
      this.#end += line.bytes + 1;
    }
    if (batch !== undefined) this.#queue.removeFront();
    this.#handle = handle;
    // Before the batch resolves: whoever waited for it must not find the storage still failing.
    this.#report('ok');
  }

  /** After a failed sync the kernel may hold lost pages for clean: only a fresh descriptor and a second write are safe. */
  async #reopen(): Promise<LogHandle> {
    const { path } = this.#options;
    const handle = await this.#files.open(path, 'reopen');
    try {
      const { size, dev, ino } = await handle.stat();
      if (`${dev}:${ino}` !== this.#identity || size < this.#end) throw new FileError('log_replaced', path);
      const isCut = size > this.#end && (await succeeds(handle.truncate(this.#end)));
      this.#end = await this.#heal(handle, isCut ? this.#end : size);
      return handle;
    } catch (error) {
      await handle.close().catch(() => undefined);
      throw error;
    }
  }

  /** Makes the file end with a newline; answers its length. */
  async #heal(handle: LogHandle, size: number): Promise<number> {
    const mark = Buffer.from(this.#tailMark);
    const last = Buffer.alloc(1, NEWLINE);
    if (size > 0) await readFully(handle, last, size - 1);
    const isTorn = last[0] !== NEWLINE;
    if (isTorn) await writeFully(handle, mark);
    this.#tailMark = TORN_MARK;
    return isTorn ? size + mark.length : size;
  }

  async #giveUp(handle: LogHandle | null, error: unknown): Promise<void> {
    this.#handle = null;
    this.#report(['ENOSPC', 'EDQUOT'].includes(errorCode(error)) ? 'full' : 'failed', error);
    if (this.#pin === null) this.#pin = handle;
    else await handle?.close().catch(() => undefined);
    // Cut at once what was written in vain: it was never acknowledged, and nobody else is to read it meanwhile.
    await this.#reopen()
      .then((fresh) => fresh.close())
      .catch(() => undefined);
  }

  async #unpin(): Promise<void> {
    const pin = this.#pin;
    this.#pin = null;
    await pin?.close().catch(() => undefined);
  }

  #report(state: StorageState, error?: unknown): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onStorage?.(state, error);
  }
}

async function succeeds(action: Promise<void>): Promise<boolean> {
  return action.then(
    () => true,
    () => false,
  );
}
