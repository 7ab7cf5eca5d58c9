/** Pages of raw lines from a log by its index, without parsing. The writer's process shares its index; others open the file read-only. */

import { loadLog, type SkippedLines } from './load-log.ts';
import { type LogFiles, type LogHandle, readFully, systemLogFiles } from './log-files.ts';
import { type EntryPlace, entryEnd, type LogIndex } from './log-index.ts';

/** Bounds are exclusive. With `after` the page is the oldest entries behind it, else the newest (below `before`). */
export interface LogQuery {
  before?: number;
  after?: number;
  limit: number;
  /** The page ends early rather than get larger, but always holds one entry if there is one. */
  maxBytes?: number;
}

interface LogPage {
  /** Raw JSON texts in rising seq. */
  lines: string[];
  /** Null when the page is empty. */
  firstSeq: number | null;
  lastSeq: number | null;
  /** There are more entries within the bounds: older ones, or with `after` newer ones. */
  hasMore: boolean;
}

export interface LogReader {
  readonly index: LogIndex;
  total(): number;
  read(query: LogQuery): Promise<LogPage>;
  /** The lines of these seqs, of those that are there, in the order of the file. */
  pick(seqs: readonly number[]): Promise<string[]>;
  close(): Promise<void>;
}

/** Fifty entries of the largest outputs we store fit; fifty hostile ones of 64 MiB do not. */
const DEFAULT_PAGE_BYTES = 16 * 1024 * 1024;
/** What lies between two entries and is not wanted is read over up to this much; more is jumped. */
const MAX_GAP_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** Reads what `index` knows, through its own descriptor: a writer in trouble does not disturb it. */
export function createLogReader(options: { path: string; index: LogIndex; files?: LogFiles }): LogReader {
  const { index, path } = options;
  const files = options.files ?? systemLogFiles;
  let opening: Promise<LogHandle> | null = null;
  const openOnce = (): Promise<LogHandle> => {
    opening ??= files.open(path, 'read').catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  return {
    index,
    total: index.count,
    async read(query) {
      const { places, hasMore } = planPage(index, query);
      if (places.length === 0) return { lines: [], firstSeq: null, lastSeq: null, hasMore };
      const lines = await readPlaces(await openOnce(), places);
      return { lines, firstSeq: places[0]?.seq ?? null, lastSeq: places.at(-1)?.seq ?? null, hasMore };
    },
    async pick(seqs) {
      // A run is read from its first place to its last: one that lies behind the last would be left out.
      const rising = seqs.toSorted((one, other) => one - other);
      const places = rising.flatMap((seq) => findPlace(index, seq) ?? []);
      return places.length === 0 ? [] : readPlaces(await openOnce(), places);
    },
    async close() {
      const handle = await opening;
      opening = null;
      await handle?.close();
    },
  };
}

/** For a file that nobody in this process writes: changes nothing, not even a torn end. */
export async function openLogReader(options: {
  path: string;
  firstSeq?: number;
  files?: LogFiles;
}): Promise<LogReader & { readonly skipped: SkippedLines }> {
  const files = options.files ?? systemLogFiles;
  const handle = await files.open(options.path, 'read');
  try {
    const { index, skipped } = await loadLog(files, handle, {
      path: options.path,
      firstSeq: options.firstSeq ?? 1,
      acceptTail: false,
    });
    return { ...createLogReader({ path: options.path, index, files }), skipped };
  } finally {
    await handle.close();
  }
}

function planPage(index: LogIndex, query: LogQuery): { places: EntryPlace[]; hasMore: boolean } {
  const low = query.after === undefined ? 0 : index.lowerBound(query.after + 1);
  const high = query.before === undefined ? index.count() : index.lowerBound(query.before);
  const isForward = query.after !== undefined;
  const maxBytes = query.maxBytes ?? DEFAULT_PAGE_BYTES;
  const places: EntryPlace[] = [];
  let bytes = 0;
  while (places.length < Math.min(query.limit, high - low)) {
    const place = index.at(isForward ? low + places.length : high - 1 - places.length);
    bytes += place.length;
    if (bytes > maxBytes && places.length > 0) break;
    places.push(place);
  }
  return { places: isForward ? places : places.reverse(), hasMore: places.length < high - low };
}

function findPlace(index: LogIndex, seq: number): EntryPlace | undefined {
  const at = index.lowerBound(seq);
  const place = at < index.count() ? index.at(at) : undefined;
  return place?.seq === seq ? place : undefined;
}

async function readPlaces(handle: LogHandle, places: EntryPlace[]): Promise<string[]> {
  const lines: string[] = [];
  for (const run of groupRuns(places)) lines.push(...(await readRun(handle, run)));
  return lines;
}

/** One run is one read; an undamaged page is one run. */
function groupRuns(places: EntryPlace[]): EntryPlace[][] {
  const runs: EntryPlace[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const place of places) {
    if (place.offset - end > MAX_GAP_BYTES) runs.push([]);
    runs.at(-1)?.push(place);
    end = entryEnd(place);
  }
  return runs;
}

/** A line that is no longer where the index says (the file was edited under us) is left out rather than served in pieces. */
async function readRun(handle: LogHandle, run: EntryPlace[]): Promise<string[]> {
  const first = run[0];
  const last = run.at(-1);
  if (first === undefined || last === undefined) return [];
  const bytes = Buffer.allocUnsafe(entryEnd(last) - first.offset);
  const filled = await readFully(handle, bytes, first.offset);
  const lines: string[] = [];
  for (const place of run) {
    const start: number = place.offset - first.offset;
    const end = start + place.length;
    const isWhole = end === filled || (end < filled && bytes[end] === NEWLINE);
    if (isWhole) lines.push(bytes.toString('utf8', start, end));
  }
  return lines;
}
