/** Where one thread's events arrive, whatever way they came: known before, too many, planned, stored, told. */
import { randomBytes } from 'node:crypto';
import {
  type EventAck,
  type EventHold,
  type ExternalEventsConfig,
  type Ingress,
  MAX_EVENT_BYTES,
} from '../../contract/external-event.ts';
import type { Failure } from '../../contract/result.ts';
import { type AdmitOptions, type Admitted, admitText } from '../../core/events/admit.ts';
import { type Bucket, takeToken } from '../../core/events/bucket.ts';
import type { Arrival, KeptEvent } from '../../core/events/ledger-state.ts';
import type { Plan, PlannedEvent } from '../../core/events/plan-delivery.ts';
import type { Clock } from '../../node/clock.ts';
import type { IntakeLimits } from './intake-limits.ts';
import type { Ledger } from './ledger.ts';
import type { ThreadTarget } from './ports.ts';
import { isPaced, type Principal, trustOf } from './principal.ts';

/** What an event met. `done`: the answer may be given. */
export type Taken =
  | { readonly verdict: 'accepted'; readonly kept: KeptEvent; readonly done: Promise<void> }
  | { readonly verdict: 'duplicate'; readonly kept: KeptEvent | undefined; readonly done: Promise<void> }
  | { readonly verdict: 'refused'; readonly failure: Failure };

/** An event that is durable now. */
export interface Accepted {
  readonly kept: KeptEvent;
  readonly arrival: Arrival;
}

export interface Desk extends ThreadTarget {
  readonly threadId: string;
  readonly ledger: Ledger;
  /** Decides at once; what it decided is durable when `done` resolves. */
  take(admitted: Admitted, principal: Principal, ingress: Ingress): Taken;

  /** One line of JSON. */
  takeText(text: string, principal: Principal, ingress: Ingress, options?: AdmitOptions): Taken;
  quarantine(reason: string, text: string): void;
  quarantined(): number;
  /** Why it takes no more events; null while there is room. */
  held(): EventHold | null;
  /** Lets go whatever is read and done with, if the desk is held. */
  makeRoom(): Promise<void>;
  close(): Promise<void>;
}

export interface DeskOptions extends ThreadTarget {
  readonly threadId: string;
  readonly ledger: Ledger;
  readonly config: ExternalEventsConfig;
  readonly clock: Clock;
  readonly limits: IntakeLimits;
  readonly plan: (event: PlannedEvent) => Plan;
  /** The desk is held from now on, or no longer. */
  readonly onHeld: () => void;
  /** Called once they are durable, with all that became so together. */
  readonly onAccepted: (all: readonly Accepted[]) => void;
  /** Keeps what could not be read; told, counted, never lost. */
  readonly keepRejected: (reason: string, text: string) => void;
  /** How many were kept before. */
  readonly rejectedBefore: number;
}

/** Rules trust this name, and posts are known by it: only the board itself has it. */
export const BOARD = 'board';
/** Unread events are kept for people, but a person does not read more than this. */
const MAX_KEPT = 100_000;
/** Between two tries of a held desk to make room by itself: each goes through all events. */
const MAKE_ROOM_MS = 1_000;
/** Sources of one thread whose pace is remembered; the oldest is forgotten. */
const MAX_BUCKETS = 1_000;

export function createDesk(options: DeskOptions): Desk {
  const { ledger, config, clock, threadId, limits } = options;
  const buckets = new Map<string, Bucket>();
  let rejected = options.rejectedBefore;

  const isWithinPace = (source: string): boolean => {
    const pace = { burst: config.burst, perSecond: config.rate_per_second };
    const { bucket, isTaken } = takeToken(buckets.get(source), pace, clock.monotonicMs());
    if (!buckets.has(source) && buckets.size >= MAX_BUCKETS) buckets.delete(buckets.keys().next().value ?? '');
    buckets.set(source, bucket);
    return isTaken;
  };

  let isHeld = false;
  let madeRoomAt = Number.NEGATIVE_INFINITY;
  const held = (): EventHold | null => {
    const hold = limits.holdOf(threadId, ledger.bytes());
    if (isHeld !== (hold !== null)) {
      isHeld = hold !== null;
      options.onHeld();
    }
    return hold;
  };
  const makeRoom = async (): Promise<void> => {
    if (held() === null) return;
    await ledger.makeRoom();
    limits.note(threadId, ledger.bytes());
    held();
  };
  const makeRoomSoon = (): void => {
    if (clock.monotonicMs() - madeRoomAt < MAKE_ROOM_MS) return;
    madeRoomAt = clock.monotonicMs();
    void makeRoom();
  };

  const refused = (code: Failure['code'], message: string): Taken => ({
    verdict: 'refused',
    failure: { code, message },
  });

  /** What becomes durable together is told together. */
  let told: { readonly done: Promise<void>; readonly all: Accepted[] } | null = null;
  const tellWhenDone = (accepted: Accepted, done: Promise<void>): void => {
    if (told?.done === done) {
      told.all.push(accepted);
      return;
    }
    const all = [accepted];
    told = { done, all };
    const forget = () => {
      if (told?.done === done) told = null;
    };
    void done.then(() => {
      forget();
      options.onAccepted(all);
    }, forget);
  };

  const take: Desk['take'] = ({ event, verbatim }, principal, ingress) => {
    const { source, routing } = event;
    if (source.name === BOARD && principal.kind !== 'board')
      return refused('invalid_event', `source.name: ${BOARD} is the board of this server, and nobody else`);
    const seen = ledger.find(event);
    // The first of two must be durable before the second is told that it came too late.
    if (seen !== undefined) return { verdict: 'duplicate', kept: ledger.event(seen), done: ledger.drain() };
    if (!isPaced(ingress) && !isWithinPace(source.name))
      return refused('rate_limited', `${source.name} sends more than is taken: wait a moment and send it again`);
    // Names of sources are the producer's choice; its credential is not.
    if (!isPaced(ingress) && !limits.isWithinPace(principal, threadId))
      return refused('rate_limited', 'this sender sends more than is taken: wait a moment and send it again');
    const hold = held();
    if (hold !== null) {
      makeRoomSoon();
      const { message, ...details } = hold;
      return { verdict: 'refused', failure: { code: 'rate_limited', message, details } };
    }
    if (ledger.storage() !== 'ok') return refused('storage_full', 'the disk is full: the event was not stored');
    if (ledger.count() >= MAX_KEPT)
      return refused('rate_limited', `${MAX_KEPT} events wait to be read: acknowledge some first`);
    const trust = trustOf(principal);
    const plan = options.plan({ type: event.type, severity: event.severity, source, routing, trust });
    const { mode, state, reason, hops } = plan;
    const standing = reason === undefined ? { state, mode } : { state, mode, reason };
    const isAsSent = hops === (routing.hops ?? 0);
    const stored = isAsSent ? event : { ...event, routing: { ...routing, hops } };
    const arrival = { event: stored, trust, ingress, standing };
    const { kept, done } = ledger.append(arrival, isAsSent ? verbatim : null);
    limits.note(threadId, ledger.bytes());
    tellWhenDone({ kept, arrival }, done);
    return { verdict: 'accepted', kept, done };
  };

  return {
    threadId,
    conversationId: options.conversationId,
    label: options.label,
    ledger,
    take,
    takeText(text, principal, ingress, admit = {}) {
      const admitted = admitText(text, { thread: threadId, ...admit });
      return admitted.ok ? take(admitted.value, principal, ingress) : { verdict: 'refused', failure: admitted.error };
    },
    quarantine(reason, text) {
      rejected += 1;
      options.keepRejected(reason, text.slice(0, MAX_EVENT_BYTES));
    },
    quarantined: () => rejected,
    held,
    makeRoom,
    close: () => ledger.close(),
  };
}

/** The answer every way in gives. */
export function ackOf(desk: Desk, taken: Taken, event_id: string, onDuplicate: 'reject' | 'drop'): EventAck {
  switch (taken.verdict) {
    case 'accepted':
      return { ok: true, event_id, delivered: { thread_id: desk.threadId, mode: taken.kept.mode } };
    case 'duplicate': {
      if (onDuplicate === 'reject')
        return { ok: false, code: 'duplicate_event', message: 'this event was here before', event_id };
      const mode = taken.kept?.mode ?? 'drop';
      return { ok: true, event_id, duplicate: true, delivered: { thread_id: desk.threadId, mode } };
    }
    case 'refused':
      return refusalOf(taken.failure, event_id);
    default:
      return taken satisfies never;
  }
}

export function refusalOf(failure: Failure, eventId?: string): EventAck {
  const { code, message, details } = failure;
  return {
    ok: false,
    code,
    message,
    ...(eventId !== undefined && { event_id: eventId }),
    ...(details !== undefined && { details: { ...details } }),
  };
}

/** The token of a thread knows no other one, and does not learn whether there is one. */
export const noOtherThread = (threadId: string): Failure => ({
  code: 'unknown_thread',
  message: `this token is for the thread ${threadId}: it knows no other`,
});

/** What a disk says that fails before the event is on it. */
export const NOT_STORED: Failure = { code: 'storage_full', message: 'the event could not be stored' };

/** Waits until the answer may be given; a disk that fails meanwhile makes it a refusal. */
export async function settled(taken: Taken): Promise<Taken> {
  if (taken.verdict === 'refused') return taken;
  try {
    await taken.done;
    return taken;
  } catch {
    return { verdict: 'refused', failure: NOT_STORED };
  }
}

/** `codex_evt_tok_` and 256 random bits. */
export const newEventToken = (): string => `codex_evt_tok_${randomBytes(32).toString('base64url')}`;
