/** Turns that a revert made Codex forget; the transcript keeps them. Pure. */
import type { Entry } from '../../contract/entry.ts';
import { type Deliveries, deliveryOf, gatherDeliveries } from './reduce-deliveries.ts';

/** Seq of each forgotten entry → seq of the note that says so. `entries` are oldest first; a note whose turn is not among them is skipped. */
export function gatherForgotten(entries: readonly Entry[], deliveries: Deliveries): ReadonlyMap<number, number> {
  const forgotten = new Map<number, number>();
  let kept: Entry[] = [];
  for (const entry of entries) {
    if (entry.role !== 'note' || entry.kind !== 'reverted') {
      kept.push(entry);
      continue;
    }
    const at = entry.turn_id === undefined ? -1 : kept.findIndex((one) => turnOf(one, deliveries) === entry.turn_id);
    if (at < 0) continue;
    for (const one of kept.slice(at)) forgotten.set(one.seq, entry.seq);
    kept = kept.slice(0, at);
  }
  return forgotten;
}

/** The first entry of the turn; null if it is not among these. */
export function firstSeqOfTurn(entries: readonly Entry[], turnId: string): number | null {
  const deliveries = gatherDeliveries(entries, 'end');
  return entries.find((one) => turnOf(one, deliveries) === turnId)?.seq ?? null;
}

/** How many turns ended from the beginning of this one on. */
export function turnsFrom(entries: readonly Entry[], turnId: string): number {
  const first = firstSeqOfTurn(entries, turnId) ?? Number.POSITIVE_INFINITY;
  return Math.max(1, entries.filter(({ role, seq }) => role === 'status' && seq >= first).length);
}

const turnOf = (entry: Entry, deliveries: Deliveries): string | undefined =>
  entry.role === 'user' ? deliveryOf(entry, deliveries).turn_id : entry.turn_id;
