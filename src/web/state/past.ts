/**
 * A stretch of the transcript away from its end, shown after a jump. The live window goes on unseen behind it; scrolled
 * far enough down, the stretch meets the window and becomes part of it.
 */
import type { Entry } from '../../contract/entry.ts';
import type { Row, Transcript } from '../transcript/rows.ts';

export interface Past {
  /** Oldest first, dense by seq. */
  readonly entries: readonly Entry[];
  /** Whether the live window has older pages than it holds; what `hasMore` was. */
  readonly liveHasMore: boolean;
}

/** A jump: the list is mounted anew for each, and the row is brought into view. */
export interface Jump {
  readonly count: number;
  readonly seq: number;
  readonly key: string;
  /** Which occurrence of the sought text in the row is meant. */
  readonly word: number;
  /** The rows changed under the list, so that it must begin again. */
  readonly isRemount: boolean;
}

/** The row that shows an entry; where none does (it was merged or hides), the last one before it. */
export function keyOfSeq(transcript: Transcript, seq: number): string | null {
  let found: string | null = null;
  for (const [key, row] of transcript.settled) if (row.kind === 'message' && row.entry.seq === seq) return key;
  for (const key of transcript.settledKeys) {
    const row = transcript.settled.get(key);
    // A steer stands later than its own entry.
    if (row === undefined || (row.kind === 'message' && row.entry.mode === 'steer')) continue;
    const first = firstSeqOf(row);
    if (first === null || first > seq) break;
    found = key;
  }
  return found;
}

function firstSeqOf(row: Row): number | null {
  if (row.kind === 'message' || row.kind === 'events') return row.entry.seq;
  if (row.kind === 'entry') return row.entry.role === 'shell_output' ? row.entry.seq - 1 : row.entry.seq;
  if (row.kind === 'reasoning' || row.kind === 'agent') return row.entries[0]?.seq ?? null;
  return null;
}

/** Both stretches as one, or null while there is a gap between them. */
export function joinEntries(older: readonly Entry[], newer: readonly Entry[]): readonly Entry[] | null {
  const last = older.at(-1)?.seq;
  const first = newer[0]?.seq;
  if (last === undefined || first === undefined) return null;
  if (last < first - 1) return null;
  return [...older.filter((entry) => entry.seq < first), ...newer];
}
