/**
 * What became of each message. A `user` entry is stored before Codex has the message; later `delivery` entries with the same
 * `client_message_id` say what became of it, and the newest one counts. Used by the page, the command line and the exports.
 */
import type { DeliveryState, Entry, EntryOf } from '../../contract/entry.ts';

export type MessageEntry = Extract<Entry, { role: 'user' }>;
type DeliveryEntry = Extract<Entry, { role: 'delivery' }>;

export interface MessageDelivery {
  /** `unknown`: the message was on its way, and the entries at hand end before anything was recorded about it. */
  readonly state: DeliveryState | 'unknown';
  readonly reason?: string;
  /** A sentence for people about a message that was not delivered. */
  readonly text?: string;
  readonly turn_id?: string;
  readonly item_id?: string;
  /** Whether a newer message repeats this one; `unknown` if that message may lie outside the entries at hand. */
  readonly repeated: 'yes' | 'no' | 'unknown';
}

/** `end`: the entries go up to the end of the transcript. `part`: newer entries exist that are not at hand. */
export type Reach = 'end' | 'part';

export interface Deliveries {
  readonly reach: Reach;
  /** The newest `delivery` entry by `client_message_id`. */
  readonly newest: ReadonlyMap<string, DeliveryEntry>;
  /** Ids of messages that a newer message repeats. */
  readonly repeated: ReadonlySet<string>;
}

/** `entries` are oldest first. */
export function gatherDeliveries(entries: readonly Entry[], reach: Reach): Deliveries {
  const newest = new Map<string, DeliveryEntry>();
  const repeated = new Set<string>();
  for (const entry of entries) {
    if (entry.role === 'delivery') newest.set(entry.client_message_id, entry);
    else if (entry.role === 'user' && entry.retry_of !== undefined) repeated.add(entry.retry_of);
  }
  return { reach, newest, repeated };
}

export function deliveryOf(entry: EntryOf<'user'>, { reach, newest, repeated }: Deliveries): MessageDelivery {
  const id = entry.client_message_id;
  const latest = id === undefined ? undefined : newest.get(id);
  const { reason, text } = latest ?? {};
  const turn_id = latest?.turn_id ?? entry.turn_id;
  const item_id = latest?.item_id ?? entry.item_id;
  const isRepeated = id !== undefined && repeated.has(id);
  return {
    state: latest?.state ?? stateOfEntry(entry, reach),
    ...(reason !== undefined && { reason }),
    ...(text !== undefined && { text }),
    ...(turn_id !== undefined && { turn_id }),
    ...(item_id !== undefined && { item_id }),
    repeated: isRepeated ? 'yes' : reach === 'end' ? 'no' : 'unknown',
  };
}

/** A message without a state was recorded when Codex reported it, so Codex has it. */
function stateOfEntry({ state = 'delivered' }: EntryOf<'user'>, reach: Reach): MessageDelivery['state'] {
  return state === 'sent' && reach === 'part' ? 'unknown' : state;
}

export function isSameDelivery(a: MessageDelivery, b: MessageDelivery | undefined): boolean {
  const isSameState = a.state === b?.state && a.reason === b.reason && a.text === b.text;
  return isSameState && a.turn_id === b.turn_id && a.item_id === b.item_id && a.repeated === b.repeated;
}
