/** Rows of turns that Codex has forgotten, or will forget when an edit is sent: which are dimmed, and which are folded away. */
import { useMemo } from 'react';
import type { Entry } from '../../contract/entry.ts';
import { firstSeqOfTurn, gatherForgotten } from '../../core/conversations/forgotten.ts';
import { gatherDeliveries } from '../../core/conversations/reduce-deliveries.ts';
import { useApp } from '../state/use-app.ts';
import type { Row } from './rows.ts';

export interface Forgotten {
  /** The rows to show, in order. */
  readonly keys: readonly string[];
  readonly dimmed: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
const NOTHING: ReadonlyMap<number, number> = new Map();

/** Seq of each forgotten entry → seq of its note. Computed once for a list of entries. */
const cache = new WeakMap<readonly Entry[], ReadonlyMap<number, number>>();
export function forgottenIn(entries: readonly Entry[]): ReadonlyMap<number, number> {
  const known = cache.get(entries);
  if (known !== undefined) return known;
  const hasAny = entries.some((entry) => entry.role === 'note' && entry.kind === 'reverted');
  const made = hasAny ? gatherForgotten(entries, gatherDeliveries(entries, 'end')) : NOTHING;
  cache.set(entries, made);
  return made;
}

export function useForgotten(): Forgotten {
  const keys = useApp((state) => state.transcript.keys);
  const settled = useApp((state) => state.transcript.settled);
  const entries = useApp((state) => state.transcript.source.entries);
  const unfolded = useApp((state) => state.unfolded);
  // Whoever looks for something finds it, also in what is folded.
  const soughtKey = useApp((state) => state.jump?.key);
  const editedTurn = useApp((state) => state.editing?.turnId);
  return useMemo(() => {
    const forgotten = forgottenIn(entries);
    const fromSeq = editedTurn === undefined ? null : firstSeqOfTurn(entries, editedTurn);
    if (forgotten.size === 0 && fromSeq === null) return { keys, dimmed: NONE };
    const noteOf = (key: string) => forgotten.get(seqOf(settled.get(key)));
    const soughtNote = soughtKey === undefined ? undefined : noteOf(soughtKey);
    const dimmed = new Set<string>();
    const shown = keys.filter((key) => {
      const note = noteOf(key);
      const willBe = fromSeq !== null && seqOf(settled.get(key)) >= fromSeq;
      if (note !== undefined || willBe) dimmed.add(key);
      return note === undefined || unfolded.has(note) || note === soughtNote;
    });
    return { keys: shown, dimmed };
  }, [keys, settled, entries, unfolded, soughtKey, editedTurn]);
}

/** The newest entry of a row; -1 for a row that is not on disk. */
function seqOf(row: Row | undefined): number {
  if (row === undefined) return -1;
  if (row.kind === 'reasoning') return row.entries.at(-1)?.seq ?? -1;
  if (row.kind === 'agent') return row.entries[0]?.seq ?? -1;
  return row.kind === 'live' || row.kind === 'asking' ? -1 : row.entry.seq;
}
