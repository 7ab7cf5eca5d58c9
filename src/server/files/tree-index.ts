/** The index of one directory: listed when first asked for, searched while it grows, listed again when it may be out of date. */
import { extendsQuery, parseQuery, type Query } from '../../core/files/match.ts';
import { createPathLister, type PathLister, type PathTable, sizeOf } from '../../core/files/path-table.ts';
import { type Narrowed, searchPaths } from '../../core/files/search-paths.ts';
import { type Listing, listTree } from './list-tree.ts';
import type { FileAnswer } from './protocol.ts';

export interface TreeIndex {
  /** `isStale` is asked between steps; a search that became stale stops. */
  search(typed: string, limit: number, isStale: () => boolean): Promise<FileAnswer>;
  /** Bytes held for the paths. */
  size(): { readonly paths: number; readonly bytes: number };
  close(): void;
}

export interface TreeIndexOptions {
  readonly root: string;
  readonly rg: string | null;
  readonly now: () => number;
}

/** Files made meanwhile are found on the second look; a person types a path for longer than this. */
const MAX_AGE_MS = 3_000;
/** Listing a huge tree may take no more than this share of the time. */
const REST_PER_LISTING = 15;
/** About 130 MB of memory; whoever has more files names one by more than a letter anyway. */
const MAX_PATHS = 2_000_000;
/** Looked at between two looks at the clock and the mail: under 10 ms. */
const STEP_PATHS = 40_000;
/** A small tree is listed whole in this time, and an answer that is whole is worth the wait. */
const FIRST_WAIT_MS = 10;
/** The first names come sooner, unless the disk is asleep. */
const FIRST_NAMES_MS = 200;
/** Directories take at most this share of an answer that has enough files. */
const DIRECTORY_SHARE = 3;

interface Generation {
  readonly lister: PathLister;
  isComplete: boolean;
  last: { readonly query: Query; readonly files: Narrowed; readonly directories: Narrowed } | null;
}

export function createTreeIndex(options: TreeIndexOptions): TreeIndex {
  let current = emptyGeneration();
  let listing: Listing | null = null;
  let listedAt = Number.NEGATIVE_INFINITY;
  let listingMs = 0;
  const [whenListed, wake] = createBell();
  const [whenNamed, wakeFirst] = createBell();

  const list = (into: Generation) => {
    const startedAt = options.now();
    const { lister } = into;
    const running = listTree(options.root, options.rg, (chunk) => {
      lister.push(chunk);
      if (lister.files.count > MAX_PATHS) running.stop();
      wakeFirst();
    });
    listing = running;
    void running.done.then(() => {
      lister.finish();
      into.isComplete = true;
      current = into;
      listing = null;
      listedAt = options.now();
      listingMs = listedAt - startedAt;
      wake();
    });
  };

  const refresh = () => {
    if (listing !== null) return;
    const restMs = Math.max(MAX_AGE_MS, listingMs * REST_PER_LISTING);
    if (options.now() - listedAt < restMs) return;
    // The first listing is searched while it grows; a later one takes its place when it is whole.
    list(current.isComplete ? emptyGeneration() : current);
  };

  const scan = async (generation: Generation, table: PathTable, kind: 'files' | 'directories', scanOptions: Scan) => {
    const { last } = generation;
    const before = last !== null && extendsQuery(scanOptions.query, last.query) ? last[kind] : null;
    const search = searchPaths(table, scanOptions.query, scanOptions.limit, before);
    while (!search.step(STEP_PATHS)) {
      await nextTurn();
      if (scanOptions.isStale()) return null;
    }
    return search;
  };

  return {
    async search(typed, limit, isStale) {
      refresh();
      if (!current.isComplete) {
        await Promise.race([whenListed(), pause(FIRST_WAIT_MS)]);
        if (current.lister.files.count === 0 && !current.isComplete)
          await Promise.race([whenListed(), whenNamed(), pause(FIRST_NAMES_MS)]);
      }
      const generation = current;
      const { files, directories } = generation.lister;
      const indexed = files.count;
      const stale = { files: [], isComplete: generation.isComplete, isStale: true, indexed };
      if (isStale()) return stale;
      const { isComplete } = generation;
      const query = parseQuery(typed);
      const foundFiles = await scan(generation, files, 'files', { query, limit, isStale });
      const foundDirectories = await scan(generation, directories, 'directories', { query, limit, isStale });
      if (foundFiles === null || foundDirectories === null) return stale;
      generation.last = { query, files: foundFiles.narrowed(), directories: foundDirectories.narrowed() };
      const [bestFiles, bestDirectories] = [foundFiles.best(), foundDirectories.best()];
      const forDirectories = Math.max(Math.ceil(limit / DIRECTORY_SHARE), limit - bestFiles.length);
      const shownDirectories = bestDirectories.slice(0, limit === 1 && bestFiles.length > 0 ? 0 : forDirectories);
      const shownFiles = bestFiles.slice(0, limit - shownDirectories.length);
      return {
        files: [
          ...shownFiles.map(({ index }) => ({ path: pathAt(files, index), type: 'file' as const })),
          ...shownDirectories.map(({ index }) => ({
            path: `${pathAt(directories, index)}/`,
            type: 'directory' as const,
          })),
        ],
        isComplete,
        isStale: false,
        indexed,
      };
    },
    size() {
      const { files, directories } = current.lister;
      return { paths: files.count, bytes: sizeOf(files) + sizeOf(directories) };
    },
    close() {
      listing?.stop();
    },
  };
}

interface Scan {
  readonly query: Query;
  readonly limit: number;
  readonly isStale: () => boolean;
}

const emptyGeneration = (): Generation => ({ lister: createPathLister(), isComplete: false, last: null });

/** Something to wait for, and the way to say that it happened. */
function createBell(): [wait: () => Promise<void>, ring: () => void] {
  let waiting: (() => void)[] = [];
  return [
    () => new Promise((done) => waiting.push(done)),
    () => {
      for (const one of waiting) one();
      waiting = [];
    },
  ];
}

const nextTurn = (): Promise<void> => new Promise((done) => setImmediate(done));
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Names that are no UTF-8 come out with a replacement character, as everywhere in a browser. */
function pathAt(table: PathTable, index: number): string {
  const start = table.starts[index] ?? 0;
  const end = (table.starts[index + 1] ?? 1) - 1;
  return Buffer.from(table.bytes.buffer, table.bytes.byteOffset + start, end - start).toString('utf8');
}
