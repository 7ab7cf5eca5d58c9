/** A conversation got another thread, in place of its draft or of a thread that Codex lost: its events go along, with where they stand. */
import type { EventStanding } from '../../contract/external-event.ts';
import type { ArrivedEvent } from '../../core/events/compact.ts';
import { isWaiting, type KeptEvent, standingOf } from '../../core/events/ledger-state.ts';
import type { Announcer, MovedGroup } from './announce.ts';
import type { Desk } from './desk.ts';

/** Where events stand in the ledger they left. */
const MOVED: EventStanding = { state: 'dropped', mode: 'drop', reason: 'thread_replaced' };
/** Whatever an event wanted of the old thread, it goes with the next message. */
const WAITS: EventStanding = { state: 'queued', mode: 'queue_for_next_turn' };
/** Whole events in memory, and places in one entry of the transcript. */
const MAX_AT_ONCE = 500;

/** The newest ledger comes first: after a kill, events that it has already are found by their id, and the rest is done again. */
export async function moveEvents(from: Desk, to: Desk, announcer: Announcer): Promise<void> {
  const all = [...from.ledger.events()].filter((one) => one.reason !== MOVED.reason);
  for (let at = 0; at < all.length; at += MAX_AT_ONCE) {
    const some = all.slice(at, at + MAX_AT_ONCE);
    await announcer.moved(to, from.threadId, await storeIn(to, from, some));
    await from.ledger.note(
      some.map((one) => one.event_seq),
      MOVED,
    );
  }
}

/** Those that wait, and the others. */
async function storeIn(to: Desk, from: Desk, all: readonly KeptEvent[]): Promise<MovedGroup[]> {
  const byPlace = new Map(all.map((one) => [one.event_seq, one]));
  const waiting = { standing: WAITS, before: [] as number[], seqs: [] as number[], hops: 0 };
  const others = { ...waiting, before: [] as number[], seqs: [] as number[] };
  const isRead: number[] = [];
  const stored: Promise<void>[] = [];
  for (const { event, event_seq: before } of await from.ledger.read([...byPlace.keys()])) {
    const old = byPlace.get(before);
    if (old === undefined) continue;
    const group = isWaiting(old) ? waiting : others;
    const standing = isWaiting(old) ? WAITS : standingOf(old);
    const known = to.ledger.find(event);
    const added = known === undefined ? to.ledger.append(arrivalAt(to, event, old, standing), null) : null;
    if (added !== null) stored.push(added.done);
    const seq = added?.kept.event_seq ?? known ?? 0;
    // The new ledger remembers the event and has let it go: somebody has read it.
    if (seq === 0) continue;
    if (group.seqs.length === 0) group.standing = standing;
    group.before.push(before);
    group.seqs.push(seq);
    group.hops = Math.max(group.hops, event.routing.hops ?? 0);
    if (old.read) isRead.push(seq);
  }
  await Promise.all(stored);
  if (isRead.length > 0) await to.ledger.mark(isRead, true);
  return [waiting, others].filter((group) => group.seqs.length > 0);
}

function arrivalAt(to: Desk, event: ArrivedEvent['event'], { ingress }: KeptEvent, standing: EventStanding) {
  const { trust, ...sent } = event;
  return { event: { ...sent, routing: { ...sent.routing, thread_id: to.threadId } }, trust, ingress, standing };
}
