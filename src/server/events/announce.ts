/** Tells what arrived: into the transcript and to every client. The first event at once; in a flood many in one breath. */
import type { NewEntry } from '../../contract/entry.ts';
import type { EventItem, EventStanding } from '../../contract/external-event.ts';
import { fail } from '../../contract/result.ts';
import { itemOf, type KeptEvent, standingOf } from '../../core/events/ledger-state.ts';
import type { Clock } from '../../node/clock.ts';
import { createKeyedQueue } from '../../node/keyed-queue.ts';
import type { Logger } from '../../node/logger.ts';
import type { ToldGroup } from './deliver.ts';
import type { Accepted, Desk } from './desk.ts';
import type { HubPort, ThreadsPort } from './ports.ts';

export interface Announcer {
  /** Durable events; told soon. */
  arrived(desk: Desk, all: readonly Accepted[]): void;
  /** The event of a post whose card knows of none, or of another. */
  tie(desk: Desk, seq: number): Promise<void>;
  /** Earlier events are in the ledger of this desk now; those that wait go to the outbox. */
  moved(desk: Desk, from: string, groups: readonly MovedGroup[]): Promise<void>;
  /** What became of earlier events. */
  changed(desk: Desk, seqs: readonly number[], standing: EventStanding): Promise<void>;
  /** Every event that has arrived at this desk is told, and the outbox has it. */
  handOver(desk: Desk): Promise<void>;
  /** Nothing is left to be told. */
  drain(): Promise<void>;
}

export interface AnnouncerOptions {
  readonly threads: ThreadsPort;
  readonly hub: HubPort;
  readonly clock: Clock;
  readonly log: Logger;
  /** These events are in the transcript now, so that what becomes of them comes after. */
  readonly onTold: (desk: Desk, groups: readonly ToldGroup[]) => Promise<void>;
}

/** Between two tellings of one thread: more than a person sees, less than they wait. */
const PAUSE_MS = 50;
/** Cards in one entry; of the rest the entry has the numbers, and the drawer all. */
const MAX_CARDS = 20;

/** Events that came from another ledger: their places there and here, in the same order, and where the first of them stands. */
export interface MovedGroup {
  readonly standing: EventStanding;
  readonly before: readonly number[];
  readonly seqs: readonly number[];
  readonly hops: number;
}

/** Events that are told in one entry. */
interface Group {
  readonly first: KeptEvent;
  readonly seqs: number[];
  hops: number;
  /** The turn they are about. */
  readonly turnId: string | null;
  /** Of the first of them. */
  readonly cards: EventItem[];
}

export function createAnnouncer(options: AnnouncerOptions): Announcer {
  const { threads, hub, clock, log } = options;
  const waiting = new Map<Desk, Group[]>();
  const resting = new Set<Desk>();
  let telling: Promise<unknown> = Promise.resolve();
  /** The last events of each desk that are on their way to the outbox. */
  const handing = createKeyedQueue<Desk>((error, desk) =>
    log.error({ error, thread: desk.threadId }, 'events were not handed to the outbox'),
  );

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

  const append = async (desk: Desk, { first, seqs, cards }: Group) => {
    const entry: NewEntry = {
      role: 'external_event',
      kind: 'received',
      thread_id: desk.threadId,
      events: cards,
      event_seqs: seqs,
      ...standingOf(first),
    };
    // A transcript that is closed meanwhile refuses; the ledger has them.
    const stored = await threads
      .append(desk.conversationId, entry)
      .catch((error: unknown) => fail('internal', String(error)));
    if (!stored.ok) log.warn({ error: stored.error, thread: desk.threadId }, 'events are not in the transcript');
  };

  const tell = (desk: Desk): void => {
    const groups = waiting.get(desk) ?? [];
    waiting.delete(desk);
    if (groups.length === 0) {
      resting.delete(desk);
      return;
    }
    resting.add(desk);
    clock.setTimer(PAUSE_MS, () => tell(desk));
    // A post has an entry of its own, and what becomes of it is told there.
    const stored = groups.filter(({ first }) => first.ingress !== 'board').map((group) => append(desk, group));
    // Not its result: each would hold all before it.
    telling = Promise.all([telling, ...stored]).then(() => undefined);
    const cards = groups.flatMap((group) => group.cards).slice(0, MAX_CARDS);
    const count = groups.reduce((sum, { seqs }) => sum + seqs.length, 0);
    // While it is being stored: telling everybody takes as long as that.
    setImmediate(() => broadcast(desk, 'externalEvent/received', cards, count));
    const told = groups.map(({ first, seqs, hops, turnId }) => ({ standing: first, seqs, hops, turnId }));
    void handing.add(desk, async () => {
      await Promise.all(stored);
      await options.onTold(desk, told);
    });
  };

  const change = async (
    desk: Desk,
    seqs: readonly number[],
    standing: EventStanding,
    what: Pick<Extract<NewEntry, { role: 'external_event' }>, 'kind' | 'moved_from'>,
  ): Promise<void> => {
    const stored = await threads.append(desk.conversationId, {
      role: 'external_event',
      ...what,
      thread_id: desk.threadId,
      events: [],
      event_seqs: [...seqs],
      ...standing,
    });
    if (!stored.ok) log.warn({ error: stored.error, thread: desk.threadId }, 'a change is not in the transcript');
    broadcast(desk, 'externalEvent/changed', [], seqs.length);
  };

  return {
    arrived(desk, all) {
      const groups = waiting.get(desk) ?? [];
      waiting.set(desk, groups);
      for (const one of all) addTo(groups, one);
      if (!resting.has(desk)) tell(desk);
    },
    async tie(desk, seq) {
      const first = desk.ledger.event(seq);
      const [found] = await desk.ledger.read([seq]);
      if (first === undefined || found === undefined) return;
      const cards = [itemOf(first, found.event, found.event.trust)];
      await append(desk, { first, seqs: [seq], hops: 0, turnId: null, cards });
    },
    async moved(desk, from, groups) {
      for (const { standing, before, seqs } of groups)
        await change(desk, seqs, standing, {
          kind: 'moved',
          moved_from: { thread_id: from, event_seqs: [...before] },
        });
      const told = groups.map(({ standing, seqs, hops }) => ({ standing, seqs, hops, turnId: null }));
      await options.onTold(desk, told);
    },
    changed: (desk, seqs, standing) => change(desk, seqs, standing, { kind: 'state' }),
    async handOver(desk) {
      if (waiting.has(desk)) tell(desk);
      await handing.idle(desk);
    },
    async drain() {
      for (const desk of [...waiting.keys()]) tell(desk);
      await telling;
    },
  };
}

/** There are a handful of groups, and in a flood one. */
function addTo(groups: Group[], { kept, arrival }: Accepted): void {
  const { turn_id, hops = 0 } = arrival.event.routing;
  const turnId = kept.mode === 'turn_steer' ? (turn_id ?? null) : null;
  let group = groups.find((one) => one.turnId === turnId && isToldWith(one.first, kept));
  if (group === undefined) {
    group = { first: kept, seqs: [], hops: 0, turnId, cards: [] };
    groups.push(group);
  }
  group.hops = Math.max(group.hops, hops);
  group.seqs.push(kept.event_seq);
  if (group.cards.length < MAX_CARDS) group.cards.push(itemOf(kept, arrival.event, arrival.trust));
}

function isToldWith(one: KeptEvent, other: KeptEvent): boolean {
  const isSameStanding = one.state === other.state && one.mode === other.mode && one.reason === other.reason;
  return isSameStanding && (one.ingress === 'board') === (other.ingress === 'board');
}
