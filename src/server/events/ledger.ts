/** The ledger of one thread, `external_events.log.jsonl`: what arrived, what became of it, who has read it. Acknowledged only when synced. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EventStanding, type ExternalEventInput, LedgerLine, type Trust } from '../../contract/external-event.ts';
import type { ArrivedEvent } from '../../core/events/compact.ts';
import {
  type Arrival,
  applyStanding,
  emptyLedger,
  expiredEvents,
  foldLine,
  type KeptRecord,
  keepRecord,
  type LedgerState,
  type Retention,
  recordOf,
} from '../../core/events/records.ts';
import { type AppendLog, openAppendLog, type StorageState } from '../../node/append-log.ts';
import { errorCode, writeFileAtomic } from '../../node/atomic-file.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { createLogReader, type LogReader, openLogReader } from '../../node/read-log.ts';

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
/** Lines read at once while the ledger is opened. */
const PAGE = 2_000;
/** Fewer are not worth writing the file anew for. */
const MIN_EXPIRED = 200;
/** Keys of events that are gone, kept against late repetitions. */
const MAX_SEEN_KEYS = 100_000;
const KEYS_PER_LINE = 1_000;

export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const path = join(options.dir, LEDGER_NAME);
  const state = await load(path);
  await dropExpired(path, state, options);
  const log = await openAppendLog({
    path,
    clock: options.clock,
    onStorage: (next, error) => options.log.warn({ path, storage: next, error }, 'the ledger of events'),
  });
  return createLedger(state, log, createLogReader({ path, index: log.index }), options);
}

function createLedger(state: LedgerState, log: AppendLog, reader: LogReader, options: LedgerOptions): Ledger {
  let unread = [...state.records.values()].filter((record) => !record.read).length;
  const now = () => new Date(options.clock.now()).toISOString();
  /** The time of a burst is written once per millisecond. */
  let stamp = { ms: 0, text: '' };
  const stampNow = () => {
    const ms = options.clock.now();
    if (ms !== stamp.ms) stamp = { ms, text: new Date(ms).toISOString() };
    return stamp.text;
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
    drain: log.drain.bind(log),
    async note(seqs, standing, deliveryId) {
      if (seqs.length === 0) return;
      const delivery = deliveryId === undefined ? {} : { delivery_id: deliveryId };
      const line = { ts: now(), kind: 'state', events: seqs, ...standing, ...delivery };
      const pending = log.append((seq) => JSON.stringify({ seq, ...line }));
      for (const seq of seqs) applyStanding(state, seq, standing, deliveryId);
      await pending.done;
    },
    async markRead(seqs) {
      const fresh = seqs.filter((seq) => state.records.get(seq)?.read === false);
      if (fresh.length === 0) return;
      const ts = now();
      const pending = log.append((seq) => JSON.stringify({ seq, ts, kind: 'read', events: fresh }));
      foldLine(state, { seq: pending.seq, ts, kind: 'read', events: fresh });
      unread -= fresh.length;
      await pending.done;
    },
    records: () => state.records.values(),
    record: (seq) => state.records.get(seq),
    count: () => state.records.size,
    unread: () => unread,
    async read(seqs) {
      await log.drain();
      const found: ArrivedEvent[] = [];
      for (const seq of seqs) {
        const page = await reader.read({ after: seq - 1, before: seq + 1, limit: 1 });
        const line = page.lines.flatMap(parseLine)[0];
        if (line?.kind === 'event') found.push({ event_seq: seq, event: line.event });
      }
      return found;
    },
    storage: () => log.state(),
    async close() {
      await log.close();
      await reader.close();
    },
  };
}

/** One `LedgerLine`. What came in as it is to be stored is not written out a second time: that costs as much as reading it. */
function eventLine(seq: number, ts: string, arrival: Arrival, verbatim: string | null): string {
  const { event, ingress, standing, trust } = arrival;
  if (verbatim === null || standing.reason !== undefined)
    return JSON.stringify({ seq, ts, kind: 'event', ingress, ...standing, event: { ...event, trust } });
  const head = `{"seq":${seq},"ts":"${ts}","kind":"event","ingress":"${ingress}","state":"${standing.state}"`;
  return `${head},"mode":"${standing.mode}","event":${verbatim.slice(0, -1)},"trust":${trustText(trust)}}}`;
}

/** There are a handful of them, shared by all events. */
const trustTexts = new WeakMap<Trust, string>();

function trustText(trust: Trust): string {
  const known = trustTexts.get(trust);
  if (known !== undefined) return known;
  const text = JSON.stringify(trust);
  trustTexts.set(trust, text);
  return text;
}

async function load(path: string): Promise<LedgerState> {
  const state = emptyLedger();
  const reader = await openLogReader({ path }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (reader === null) return state;
  try {
    for (let after = 0; ; ) {
      const page = await reader.read({ after, limit: PAGE });
      for (const line of page.lines.flatMap(parseLine)) foldLine(state, line);
      if (page.lastSeq === null || !page.hasMore) return state;
      after = page.lastSeq;
    }
  } finally {
    await reader.close();
  }
}

/** Done before the log has a writer: the file is written anew, without what has expired but with its keys. */
async function dropExpired(path: string, state: LedgerState, { retention, clock }: LedgerOptions): Promise<void> {
  const now = clock.now();
  const expired = expiredEvents(state, retention, now);
  if (expired.length < MIN_EXPIRED) return;
  const text = await readFile(path, 'utf8');
  const ts = new Date(now).toISOString();
  const gone = new Set(expired);
  const lines: string[] = [];
  let lastSeq = 0;
  for (const line of text.split('\n')) {
    const [parsed] = parseLine(line);
    lastSeq = Math.max(lastSeq, parsed?.seq ?? 0);
    if (parsed === undefined || parsed.kind === 'seen') continue;
    const isGone = parsed.kind === 'event' ? gone.has(parsed.seq) : parsed.events.every((seq) => gone.has(seq));
    if (!isGone) lines.push(line);
  }
  for (const seq of expired) {
    const record = state.records.get(seq);
    state.records.delete(seq);
    if (record !== undefined) state.known.forget(record, now);
  }
  lines.push(...seenLines(state, lastSeq, retention, now, ts));
  // First the index: one of the old file would point into the middle of the new one's lines.
  await rm(path.replace(/\.jsonl$/, '.idx'), { force: true });
  await writeFileAtomic(path, `${lines.join('\n')}\n`);
}

/** Their seqs go on behind the last line's, so that the numbering never goes back. */
function seenLines(state: LedgerState, lastSeq: number, retention: Retention, now: number, ts: string): string[] {
  const keys = state.known.goneSince(now - retention.maxAgeMs).slice(-MAX_SEEN_KEYS);
  let seq = lastSeq;
  const lines: string[] = [];
  for (let at = 0; at < keys.length; at += KEYS_PER_LINE) {
    seq += 1;
    lines.push(JSON.stringify({ seq, ts, kind: 'seen', keys: keys.slice(at, at + KEYS_PER_LINE) }));
  }
  return lines;
}

/** Lines of our own: what does not parse was counted when the log was opened. */
function parseLine(line: string): LedgerLine[] {
  try {
    const parsed = LedgerLine.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}
