/** What people and programs read of a thread's events, and what they have read: lists, one whole, what was rejected, read marks. */
import type { EventRecord } from '../../contract/external-event.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { RouteInput, RouteOutput } from '../../contract/routes.ts';
import { MAX_MARKED } from '../../contract/routes-events.ts';
import { filterOf } from '../../core/events/event-filter.ts';
import type { Desk } from './desk.ts';
import type { HubPort } from './ports.ts';
import { readRejected } from './rejected.ts';
import { threadFiles } from './thread-files.ts';

export interface EventReading {
  list(input: RouteInput<'listEvents'>): Promise<Result<RouteOutput<'listEvents'>>>;
  read(threadId: string, seq: number): Promise<Result<RouteOutput<'readEvent'>>>;
  /** What came by file and was no event. */
  rejected(input: RouteInput<'listRejectedEvents'>): Promise<Result<RouteOutput<'listRejectedEvents'>>>;
  ack(threadId: string, which: string): Promise<Result<RouteOutput<'ackEvent'>>>;
  /** By `event_seq` alone: an `event_id` may look like a number. */
  ackSeqs(threadId: string, seqs: readonly number[]): Promise<Result<RouteOutput<'ackEvents'>>>;
  ackAll(threadId: string, upTo: number | undefined): Promise<Result<RouteOutput<'ackEvents'>>>;
  /** Those that are there are unread again. */
  unread(threadId: string, seqs: readonly number[]): Promise<Result<RouteOutput<'markEventsUnread'>>>;
}

/** Events whose words one request looks through: they are on disk, and a thread may have a hundred thousand. */
const MAX_SEARCHED = 5_000;
/** Looked through at once. */
const SEARCH_STEP = 250;

export function createReading(options: {
  readonly deskFor: (threadId: string) => Promise<Result<Desk>>;
  readonly hub: HubPort;
  readonly codexHome: string;
}): EventReading {
  const { deskFor, hub } = options;

  const tellChanged = (desk: Desk, count: number): number => {
    const unread = desk.ledger.unread();
    const { threadId: thread_id, conversationId: conversation_id } = desk;
    const params = { thread_id, conversation_id, events: [], count, unread };
    hub.broadcast({ type: 'notification', method: 'externalEvent/changed', params });
    return unread;
  };

  const mark = async (desk: Desk, seqs: readonly number[], isRead: boolean) => {
    if (desk.ledger.storage() !== 'ok') return fail('storage_full', 'the disk is full: nothing was changed');
    const fresh = [...new Set(seqs)].filter((seq) => desk.ledger.event(seq)?.read === !isRead);
    await desk.ledger.mark(fresh, isRead);
    // What is read may go, and a desk that was held takes events again.
    if (isRead) await desk.makeRoom();
    return ok({ fresh, unread: tellChanged(desk, fresh.length) });
  };

  const ackSeqs = async (desk: Desk, seqs: readonly number[]): Promise<Result<RouteOutput<'ackEvents'>>> => {
    const marked = await mark(desk, seqs, true);
    if (!marked.ok) return marked;
    const { fresh, unread } = marked.value;
    return ok({ ok: true, acked: fresh.length, unread, events: fresh.length > MAX_MARKED ? [] : fresh });
  };

  return {
    async list(input) {
      const desk = await deskFor(input.thread_id);
      return desk.ok ? ok(await page(desk.value, input)) : desk;
    },
    async read(threadId, seq) {
      const desk = await deskFor(threadId);
      if (!desk.ok) return desk;
      const [record] = await desk.value.ledger.describe([seq]);
      const [found] = await desk.value.ledger.read([seq]);
      if (record === undefined || found === undefined) return fail('not_found', `there is no event ${seq}`);
      return ok({ record, event: found.event });
    },
    async rejected({ thread_id, limit }) {
      const desk = await deskFor(thread_id);
      if (!desk.ok) return desk;
      const { rejected } = threadFiles(options.codexHome, desk.value.threadId);
      return ok({ rejected: await readRejected(rejected, limit), total: desk.value.quarantined(), path: rejected });
    },
    async ack(threadId, which) {
      const desk = await deskFor(threadId);
      if (!desk.ok) return desk;
      const { ledger } = desk.value;
      const numbered = /^\d+$/.test(which) ? ledger.event(Number(which)) : undefined;
      const seqs = [...ledger.seqsOf(which), ...(numbered === undefined ? [] : [numbered.event_seq])];
      return seqs.length === 0 ? fail('not_found', `there is no event ${which}`) : ackSeqs(desk.value, seqs);
    },
    async ackSeqs(threadId, seqs) {
      const desk = await deskFor(threadId);
      return desk.ok ? ackSeqs(desk.value, seqs) : desk;
    },
    async ackAll(threadId, upTo = Number.MAX_SAFE_INTEGER) {
      const desk = await deskFor(threadId);
      if (!desk.ok) return desk;
      const seqs = [...desk.value.ledger.events()].map(({ event_seq }) => event_seq).filter((seq) => seq <= upTo);
      return ackSeqs(desk.value, seqs);
    },
    async unread(threadId, seqs) {
      const desk = await deskFor(threadId);
      const marked = desk.ok ? await mark(desk.value, seqs, false) : desk;
      return marked.ok ? ok({ ok: true, marked: marked.value.fresh.length, unread: marked.value.unread }) : marked;
    },
  };
}

async function page(desk: Desk, query: RouteInput<'listEvents'>): Promise<RouteOutput<'listEvents'>> {
  const { before = Number.MAX_SAFE_INTEGER, after = 0, unread } = query;
  const seqs: number[] = [];
  let waiting = 0;
  for (const { event_seq: seq, read, state } of desk.ledger.events()) {
    if (state === 'queued') waiting += 1;
    if (seq > after && seq < before && (unread !== 'true' || !read)) seqs.push(seq);
  }
  // In the direction in which somebody reads on.
  const isForward = query.after !== undefined;
  const found = await find(desk, isForward ? seqs : seqs.toReversed(), query);
  return {
    events: isForward ? found.events : found.events.toReversed(),
    unread: desk.ledger.unread(),
    total: desk.ledger.count(),
    waiting,
    quarantined: desk.quarantined(),
    held: desk.held(),
    has_more: found.next !== null,
    next: found.next,
  };
}

/** `next`: the last one looked at, when there are more behind it. */
async function find(desk: Desk, seqs: readonly number[], query: RouteInput<'listEvents'>) {
  const { limit } = query;
  const isWanted = filterOf(query);
  const most = isWanted === null ? limit : MAX_SEARCHED;
  const events: EventRecord[] = [];
  let looked = 0;
  while (looked < seqs.length && looked < most && events.length < limit) {
    const step = seqs.slice(looked, looked + (isWanted === null ? limit : SEARCH_STEP));
    // They are read in the order of the disk, and looked at in ours.
    const inOrder = step.toSorted((one, other) => one - other);
    const described = new Map((await desk.ledger.describe(inOrder)).map((event) => [event.event_seq, event]));
    for (const seq of step) {
      looked += 1;
      const event = described.get(seq);
      if (event !== undefined && (isWanted === null || isWanted(event))) events.push(event);
      if (events.length === limit) break;
    }
  }
  return { events, next: looked < seqs.length ? (seqs[looked - 1] ?? null) : null };
}
