/** A log whose file can be written anew while it is in use: what is appended meanwhile waits, with the seq it was given. */
import { type AppendLog, openAppendLog, type StorageState } from '../../node/append-log.ts';
import type { Clock } from '../../node/clock.ts';
import { createLogReader, type LogReader } from '../../node/read-log.ts';

export interface RenewableLog {
  append(build: (seq: number) => string): { readonly seq: number; readonly done: Promise<void> };
  /** Everything appended so far is durable. */
  drain(): Promise<void>;
  /** The line of this seq, if there is one. */
  read(seq: number): Promise<string | undefined>;
  storage(): StorageState;
  /** `rewrite` has the file to itself; the last seq in it must stay what it is, and a failure must leave the file as it was. */
  renew(rewrite: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

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

export async function openRenewableLog(options: RenewableLogOptions): Promise<RenewableLog> {
  let log: AppendLog = await openAppendLog(options);
  let reader: LogReader = createLogReader({ path: options.path, index: log.index });
  /** Null while the file is in use. */
  let held: HeldLine[] | null = null;
  let renewing: Promise<void> = Promise.resolve();

  const hold = (lines: HeldLine[], build: (seq: number) => string): HeldLine => {
    const line = createHeldLine((lines.at(-1)?.seq ?? log.nextSeq() - 1) + 1, build);
    lines.push(line);
    return line;
  };

  const renewNow = async (rewrite: () => Promise<void>): Promise<void> => {
    const lines: HeldLine[] = [];
    held = lines;
    try {
      await log.close();
      await reader.close();
      await rewrite();
    } finally {
      log = await openAppendLog(options);
      reader = createLogReader({ path: options.path, index: log.index });
      held = null;
      for (const line of lines) line.settle(log.append(line.build).done);
    }
  };

  return {
    append: (build) => (held === null ? log.append(build) : hold(held, build)),
    drain: () => held?.at(-1)?.done ?? log.drain(),
    async read(seq) {
      await renewing.catch(() => undefined);
      return (await reader.read({ after: seq - 1, before: seq + 1, limit: 1 })).lines[0];
    },
    storage: () => log.state(),
    renew(rewrite) {
      renewing = renewing.catch(() => undefined).then(() => renewNow(rewrite));
      return renewing;
    },
    async close() {
      await renewing.catch(() => undefined);
      await log.close();
      await reader.close();
    },
  };
}

function createHeldLine(seq: number, build: (seq: number) => string): HeldLine {
  let settle: (stored: Promise<void>) => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    settle = resolve;
  });
  // Whoever does not wait for the line is not to be killed by its failure.
  done.catch(() => undefined);
  return { seq, build, done, settle };
}
