/** A conversation may get another thread, in place of one that Codex lost before its first turn: what waited there goes along. */
import { isWaiting } from '../../core/events/ledger-state.ts';
import type { Announcer } from './announce.ts';
import type { Desk } from './desk.ts';

export async function moveWaiting(from: Desk, to: Desk, announcer: Announcer): Promise<void> {
  const seqs = [...from.ledger.events()].filter(isWaiting).map((kept) => kept.event_seq);
  for (const { event, event_seq } of await from.ledger.read(seqs)) {
    // It may have been sent to the new one as well.
    if (to.ledger.find(event) !== undefined) continue;
    const { trust, ...sent } = event;
    const moved = { ...sent, routing: { ...sent.routing, thread_id: to.threadId } };
    const ingress = from.ledger.event(event_seq)?.ingress ?? 'http';
    const standing = { state: 'queued', mode: 'queue_for_next_turn' } as const;
    const arrival = { event: moved, trust, ingress, standing };
    const { kept, done } = to.ledger.append(arrival, null);
    await done;
    if (ingress === 'board') await announcer.tie(to, kept.event_seq);
    announcer.arrived(to, [{ kept, arrival }]);
  }
  if (seqs.length === 0) return;
  const gone = { state: 'dropped', mode: 'drop', reason: 'thread_replaced' } as const;
  await from.ledger.note(seqs, gone);
  await announcer.changed(from, seqs, gone);
}
