/**
 * Which messages are shown at which entry. A message stands at its own entry. A steer stands where Codex took it up, and below
 * everything until then: the answer it interrupts began before it and is stored after it.
 */
import type { Entry } from '../../contract/entry.ts';
import {
  type Deliveries,
  deliveryOf,
  type MessageDelivery,
  type MessageEntry,
} from '../../core/conversations/reduce-deliveries.ts';

export interface ShownMessage {
  readonly entry: MessageEntry;
  readonly delivery: MessageDelivery;
}

export interface MessagePlaces {
  /** By the `seq` of the entry in whose place the message is shown. */
  readonly bySeq: ReadonlyMap<number, ShownMessage>;
  /** Steers that Codex has not taken up yet. */
  readonly waiting: readonly ShownMessage[];
}

export function placeMessages(entries: readonly Entry[], deliveries: Deliveries): MessagePlaces {
  const bySeq = new Map<number, ShownMessage>();
  const waiting: ShownMessage[] = [];
  for (const entry of entries) {
    if (entry.role !== 'user') continue;
    const message = { entry, delivery: deliveryOf(entry, deliveries) };
    const isWaiting = entry.mode === 'steer' && message.delivery.state === 'sent';
    if (isWaiting && deliveries.reach === 'end') waiting.push(message);
    else bySeq.set(seqOfPlace(entry, deliveries), message);
  }
  return { bySeq, waiting };
}

function seqOfPlace(entry: MessageEntry, { newest }: Deliveries): number {
  if (entry.mode !== 'steer' || entry.client_message_id === undefined) return entry.seq;
  const latest = newest.get(entry.client_message_id);
  return latest === undefined || latest.state === 'sent' ? entry.seq : latest.seq;
}
