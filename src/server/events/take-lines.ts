/** Lines of a file into a desk. What is no event is kept aside, counted and told, so that the file can go on. */
import { MAX_EVENT_BYTES } from '../../contract/external-event.ts';
import { type Desk, settled, type Taken } from './desk.ts';
import type { EventLine } from './event-lines.ts';

/** Not the event's fault: it is to be tried again. */
const LATER = new Set(['storage_full', 'rate_limited', 'internal']);

/** False when some could not be stored now: all of them are to be given again, and those that were stored are recognized. */
export async function takeLines(desk: Desk, lines: readonly EventLine[], ingress: 'file' | 'drop'): Promise<boolean> {
  const taken: Taken[] = [];
  const rejected: { reason: string; text: string }[] = [];
  for (const line of lines) {
    if ('tooLong' in line) {
      rejected.push({ reason: `too_large: ${line.tooLong} bytes of at most ${MAX_EVENT_BYTES}`, text: '' });
      continue;
    }
    const one = desk.takeText(line.text, { kind: 'file' }, ingress, { isThreadGiven: true });
    if (one.verdict === 'refused' && LATER.has(one.failure.code)) return false;
    if (one.verdict === 'refused')
      rejected.push({ reason: `${one.failure.code}: ${one.failure.message}`, text: line.text });
    taken.push(one);
  }
  for (const one of taken) {
    const outcome = await settled(one);
    if (one.verdict !== 'refused' && outcome.verdict === 'refused') return false;
  }
  for (const { reason, text } of rejected) desk.quarantine(reason, text);
  return true;
}
