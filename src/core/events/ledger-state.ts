/** A ledger's lines folded into what is remembered of each event: where it stands, who was here before, what may go. Pure. */
import type {
  EventItem,
  EventRecord,
  EventStanding,
  ExternalEventInput,
  ExternalEventsConfig,
  Ingress,
  LedgerLine,
  Trust,
} from '../../contract/external-event.ts';
import { cutEndBytes } from '../text/bytes.ts';
import { isoTime, parseIsoTime } from '../text/iso-time.ts';
import { KnownEvents } from './known-events.ts';

/** What a list shows of a summary; the whole is one request away. */
const MAX_ITEM_SUMMARY_BYTES = 600;
const MAX_ITEM_TITLE_BYTES = 300;

/** Where an event stands. Its words are not kept in memory: the ledger has them, and a thread may have a hundred thousand unread ones. */
export interface KeptEvent extends EventStanding {
  readonly event_seq: number;
  readonly received_ms: number;
  readonly ingress: Ingress;
  readonly read: boolean;
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
export function keptOf(seq: number, receivedMs: number, ingress: Ingress, standing: EventStanding): KeptEvent {
  const kept: Mutable<KeptEvent> = {
    event_seq: seq,
    received_ms: receivedMs,
    ingress,
    read: false,
    state: standing.state,
    mode: standing.mode,
  };
  if (standing.reason !== undefined) kept.reason = standing.reason;
  if (standing.turn_id !== undefined) kept.turn_id = standing.turn_id;
  return kept;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** What lists and cards show of an event. */
export function itemOf(kept: KeptEvent, event: ExternalEventInput, trust: Trust): EventItem {
  const { name, run_id, url } = event.source;
  const { correlation_id } = event.routing;
  return {
    event_seq: kept.event_seq,
    event_id: event.event_id,
    type: event.type,
    severity: event.severity,
    title: cutEndBytes(event.title, MAX_ITEM_TITLE_BYTES),
    summary: cutEndBytes(event.summary, MAX_ITEM_SUMMARY_BYTES),
    source: { name, ...(run_id !== undefined && { run_id }), ...(url !== undefined && { url }) },
    ...(correlation_id !== undefined && { correlation_id }),
    time_unix_ms: event.time_unix_ms,
    received_at: isoTime(kept.received_ms),
    ingress: kept.ingress,
    trust,
  };
}

/** A row of the drawer. */
export function recordOf(kept: KeptEvent, event: ExternalEventInput, trust: Trust): EventRecord {
  return { ...itemOf(kept, event, trust), ...standingOf(kept), read: kept.read };
}

export function standingOf({ state, mode, reason, turn_id }: EventStanding): EventStanding {
  return { state, mode, ...(reason !== undefined && { reason }), ...(turn_id !== undefined && { turn_id }) };
}

export interface LedgerState {
  /** In the order they arrived. */
  readonly events: Map<number, KeptEvent>;
  readonly known: KnownEvents;
}

export const emptyLedger = (): LedgerState => ({ events: new Map(), known: new KnownEvents() });

export function keepEvent(state: LedgerState, kept: KeptEvent, event: ExternalEventInput): void {
  state.events.set(kept.event_seq, kept);
  state.known.add(event, kept.event_seq);
}

/** Changes the state it is given: a ledger may have a hundred thousand lines. */
export function foldLine(state: LedgerState, line: LedgerLine): void {
  switch (line.kind) {
    case 'event':
      keepEvent(state, keptOf(line.seq, parseIsoTime(line.ts) ?? 0, line.ingress, line), line.event);
      break;
    case 'state':
      for (const seq of line.events) applyStanding(state, seq, line, line.delivery_id);
      break;
    case 'read':
    case 'unread':
      for (const seq of line.events) {
        const kept = state.events.get(seq);
        if (kept !== undefined) state.events.set(seq, { ...kept, read: line.kind === 'read' });
      }
      break;
    case 'seen':
      for (const key of line.keys) state.known.recall(key, parseIsoTime(line.ts) ?? 0);
      break;
    default:
      line satisfies never;
  }
}

export function applyStanding(state: LedgerState, seq: number, next: EventStanding, deliveryId?: string): void {
  const kept = state.events.get(seq);
  if (kept === undefined) return;
  const { event_seq, received_ms, ingress, read } = kept;
  const delivery = deliveryId === undefined ? {} : { delivery_id: deliveryId };
  state.events.set(seq, { event_seq, received_ms, ingress, read, ...standingOf(next), ...delivery });
}

/** States in which the model, or a person, still has to hear of it. */
const WAITING = new Set<EventStanding['state']>(['received', 'queued', 'sending', 'held']);
export const isWaiting = ({ state }: EventStanding): boolean => WAITING.has(state);

export interface Retention {
  readonly maxEvents: number;
  readonly maxAgeMs: number;
}

const DAY_MS = 24 * 3_600_000;

export function retentionOf(config: Pick<ExternalEventsConfig, 'retain_events' | 'retain_days'>): Retention {
  return { maxEvents: config.retain_events, maxAgeMs: config.retain_days * DAY_MS };
}

/** Seqs that may go: too old, or before the last so many; but never one that is unread or still waits. */
export function expiredEvents(state: LedgerState, retention: Retention, now: number): number[] {
  let before = state.events.size - retention.maxEvents;
  const expired: number[] = [];
  for (const kept of state.events.values()) {
    const isSurplus = before > 0;
    before -= 1;
    if (!kept.read || isWaiting(kept)) continue;
    if (isSurplus || now - kept.received_ms > retention.maxAgeMs) expired.push(kept.event_seq);
  }
  return expired;
}
