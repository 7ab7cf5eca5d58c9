/**
 * Files that an inbox was moved or copied to (`….jsonl.1`, `….jsonl-20260131`). Usually all of them was read before; what was not, because it
 * went by while nobody looked or because its writer still has the old file open, is read there.
 */
import type { BigIntStats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../node/clock.ts';

export interface Rotated {
  /** The inbox was followed up to here under its own name; it may lie among them now. */
  left(key: string, offset: number): void;
  /** Whether the file lies among them. */
  holds(key: string): Promise<boolean>;
  /** Reads what is new in each, oldest first, but for the one that is still followed. */
  read(followed: string | null): Promise<void>;
  /** How far each was read, for the next start. */
  marks(): Readonly<Record<string, number>>;
}

export interface RotatedOptions {
  /** Of the inbox. */
  readonly path: string;
  readonly marks: Readonly<Record<string, number>>;
  readonly clock: Clock;
  /** The ledger may have forgotten what is older, and would take it for new. */
  readonly maxAgeMs: number;
  /** Reads from an offset and answers how far it came. `isFinal`: a last line without an end is one. */
  readonly readFrom: (path: string, offset: number, isFinal: boolean) => Promise<number>;
}

/** The newest are looked at; whoever keeps more has had them read before. */
const MAX_FILES = 50;
/** Nobody ends a line so long after having begun it. */
const QUIET_MS = 2_000;
/** As logrotate and its like name them; neither compressed ones nor what an editor leaves. */
const SUFFIX = /^(?:\.\d{1,10}|-\d{8,14})$/;

export function createRotated(options: RotatedOptions): Rotated {
  const { clock } = options;
  const folder = dirname(options.path);
  const name = basename(options.path);
  let marks = new Map(Object.entries(options.marks));

  const list = async () => {
    const names = (await readdir(folder)).filter((one) => one.startsWith(name) && SUFFIX.test(one.slice(name.length)));
    const found = await Promise.all(
      names.map(async (one) => ({
        path: join(folder, one),
        stats: await lstat(join(folder, one), { bigint: true }).catch(() => null),
      })),
    );
    return found
      .flatMap(({ path, stats }) => (stats?.isFile() === true ? [describe(path, stats)] : []))
      .filter(({ changedMs }) => clock.now() - changedMs < options.maxAgeMs)
      .sort((a, b) => a.changedMs - b.changedMs)
      .slice(-MAX_FILES);
  };

  return {
    left: (key, offset) => void marks.set(key, offset),
    holds: async (key) => (await list()).some((one) => one.key === key),
    async read(followed) {
      const files = await list();
      // One that is gone need not be remembered, and its number may be given to another.
      const still = new Set(files.map(({ key }) => key));
      marks = new Map([...marks].filter(([key]) => still.has(key)));
      for (const { path, key, size, changedMs } of files) {
        const before = marks.get(key) ?? 0;
        if (key === followed || size === before) continue;
        const isQuiet = clock.now() - changedMs > QUIET_MS;
        marks.set(key, await options.readFrom(path, size < before ? 0 : before, isQuiet));
      }
    },
    marks: () => Object.fromEntries(marks),
  };
}

function describe(path: string, stats: BigIntStats) {
  return { path, key: fileKey(stats), size: Number(stats.size), changedMs: Number(stats.mtimeMs) };
}

/** Names a file whatever it is called. Where no time of birth is kept, it is read once more, and nothing is stored twice. */
export function fileKey({ dev, ino, birthtimeNs }: Pick<BigIntStats, 'dev' | 'ino' | 'birthtimeNs'>): string {
  return `${dev}:${ino}:${birthtimeNs}`;
}
