/** Fits fragments into a budget. Whatever does not fit is said, never silently gone. */
import type { ContextRecord, Fragment } from '../../contract/context.ts';
import { byteLength, cutMiddleBytes } from '../text/bytes.ts';
import { fragmentOf, markedText } from './fragment.ts';
import { POLICY } from './policy.ts';
import { SPECS } from './specs.ts';

/** All fragments of one message: room for four full ones, and a small part of any model's window. */
const MAX_CONTEXT_BYTES = 16_000;

interface Packed {
  readonly carried: readonly Fragment[];
  readonly leftOut: ContextRecord['left_out'];
}

/** Bytes a fragment takes in the request, markers included. */
export const costOf = (fragment: Fragment): number => byteLength(markedText(fragment));

export interface PackOptions {
  readonly carrier: ContextRecord['carrier'];
  /** Of the note that goes with whatever comes from outside; null when the person wants none. */
  readonly deliveryId: string | null;
  readonly budget?: number;
}

/**
 * Lower orders first. A fragment whose key is already taken waits for the next message, since a message carries one value a key.
 * Room for the longest note is set aside before: the note itself is never what is left out, and says what else is.
 */
export function pack(offered: readonly Fragment[], options: PackOptions): Packed {
  const { carrier, deliveryId, budget = MAX_CONTEXT_BYTES } = options;
  const noteOn = (leftOut: Packed['leftOut']): readonly Fragment[] =>
    deliveryId === null ? [] : [fragmentOf(POLICY, { deliveryId, carrier, leftOut })];
  const carried: Fragment[] = [];
  const leftOut: ContextRecord['left_out'] = [];
  let room = noteOn(offered.map(named)).reduce((left, note) => left - costOf(note), budget);
  for (const given of offered.toSorted((a, b) => SPECS[a.name].order - SPECS[b.name].order)) {
    const fragment = capped(given);
    const cost = costOf(fragment);
    if (cost > room || carried.some((one) => one.key === fragment.key)) leftOut.push(named(given));
    else {
      carried.push(fragment);
      room -= cost;
    }
  }
  const isFromOutside = carried.some((one) => one.kind === 'untrusted');
  return { carried: isFromOutside ? [...noteOn(leftOut), ...carried] : carried, leftOut };
}

const named = ({ key, value }: Fragment) => ({ key, bytes: byteLength(value) });

function capped(fragment: Fragment): Fragment {
  const { text, cutBytes } = cutMiddleBytes(fragment.value, SPECS[fragment.name].maxBytes);
  return cutBytes === 0 ? fragment : { ...fragment, value: text, cut_bytes: (fragment.cut_bytes ?? 0) + cutBytes };
}
