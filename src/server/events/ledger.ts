/** The ledger of one thread, `external_events.log.jsonl`: what arrived, what became of it, who has read it. Acknowledged only when synced. */
import { join } from 'node:path';
import type { EventRecord, EventStanding, ExternalEventInput } from '../../contract/external-event.ts';
import type { ArrivedEvent } from '../../core/events/compact.ts';
import {
  type Arrival,
  applyStanding,
  expiredEvents,
  foldLine,
  type KeptEvent,
  keepEvent,
  keptOf,
  type LedgerState,
  type Retention,
  recordOf,
} from '../../core/events/ledger-state.ts';
import type { StorageState } from '../../node/append-log.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { openRenewableLog, type RenewableLog, type Rewrite } from '../../node/renewable-log.ts';
import { eventLine, loadLedger, parseLine, rewriteLedger } from './ledger-file.ts';

export interface Ledger {
  /** The seq of an event that was here before: 0 when it is only remembered. */
  find(event: Pick<ExternalEventInput, 'source' | 'event_id'>): number | undefined;
  /** `verbatim`: the event's JSON as it came, without `trust`; null when it is to be written from the event. */
  append(arrival: Arrival, verbatim: string | null): Appended;
  /** Everything appended so far is durable. */
  drain(): Promise<void>;
  note(seqs: readonly number[], standing: EventStanding, deliveryId?: string): Promise<void>;
  /** Read, or unread again. */
  mark(seqs: readonly number[], isRead: boolean): Promise<void>;
  /** In the order they arrived. */
  events(): IterableIterator<KeptEvent>;
  event(seq: number): KeptEvent | undefined;
  /** Events of this id, whatever their source. */
  seqsOf(eventId: string): number[];
  count(): number;
  unread(): number;
  /** The events themselves, from the disk. */
  read(seqs: readonly number[]): Promise<ArrivedEvent[]>;
  /** As lists show them: those that are durable, since a list does not wait for a disk that is full. */
  describe(seqs: readonly number[]): Promise<EventRecord[]>;
  storage(): StorageState;
  /** Of the file, with what is queued for it. */
  bytes(): number;
  /** Whatever is read and done with goes, also what retention would keep for longer. */
  makeRoom(): Promise<void>;
  /** What has expired goes, be it little. */
  letGo(): Promise<void>;
  close(): Promise<void>;
}

interface Appended {
  readonly kept: KeptEvent;
  readonly done: Promise<void>;
}

export interface LedgerOptions {
  readonly dir: string;
  readonly retention: Retention;
  readonly clock: Clock;
  readonly log: Logger;
}

export const LEDGER_NAME = 'external_events.log.jsonl';
/** Fewer are not worth writing the file anew for. */
const MIN_EXPIRED = 200;
/** How often what may go is looked for in a large ledger, at most: it is gone through whole. */
const LOOK_MS = 60_000;
/** A ledger of so many events and names of events is gone through in less than a millisecond. */
const SMALL_LEDGER = 5_000;
/** Whole events in memory for a list that shows the beginning of each. */
const MAX_WHOLE = 100;
/** Keys of events that are gone, kept against late repetitions. */
const MAX_SEEN_KEYS = 100_000;

export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const path = join(options.dir, LEDGER_NAME);
  const state = await loadLedger(path);
  const gone = new Set<number>();
  const rewrite = dropExpired(path, { state, gone }, options, MIN_EXPIRED);
  // Else with the file as it is: what has expired is looked for again.
  await rewrite?.().catch((error: unknown) => options.log.warn({ path, error }, 'a ledger was not written anew'));
  const log = await openRenewableLog({
    path,
    clock: options.clock,
    onStorage: (next, error) => options.log.warn({ path, storage: next, error }, 'the ledger of events'),
  });
  return createLedger(path, { state, gone }, log, options);
}

/** What is kept, and the seqs of what has expired and is still in the file. */
interface Held {
  readonly state: LedgerState;
  readonly gone: Set<number>;
}

function createLedger(path: string, held: Held, log: RenewableLog, options: LedgerOptions): Ledger {
  const { state } = held;
  let unread = [...state.events.values()].filter((kept) => !kept.read).length;
  /** The time of a burst is written once per millisecond. */
  let stamp = { ms: 0, text: '' };
  const stampNow = () => {
    const ms = options.clock.now();
    if (ms !== stamp.ms) stamp = { ms, text: new Date(ms).toISOString() };
    return stamp;
  };

  let lookedAt = options.clock.monotonicMs();
  /** Called when something was read or done with: only that may go. */
  const renewWhenDue = (): void => {
    const { size } = state.events;
    const isTooMany = size > options.retention.maxEvents && size + state.known.goneCount() <= SMALL_LEDGER;
    if (isTooMany) expire(held, options);
    if (options.clock.monotonicMs() - lookedAt < LOOK_MS && held.gone.size < MIN_EXPIRED) return;
    lookedAt = options.clock.monotonicMs();
    log
      .renew(() => dropExpired(path, held, options, MIN_EXPIRED))
      .catch((error: unknown) => options.log.warn({ path, error }, 'a ledger was not written anew'));
  };

  const readDurable = async (seqs: readonly number[]): Promise<ArrivedEvent[]> => {
    const lines = (await log.pick(seqs)).flatMap(parseLine);
    return lines.flatMap((line) => (line.kind === 'event' ? [{ event_seq: line.seq, event: line.event }] : []));
  };

  return {
    find: (event) => state.known.seqOf(event),
    append(arrival, verbatim) {
      const { ms, text } = stampNow();
      const pending = log.append((seq) => eventLine(seq, text, arrival, verbatim));
      const kept = keptOf(pending.seq, ms, arrival.ingress, arrival.standing);
      keepEvent(state, kept, arrival.event);
      unread += 1;
      return { kept, done: pending.done };
    },
    drain: log.drain,
    async note(seqs, standing, deliveryId) {
      if (seqs.length === 0) return;
      const delivery = deliveryId === undefined ? {} : { delivery_id: deliveryId };
      const line = { ts: stampNow().text, kind: 'state', events: seqs, ...standing, ...delivery };
      const pending = log.append((seq) => JSON.stringify({ seq, ...line }));
      for (const seq of seqs) applyStanding(state, seq, standing, deliveryId);
      await pending.done;
      renewWhenDue();
    },
    async mark(seqs, isRead) {
      const fresh = seqs.filter((seq) => state.events.get(seq)?.read === !isRead);
      if (fresh.length === 0) return;
      const line = { ts: stampNow().text, kind: isRead ? 'read' : 'unread', events: fresh } as const;
      const pending = log.append((seq) => JSON.stringify({ seq, ...line }));
      foldLine(state, { seq: pending.seq, ...line });
      unread += isRead ? -fresh.length : fresh.length;
      await pending.done;
      renewWhenDue();
    },
    events: () => state.events.values(),
    event: (seq) => state.events.get(seq),
    seqsOf: (eventId) => state.known.seqsOf(eventId),
    count: () => state.events.size,
    unread: () => unread,
    async read(seqs) {
      // What is stored does not wait for what a full disk does not take.
      const stored = await readDurable(seqs);
      if (stored.length === seqs.length) return stored;
      await log.drain();
      return readDurable(seqs);
    },
    async describe(seqs) {
      const records: EventRecord[] = [];
      for (let at = 0; at < seqs.length; at += MAX_WHOLE)
        for (const { event_seq, event } of await readDurable(seqs.slice(at, at + MAX_WHOLE))) {
          const kept = state.events.get(event_seq);
          if (kept !== undefined) records.push(recordOf(kept, event, event.trust));
        }
      return records;
    },
    storage: log.storage,
    bytes: log.bytes,
    async makeRoom() {
      const retention = { ...options.retention, maxEvents: 0 };
      await log
        .renew(() => dropExpired(path, held, { ...options, retention }, 1))
        .catch((error: unknown) => options.log.warn({ path, error }, 'a ledger was not written anew'));
    },
    async letGo() {
      await log
        .renew(() => dropExpired(path, held, options, 1))
        .catch((error: unknown) => options.log.warn({ path, error }, 'a ledger was not written anew'));
    },
    close: log.close,
  };
}

/** What has expired is gone for everybody at once; the file is written anew when that is worth it. */
function expire({ state, gone }: Held, { retention, clock }: LedgerOptions): void {
  const expired = new Set(expiredEvents(state, retention, clock.now()));
  if (expired.size === 0) return;
  for (const seq of expired) {
    state.events.delete(seq);
    gone.add(seq);
  }
  state.known.forget(expired, clock.now());
}

/** Lets go what has expired, and answers how the file follows; null when too little has. */
function dropExpired(path: string, held: Held, options: LedgerOptions, least: number): Rewrite | null {
  expire(held, options);
  if (held.gone.size < least) return null;
  const gone = new Set(held.gone);
  const keys = held.state.known.keepGone(options.clock.now() - options.retention.maxAgeMs, MAX_SEEN_KEYS);
  return async () => {
    await rewriteLedger(path, gone, keys);
    for (const seq of gone) held.gone.delete(seq);
  };
}
