/** What the credential of an adapter allows: the threads of its entry, and the source name where the entry fixes it. Pure. */

import type { AdapterEntry } from '../../contract/adapter.ts';
import { type BrokerProvenance, PROVENANCES } from '../../contract/adapter.ts';
import type { Trust } from '../../contract/external-event.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { isRecord } from '../text/is-record.ts';

/** A label or id → the address of its events; null if nobody has it. */
type FindAddress = (labelOrId: string) => string | null;

/** The event with the address of its thread and the source it may have. */
export function confineEvent(
  event: unknown,
  entry: Pick<AdapterEntry, 'threads' | 'source'>,
  findAddress: FindAddress,
): Result<unknown> {
  if (!isRecord(event)) return fail('invalid_event', 'an event is a JSON object');
  const routing = isRecord(event.routing) ? event.routing : {};
  const address = addressOf(routing.thread_id, entry.threads, findAddress);
  if (!address.ok) return address;
  const source = isRecord(event.source) ? event.source : {};
  return ok({
    ...event,
    routing: { ...routing, thread_id: address.value },
    source: entry.source === undefined ? source : { ...source, name: entry.source },
  });
}

function addressOf(given: unknown, threads: readonly string[], findAddress: FindAddress): Result<string> {
  const [only = '', ...others] = threads;
  if (given === undefined && others.length > 0)
    return fail('invalid_event', `routing.thread_id is missing, and the adapter has ${threads.length} threads`);
  const named = given ?? only;
  if (typeof named !== 'string') return fail('invalid_event', 'routing.thread_id: expected text');
  const address = findAddress(named);
  const allowed = new Set(threads.map((one) => findAddress(one)).filter((one) => one !== null));
  // Whether another thread exists is not said: the message is the same.
  if (address === null || !allowed.has(address)) {
    const reason = threads.includes(named)
      ? `no conversation has the label or id ${named}`
      : `the adapter may publish to ${threads.join(', ')} only`;
    return fail('unknown_thread', reason);
  }
  return ok(address);
}

/** How the broker may have known an adapter, by what its entry has. An address from a variable or a file may hold a user and a password. */
function provenancesOf(entry: AdapterEntry): readonly BrokerProvenance[] {
  const kinds: BrokerProvenance[] = ['none'];
  if (entry.type === 'nats' && (entry.nkey_env ?? entry.nkey_file) !== undefined) kinds.push('nkey');
  if (entry.cert_file !== undefined) kinds.push('mtls');
  if (entry.url === undefined) kinds.push('user');
  return kinds;
}

/** `said`: what the adapter says of its broker. It gains nothing that its entry does not have. */
export function trustOfAdapter(entry: AdapterEntry, said: string | undefined): Trust {
  const provenance = PROVENANCES.find((one) => one === said && provenancesOf(entry).includes(one)) ?? 'none';
  return { origin: 'queue', authenticated: provenance !== 'none', provenance, treat_as_instruction: false };
}
