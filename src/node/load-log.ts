/** Finds the good entries of a log file: by its index file when that is valid, else by a scan. Used when a log is opened for append or for reading. */

import { readIndexFile } from './index-file.ts';
import type { LogFiles, LogHandle } from './log-files.ts';
import { type EntryPlace, type LogIndex, MAX_SEQ_SPAN } from './log-index.ts';
import type { SkipReason } from './log-line.ts';
import { type ScannedLine, scanLines } from './log-scan.ts';

interface SkippedLine {
  offset: number;
  bytes: number;
  reason: SkipReason;
}

export interface SkippedLines {
  count: number;
  /** The first of them, for the report. */
  lines: SkippedLine[];
}

export interface LoadedLog {
  index: LogIndex;
  /** How many of its records the index file already holds. */
  indexedOnDisk: number;
  skipped: SkippedLines;
  size: number;
  /** What follows the last newline: `complete` is an entry of which only the newline is missing. */
  tail: 'none' | 'complete' | 'torn';
}

/** More than anyone reads, and few enough for a hostile file not to fill the memory. */
const MAX_REPORTED_LINES = 100;
/** The unsynced end, at least one commit of append-log: a power cut can leave holes in it, so it is parsed whole. */
const STRICT_TAIL_BYTES = 4 * 1024 * 1024;

/** A `complete` tail counts as an entry only for the writer, who will end it; for others it may be a write under way. */
export async function loadLog(
  files: LogFiles,
  handle: LogHandle,
  options: { path: string; firstSeq: number; acceptTail: boolean },
): Promise<LoadedLog> {
  const { size } = await handle.stat();
  const skipped: SkippedLines = { count: 0, lines: [] };
  const skip = (line: SkippedLine): void => {
    skipped.count += 1;
    if (skipped.lines.length < MAX_REPORTED_LINES) skipped.lines.push(line);
  };
  const { index, gaps } = await readIndexFile(files, handle, { path: options.path, firstSeq: options.firstSeq, size });
  const indexedOnDisk = index.count();
  for (const gap of gaps) skip({ ...gap, reason: 'skipped_before' });

  const collector = createCollector(index, skip);
  const range = { from: index.end(), size, strictFrom: size - STRICT_TAIL_BYTES };
  const rest = await scanLines(handle, range, (line) => collector.take(line));
  const isComplete = rest !== null && typeof rest.verdict === 'number';
  if (rest !== null && isComplete && options.acceptTail) collector.take(rest);
  else if (rest !== null) skip({ offset: rest.offset, bytes: rest.length, reason: 'torn' });
  collector.finish();
  return { index, indexedOnDisk, skipped, size, tail: rest === null ? 'none' : isComplete ? 'complete' : 'torn' };
}

/**
 * Puts entries into the index in rising seq. A damaged digit can make one seq far too high; taken at its word it would
 * hide every good entry after it. So a jump is held until the next entry shows which numbering goes on, unless as many
 * lines were refused just before it as it leaves out.
 */
function createCollector(index: LogIndex, skip: (line: SkippedLine) => void) {
  let held: EntryPlace | null = null;
  let refusedSinceLast = 0;
  const drop = (line: EntryPlace | ScannedLine, reason: SkipReason): void => {
    refusedSinceLast += 1;
    skip({ offset: line.offset, bytes: line.length, reason });
  };
  const push = (entry: EntryPlace): void => {
    refusedSinceLast = 0;
    index.push(entry);
  };
  const takeEntry = (entry: EntryPlace): void => {
    if (held !== null && entry.seq < held.seq) drop(held, 'seq_jump');
    else if (held !== null) push(held);
    held = null;
    const leftOut = entry.seq - index.lastSeq() - 1;
    if (leftOut <= refusedSinceLast) push(entry);
    else held = entry;
  };

  return {
    take(line: ScannedLine): void {
      const { offset, length, verdict } = line;
      if (typeof verdict !== 'number') drop(line, verdict);
      else if (verdict <= index.lastSeq() || verdict === held?.seq) drop(line, 'seq_order');
      else if (verdict - index.firstSeq > MAX_SEQ_SPAN) drop(line, 'seq_order');
      else takeEntry({ seq: verdict, offset, length });
    },
    finish(): void {
      if (held !== null) push(held);
      held = null;
    },
  };
}
