/** The index of files for `@`, in a thread of its own: the server's loop only passes questions and answers on. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { findRg } from './find-rg.ts';
import type { FileAnswer, FileQuery, FromIndex, IndexSetup, ToIndex } from './protocol.ts';

export interface FileIndex {
  search(query: FileQuery): Promise<Result<FileAnswer>>;
  /** Starts the thread, so that the first question need not wait for it. */
  warm(): void;
  close(): Promise<void>;
}

/** A search takes a tenth of a second at worst; a thread that is silent for this long hangs. */
const ANSWER_TIMEOUT_MS = 10_000;
/** A page asks one at a time; more than this is no person. */
const MAX_WAITING = 200;

interface Waiting {
  readonly settle: (result: Result<FileAnswer>) => void;
  readonly timer: Timer;
}

/** Compiled, the thread's file lies beside this one under the same ending. */
const WORKER = new URL(`./index-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

export function createFileIndex(options: { readonly clock: Clock; readonly log: Logger }): FileIndex {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let nextId = 1;
  let isClosed = false;

  const settle = (id: number, result: Result<FileAnswer>) => {
    const found = waiting.get(id);
    waiting.delete(id);
    found?.timer.cancel();
    found?.settle(result);
  };

  /** The next question starts another one. */
  const lose = (lost: Worker, error: unknown) => {
    if (worker !== lost) return;
    worker = null;
    options.log.error({ error }, 'the file index stopped');
    for (const id of [...waiting.keys()]) settle(id, fail('internal', 'the file index stopped: try again'));
  };

  const start = (): Worker => {
    const workerData: IndexSetup = { rg: findRg() };
    const made = new Worker(WORKER, { workerData, name: 'file-index' });
    made.unref();
    made.on('message', ({ id, answer }: FromIndex) => settle(id, ok(answer)));
    made.on('error', (error) => lose(made, error));
    made.on('exit', (code) => lose(made, `exit ${code}`));
    return made;
  };

  return {
    search(query) {
      if (isClosed) return Promise.resolve(fail('internal', 'the server stops'));
      if (waiting.size >= MAX_WAITING)
        return Promise.resolve(fail('rate_limited', 'too many file searches at once: wait a moment'));
      worker ??= start();
      const asked = worker;
      const id = nextId++;
      return new Promise((done) => {
        const timer = options.clock.setTimer(ANSWER_TIMEOUT_MS, () => {
          lose(asked, 'it did not answer');
          void asked.terminate();
        });
        waiting.set(id, { settle: done, timer });
        asked.postMessage({ id, ...query } satisfies ToIndex);
      });
    },
    warm() {
      if (!isClosed) worker ??= start();
    },
    async close() {
      isClosed = true;
      const was = worker;
      worker = null;
      for (const id of [...waiting.keys()]) settle(id, fail('internal', 'the server stops'));
      await was?.terminate();
    },
  };
}
