/** A ledger's lines folded into what lists show and delivery needs: one record per event, who was here before, what may go. Pure. */
import type {
  EventItem,
  EventRecord,
  EventStanding,
  ExternalEventInput,
  Ingress,
  LedgerLine,
  Trust,
} from '../../contract/external-event.ts';
import { parseIsoTime } from '../text/iso-time.ts';
import { cutBytes } from './compact.ts';
import { KnownEvents } from './known-events.ts';

/** What a list shows of a summary; the whole is read from the ledger. */
const MAX_ITEM_SUMMARY_BYTES = 600;
const MAX_ITEM_TITLE_BYTES = 300;

export interface KeptRecord extends EventRecord {
  readonly delivery_id?: string;
}

/** An event with what we know of it when it comes in. */
export interface Arrival {
  readonly event: ExternalEventInput;
  readonly trust: Trust;
  readonly ingress: Ingress;
  readonly standing: EventStanding;
}

/** Made for each event of a flood: field by field, since spreading costs more than all the rest of it. */
export function recordOf(seq: number, ts: string, { event, trust, ingress, standing }: Arrival): KeptRecord {
  const { correlation_id } = event.routing;
  const record: Mutable<KeptRecord> = {
    event_seq: seq,
    event_id: event.event_id,
    type: event.type,
    severity: event.severity,
    title: cutBytes(event.title, MAX_ITEM_TITLE_BYTES),
    summary: cutBytes(event.summary, MAX_ITEM_SUMMARY_BYTES),
    source: sourceOf(event),
    time_unix_ms: event.time_unix_ms,
    received_at: ts,
    ingress,
    trust,
    state: standing.state,
    mode: standing.mode,
    read: false,
  };
  if (correlation_id !== undefined) record.correlation_id = correlation_id;
  if (standing.reason !== undefined) record.reason = standing.reason;
  if (standing.turn_id !== undefined) record.turn_id = standing.turn_id;
  return record;
}

function sourceOf({ source: { name, run_id, url } }: ExternalEventInput): EventItem['source'] {
  const source: EventItem['source'] = { name };
  if (run_id !== undefined) source.run_id = run_id;
  if (url !== undefined) source.url = url;
  return source;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface LedgerState {
  readonly records: Map<number, KeptRecord>;
  readonly known: KnownEvents;
}

export const emptyLedger = (): LedgerState => ({ records: new Map(), known: new KnownEvents() });

export function keepRecord(state: LedgerState, record: KeptRecord): void {
  state.records.set(record.event_seq, record);
  state.known.add(record, record.event_seq);
}

/** Changes the state it is given: a ledger may have a hundred thousand lines. */
export function foldLine(state: LedgerState, line: LedgerLine): void {
  switch (line.kind) {
    case 'event': {
      const { event, ingress, state: first, mode, reason } = line;
      const standing = { state: first, mode, ...(reason !== undefined && { reason }) };
      keepRecord(state, recordOf(line.seq, line.ts, { event, trust: event.trust, ingress, standing }));
      break;
    }
    case 'state': {
      const { events, state: next, mode, reason, turn_id, delivery_id } = line;
      for (const seq of events) applyStanding(state, seq, { state: next, mode, reason, turn_id }, delivery_id);
      break;
    }
    case 'read':
      for (const seq of line.events) {
        const record = state.records.get(seq);
        if (record !== undefined) state.records.set(seq, { ...record, read: true });
      }
      break;
    case 'seen':
      for (const key of line.keys) state.known.recall(key, parseIsoTime(line.ts) ?? 0);
      break;
    default:
      line satisfies never;
  }
}

interface NewStanding {
  readonly state: EventStanding['state'];
  readonly mode: EventStanding['mode'];
  readonly reason?: string | undefined;
  readonly turn_id?: string | undefined;
}

export function applyStanding(state: LedgerState, seq: number, next: NewStanding, deliveryId?: string): void {
  const record = state.records.get(seq);
  if (record === undefined) return;
  const { reason: _reason, turn_id: _turn, delivery_id: _delivery, ...rest } = record;
  state.records.set(seq, {
    ...rest,
    state: next.state,
    mode: next.mode,
    ...(next.reason !== undefined && { reason: next.reason }),
    ...(next.turn_id !== undefined && { turn_id: next.turn_id }),
    ...(deliveryId !== undefined && { delivery_id: deliveryId }),
  });
}

/** States in which the model, or a person, still has to hear of it. */
const WAITING = new Set<EventRecord['state']>(['received', 'queued', 'sending', 'held']);
export const isWaiting = (record: EventRecord): boolean => WAITING.has(record.state);

export interface Retention {
  readonly maxEvents: number;
  readonly maxAgeMs: number;
}

/** Seqs that may go: too old or too many, but never one that is unread or still waits. */
export function expiredEvents(state: LedgerState, retention: Retention, now: number): number[] {
  const surplus = state.records.size - retention.maxEvents;
  const expired: number[] = [];
  for (const record of state.records.values()) {
    if (!record.read || isWaiting(record)) continue;
    const isOld = now - (parseIsoTime(record.received_at) ?? now) > retention.maxAgeMs;
    if (isOld || expired.length < surplus) expired.push(record.event_seq);
  }
  return expired;
}
