/** Tells what arrived: into the transcript and to every client. The first event at once; in a flood many in one breath. */
import type { NewEntry } from '../../contract/entry.ts';
import type { EventItem, EventStanding } from '../../contract/external-event.ts';
import { fail } from '../../contract/result.ts';
import type { KeptRecord } from '../../core/events/records.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { Desk } from './desk.ts';
import type { HubPort, ThreadsPort } from './ports.ts';

export interface Announcer {
  /** Durable events; told soon. */
  arrived(desk: Desk, records: readonly KeptRecord[]): void;
  /** What became of earlier events. */
  changed(desk: Desk, seqs: readonly number[], standing: EventStanding): Promise<void>;
  /** Nothing is left to be told. */
  drain(): Promise<void>;
}

export interface AnnouncerOptions {
  readonly threads: ThreadsPort;
  readonly hub: HubPort;
  readonly clock: Clock;
  readonly log: Logger;
  /** They are in the transcript now, so that what becomes of them comes after. */
  readonly onTold: (desk: Desk, records: readonly KeptRecord[]) => void;
}

/** Between two tellings of one thread: more than a person sees, less than they wait. */
const PAUSE_MS = 50;
/** Cards in one entry; of the rest the entry has the numbers, and the drawer all. */
const MAX_CARDS = 20;

export function createAnnouncer(options: AnnouncerOptions): Announcer {
  const { threads, hub, clock, log } = options;
  const waiting = new Map<Desk, KeptRecord[]>();
  const resting = new Set<Desk>();
  let telling: Promise<unknown> = Promise.resolve();

  const broadcast = (
    desk: Desk,
    method: 'externalEvent/received' | 'externalEvent/changed',
    items: readonly EventItem[],
    count: number,
  ) =>
    hub.broadcast({
      type: 'notification',
      method,
      params: {
        thread_id: desk.threadId,
        conversation_id: desk.conversationId,
        events: items,
        count,
        unread: desk.ledger.unread(),
      },
    });

  const append = async (desk: Desk, records: readonly KeptRecord[], standing: EventStanding) => {
    const entry: NewEntry = {
      role: 'external_event',
      kind: 'received',
      thread_id: desk.threadId,
      events: records.slice(0, MAX_CARDS).map(itemOf),
      event_seqs: records.map((record) => record.event_seq),
      ...standing,
    };
    // A transcript that is closed meanwhile refuses; the ledger has them.
    const stored = await threads
      .append(desk.conversationId, entry)
      .catch((error: unknown) => fail('internal', String(error)));
    if (!stored.ok) log.warn({ error: stored.error, thread: desk.threadId }, 'events are not in the transcript');
  };

  const tell = (desk: Desk): void => {
    const records = waiting.get(desk) ?? [];
    waiting.delete(desk);
    if (records.length === 0) {
      resting.delete(desk);
      return;
    }
    resting.add(desk);
    clock.setTimer(PAUSE_MS, () => tell(desk));
    // A post has an entry of its own, and what becomes of it is told there.
    const shown = records.filter((record) => record.ingress !== 'board');
    const stored = [...groupByStanding(shown)].map(([, group]) => append(desk, group, standingOf(group[0])));
    // Not its result: each would hold all before it.
    telling = Promise.all([telling, ...stored]).then(() => undefined);
    // While it is being stored: telling everybody takes as long as that.
    setImmediate(() =>
      broadcast(desk, 'externalEvent/received', records.slice(-MAX_CARDS).map(itemOf), records.length),
    );
    void Promise.all(stored).then(() => options.onTold(desk, records));
  };

  return {
    arrived(desk, records) {
      const list = waiting.get(desk);
      if (list === undefined) waiting.set(desk, [...records]);
      else for (const record of records) list.push(record);
      if (!resting.has(desk)) tell(desk);
    },
    async changed(desk, seqs, standing) {
      const stored = await threads.append(desk.conversationId, {
        role: 'external_event',
        kind: 'state',
        thread_id: desk.threadId,
        events: [],
        event_seqs: [...seqs],
        ...standing,
      });
      if (!stored.ok) log.warn({ error: stored.error, thread: desk.threadId }, 'a change is not in the transcript');
      broadcast(desk, 'externalEvent/changed', [], seqs.length);
    },
    async drain() {
      for (const desk of [...waiting.keys()]) tell(desk);
      await telling;
    },
  };
}

function groupByStanding(records: readonly KeptRecord[]): Map<string, KeptRecord[]> {
  const groups = new Map<string, KeptRecord[]>();
  for (const record of records) {
    const key = `${record.mode} ${record.state} ${record.reason ?? ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return groups;
}

function standingOf(record: KeptRecord | undefined): EventStanding {
  const { state = 'received', mode = 'queue_for_next_turn', reason } = record ?? {};
  return reason === undefined ? { state, mode } : { state, mode, reason };
}

/** A record less what changes later and what is ours alone. */
function itemOf(record: KeptRecord): EventItem {
  const { delivery_id: _delivery, state, mode, reason, turn_id, read, ...item } = record;
  return item;
}
