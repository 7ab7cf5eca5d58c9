/** A JSON value that is too long for the model, cut so that its shape can still be seen: long texts, lists and objects end with a mark. Pure. */
import { byteLength, cutEndBytes } from '../text/bytes.ts';
import { isRecord } from '../text/is-record.ts';

/** Tried in turn until the value fits: bytes of each text, members of each list and object. */
const STEPS = [
  { text: 1_000, members: 100 },
  { text: 300, members: 30 },
  { text: 120, members: 10 },
  { text: 40, members: 4 },
] as const;
type CutStep = (typeof STEPS)[number];

/** A value that no step makes short enough becomes the beginning of its JSON, as a text. Callers bound the depth. */
export function cutJson(value: unknown, maxBytes: number): unknown {
  for (const step of STEPS) {
    const cut = cutValue(value, step);
    if (byteLength(JSON.stringify(cut)) <= maxBytes) return cut;
  }
  return cutEndBytes(JSON.stringify(value), maxBytes);
}

function cutValue(value: unknown, step: CutStep): unknown {
  if (typeof value === 'string') return cutEndBytes(value, step.text);
  if (Array.isArray(value)) {
    const kept = value.slice(0, step.members).map((one) => cutValue(one, step));
    const left = value.length - kept.length;
    return left === 0 ? kept : [...kept, `… [${left} more]`];
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  const kept = entries.slice(0, step.members).map(([key, one]) => [cutEndBytes(key, step.text), cutValue(one, step)]);
  const left = entries.length - kept.length;
  return Object.fromEntries(left === 0 ? kept : [...kept, ['…', `[${left} more]`]]);
}
