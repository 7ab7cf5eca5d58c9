/** A ledger's lines folded into what lists show and delivery needs: one record per event, who was here before, what may go. Pure. */
import type { EventRecord, EventStanding, ExternalEvent, Ingress, LedgerLine } from '../../contract/external-event.ts';
import { parseIsoTime } from '../text/iso-time.ts';
import { cutBytes } from './compact.ts';

/** What a list shows of a summary; the whole is read from the ledger. */
const MAX_ITEM_SUMMARY_BYTES = 600;
const MAX_ITEM_TITLE_BYTES = 300;

export interface KeptRecord extends EventRecord {
  readonly key: string;
  readonly delivery_id?: string;
}

/** Names an event whatever way it came in. */
export const keyOf = (event: Pick<ExternalEvent, 'source' | 'event_id'>): string =>
  `${event.source.name}\n${event.event_id}`;

export function recordOf(
  seq: number,
  ts: string,
  event: ExternalEvent,
  ingress: Ingress,
  standing: EventStanding,
): KeptRecord {
  const { name, run_id, url } = event.source;
  const { correlation_id } = event.routing;
  return {
    event_seq: seq,
    event_id: event.event_id,
    type: event.type,
    severity: event.severity,
    title: cutBytes(event.title, MAX_ITEM_TITLE_BYTES),
    summary: cutBytes(event.summary, MAX_ITEM_SUMMARY_BYTES),
    source: { name, ...(run_id !== undefined && { run_id }), ...(url !== undefined && { url }) },
    ...(correlation_id !== undefined && { correlation_id }),
    time_unix_ms: event.time_unix_ms,
    received_at: ts,
    ingress,
    trust: event.trust,
    ...standing,
    read: false,
    key: keyOf(event),
  };
}

export interface LedgerState {
  readonly records: Map<number, KeptRecord>;
  /** Every key known, with the seq of its event; 0 for one that retention took away. */
  readonly keys: Map<string, number>;
  /** When the keys without an event were last seen. */
  readonly seenAt: Map<string, number>;
}

export const emptyLedger = (): LedgerState => ({ records: new Map(), keys: new Map(), seenAt: new Map() });

/** Changes the state it is given: a ledger may have a hundred thousand lines. */
export function foldLine(state: LedgerState, line: LedgerLine): void {
  switch (line.kind) {
    case 'event': {
      const { state: first, mode, reason } = line;
      const standing = { state: first, mode, ...(reason !== undefined && { reason }) };
      const record = recordOf(line.seq, line.ts, line.event, line.ingress, standing);
      state.records.set(line.seq, record);
      state.keys.set(record.key, line.seq);
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
      for (const key of line.keys) {
        if (!state.keys.has(key)) state.keys.set(key, 0);
        state.seenAt.set(key, parseIsoTime(line.ts) ?? 0);
      }
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
