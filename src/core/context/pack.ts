/** Fits fragments into a budget. Whatever does not fit is said, never silently gone. */
import type { ContextRecord, Fragment } from '../../contract/context.ts';
import { byteLength, cutMiddleBytes } from '../text/bytes.ts';
import { markersOf } from './fragment.ts';
import { SPECS } from './specs.ts';

/** All fragments of one message: room for four full ones, and a small part of any model's window. */
export const MAX_CONTEXT_BYTES = 16_000;

interface Packed {
  readonly carried: readonly Fragment[];
  readonly leftOut: ContextRecord['left_out'];
}

/** Bytes a fragment takes in the request, markers included. */
export function costOf(fragment: Fragment): number {
  const { open, close } = markersOf(fragment);
  return byteLength(`${open}${fragment.value}${close}`);
}

/** A fragment whose key is already taken waits for the next message, since a message carries one value a key. */
export function pack(fragments: readonly Fragment[], budget = MAX_CONTEXT_BYTES): Packed {
  const carried: Fragment[] = [];
  const leftOut: { key: string; bytes: number }[] = [];
  let room = budget;
  for (const given of fragments.toSorted((a, b) => SPECS[a.name].order - SPECS[b.name].order)) {
    const fragment = capped(given);
    const cost = costOf(fragment);
    if (cost > room || carried.some((one) => one.key === fragment.key)) {
      leftOut.push({ key: given.key, bytes: byteLength(given.value) });
      continue;
    }
    carried.push(fragment);
    room -= cost;
  }
  return { carried, leftOut };
}

function capped(fragment: Fragment): Fragment {
  const { text, cutBytes } = cutMiddleBytes(fragment.value, SPECS[fragment.name].maxBytes);
  return cutBytes === 0 ? fragment : { ...fragment, value: text, cut_bytes: (fragment.cut_bytes ?? 0) + cutBytes };
}
