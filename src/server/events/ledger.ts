/** The ledger of one thread, `external_events.log.jsonl`: what arrived, what became of it, who has read it. Acknowledged only when synced. */
import { join } from 'node:path';
import type { EventStanding, ExternalEventInput } from '../../contract/external-event.ts';
import type { ArrivedEvent } from '../../core/events/compact.ts';
import {
  type Arrival,
  applyStanding,
  expiredEvents,
  foldLine,
  type KeptRecord,
  keepRecord,
  type LedgerState,
  type Retention,
  recordOf,
} from '../../core/events/records.ts';
import type { StorageState } from '../../node/append-log.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { eventLine, loadLedger, parseLine, rewriteLedger } from './ledger-file.ts';
import { openRenewableLog, type RenewableLog, type Rewrite } from './renewable-log.ts';

export interface Ledger {
  /** The seq of an event that was here before: 0 when it is only remembered. */
  find(event: Pick<ExternalEventInput, 'source' | 'event_id'>): number | undefined;
  /** `verbatim`: the event's JSON as it came, without `trust`; null when it is to be written from the event. */
  append(arrival: Arrival, verbatim: string | null): Appended;
  /** Everything appended so far is durable. */
  drain(): Promise<void>;
  note(seqs: readonly number[], standing: EventStanding, deliveryId?: string): Promise<void>;
  markRead(seqs: readonly number[]): Promise<void>;
  /** In the order they arrived. */
  records(): IterableIterator<KeptRecord>;
  record(seq: number): KeptRecord | undefined;
  count(): number;
  unread(): number;
  read(seqs: readonly number[]): Promise<ArrivedEvent[]>;
  storage(): StorageState;
  close(): Promise<void>;
}

interface Appended {
  readonly record: KeptRecord;
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
/** How often what may go is looked for, at most: it is gone through whole. */
const LOOK_MS = 60_000;
/** Keys of events that are gone, kept against late repetitions. */
const MAX_SEEN_KEYS = 100_000;

export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const path = join(options.dir, LEDGER_NAME);
  const state = await loadLedger(path);
  const rewrite = dropExpired(path, state, options);
  await rewrite?.();
  const log = await openRenewableLog({
    path,
    clock: options.clock,
    onStorage: (next, error) => options.log.warn({ path, storage: next, error }, 'the ledger of events'),
  });
  return createLedger(path, state, log, options);
}

function createLedger(path: string, state: LedgerState, log: RenewableLog, options: LedgerOptions): Ledger {
  let unread = [...state.records.values()].filter((record) => !record.read).length;
  const now = () => new Date(options.clock.now()).toISOString();
  /** The time of a burst is written once per millisecond. */
  let stamp = { ms: 0, text: '' };
  const stampNow = () => {
    const ms = options.clock.now();
    if (ms !== stamp.ms) stamp = { ms, text: new Date(ms).toISOString() };
    return stamp.text;
  };

  let lookedAt = options.clock.monotonicMs();
  /** Called when something was read or done with: only that may go. */
  const renewWhenDue = (): void => {
    if (options.clock.monotonicMs() - lookedAt < LOOK_MS) return;
    lookedAt = options.clock.monotonicMs();
    log
      .renew(() => dropExpired(path, state, options))
      .catch((error: unknown) => options.log.warn({ path, error }, 'a ledger was not written anew'));
  };

  return {
    find: (event) => state.known.seqOf(event),
    append(arrival, verbatim) {
      const ts = stampNow();
      const pending = log.append((seq) => eventLine(seq, ts, arrival, verbatim));
      const record = recordOf(pending.seq, ts, arrival);
      keepRecord(state, record);
      unread += 1;
      return { record, done: pending.done };
    },
    drain: log.drain,
    async note(seqs, standing, deliveryId) {
      if (seqs.length === 0) return;
      const delivery = deliveryId === undefined ? {} : { delivery_id: deliveryId };
      const line = { ts: now(), kind: 'state', events: seqs, ...standing, ...delivery };
      const pending = log.append((seq) => JSON.stringify({ seq, ...line }));
      for (const seq of seqs) applyStanding(state, seq, standing, deliveryId);
      await pending.done;
      renewWhenDue();
    },
    async markRead(seqs) {
      const fresh = seqs.filter((seq) => state.records.get(seq)?.read === false);
      if (fresh.length === 0) return;
      const ts = now();
      const pending = log.append((seq) => JSON.stringify({ seq, ts, kind: 'read', events: fresh }));
      foldLine(state, { seq: pending.seq, ts, kind: 'read', events: fresh });
      unread -= fresh.length;
      await pending.done;
      renewWhenDue();
    },
    records: () => state.records.values(),
    record: (seq) => state.records.get(seq),
    count: () => state.records.size,
    unread: () => unread,
    async read(seqs) {
      await log.drain();
      const found: ArrivedEvent[] = [];
      for (const seq of seqs) {
        const [line] = parseLine((await log.read(seq)) ?? '');
        if (line?.kind === 'event') found.push({ event_seq: seq, event: line.event });
      }
      return found;
    },
    storage: log.storage,
    close: log.close,
  };
}

/** Lets go what has expired, and answers how the file follows; null when too little has. */
function dropExpired(path: string, state: LedgerState, options: LedgerOptions): Rewrite | null {
  const { retention, clock } = options;
  const now = clock.now();
  const gone = new Set(expiredEvents(state, retention, now));
  if (gone.size < MIN_EXPIRED) return null;
  for (const seq of gone) {
    const record = state.records.get(seq);
    state.records.delete(seq);
    if (record !== undefined) state.known.forget(record, now);
  }
  const keys = state.known.keepGone(now - retention.maxAgeMs, MAX_SEEN_KEYS);
  return () => rewriteLedger(path, gone, keys, new Date(now).toISOString());
}
