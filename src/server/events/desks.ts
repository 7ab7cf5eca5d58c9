/** The desks of all threads that got an event or can get one; those whose thread is active have every way in open. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EventThreadId, type ExternalEventsConfig } from '../../contract/external-event.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import { retentionOf } from '../../core/events/ledger-state.ts';
import type { Plan, PlannedEvent } from '../../core/events/plan-delivery.ts';
import { ensurePrivateDir } from '../../node/atomic-file.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { type Accepted, createDesk, type Desk } from './desk.ts';
import { createIntakeLimits } from './intake-limits.ts';
import { LEDGER_NAME, openLedger } from './ledger.ts';
import type { FoundThread, ThreadsPort, ThreadTarget } from './ports.ts';
import type { FindSender } from './principal.ts';
import { openRejected } from './rejected.ts';
import { threadFiles } from './thread-files.ts';
import { openWaysIn, readFileWays, type WaysIn } from './ways-in.ts';

export interface Desks {
  /** Null when nobody knows the thread. */
  open(threadId: string): Promise<Desk | null>;
  /** The desk of a conversation's thread, if it ever got an event. */
  ofConversation(conversationId: ConversationId, threadId: string | null): Promise<Desk | null>;
  peek(conversationId: ConversationId): Desk | null;
  /** Producers can reach the thread from now on. */
  activate(threadId: string): Promise<void>;
  /** The same, and the outbox has every event that arrived before: from files, in the ledger, and from a thread this one replaces. */
  catchUp(threadId: string): Promise<void>;
  deactivate(threadId: string): Promise<void>;
  /** Its conversation is gone: nobody is to write to it any more. */
  forget(desk: Desk): Promise<void>;
  isActive(threadId: string): boolean;
  /** Counts the ledgers of these threads, opened or not, for the cap on all of them. */
  measure(threadIds: readonly string[]): Promise<void>;
  /** The thread whose event token this is. */
  threadOfToken(token: string): string | null;
  active(): RouteOutput<'listEventThreads'>['threads'];
  closeWaysIn(): Promise<void>;
  close(): Promise<void>;
}

export interface DesksOptions {
  readonly config: ExternalEventsConfig;
  readonly codexHome: string;
  readonly threads: ThreadsPort;
  readonly httpUrl: string;
  readonly findSender: FindSender;
  readonly clock: Clock;
  readonly log: Logger;
  readonly plan: (desk: Desk, event: PlannedEvent) => Plan;
  readonly onAccepted: (desk: Desk, all: readonly Accepted[]) => void;
  /** The desk takes no more events from now on, or takes them again. */
  readonly onHeld: (desk: Desk) => void;
  readonly onOpened: (desk: Desk) => Promise<void>;
  /** Resolves when the outbox has every event that arrived at the desk. */
  readonly handOver: (desk: Desk) => Promise<void>;
  /** What waits at a desk that was left goes along to the one that takes its place. */
  readonly move: (from: Desk, to: Desk) => Promise<void>;
}

/** Each has a socket, a watch and a timer; the one that was active longest without a reason gives way. */
const MAX_ACTIVE = 200;
/** How often ledgers that nobody touches are looked at: what goes has lain there for days. */
const LOOK_AROUND_MS = 3_600_000;

interface Active {
  readonly desk: Desk;
  readonly ways: WaysIn;
  readonly tokenHash: Buffer;
}

export function createDesks(options: DesksOptions): Desks {
  const { config, clock, log, threads } = options;
  const opening = new Map<string, Promise<Desk | null>>();
  const ready = new Map<ConversationId, Desk>();
  const active = new Map<string, Promise<Active | null>>();
  const reachable = new Map<string, Active>();
  /** Threads that are getting what waited for those they replace: a message waits for it. */
  const moving = new Map<string, Promise<void>>();
  /** Threads whose outbox is being told what waited in the ledger: a message waits for it too. */
  const recovering = new Map<string, Promise<void>>();
  const filesOf = (threadId: string) => threadFiles(options.codexHome, threadId);
  const limits = createIntakeLimits(config, clock);

  const makeDesk = async (
    threadId: string,
    target: ThreadTarget,
    plan: (desk: Desk, event: PlannedEvent) => Plan,
    onAccepted: (desk: Desk, all: readonly Accepted[]) => void,
  ): Promise<Desk> => {
    const files = filesOf(threadId);
    await ensurePrivateDir(files.dir);
    const ledger = await openLedger({ dir: files.dir, retention: retentionOf(config), clock, log });
    limits.note(threadId, ledger.bytes());
    const rejected = await openRejected(files.rejected, clock, log);
    const desk: Desk = createDesk({
      ...target,
      threadId,
      ledger,
      config,
      clock,
      limits,
      onHeld: () => options.onHeld(desk),
      plan: (event) => plan(desk, event),
      onAccepted: (all) => onAccepted(desk, all),
      keepRejected: rejected.keep,
      rejectedBefore: rejected.before,
    });
    return desk;
  };

  /** The desk of a thread that Codex lost, with all that its files hold; nobody reaches it any more. Null when it never had one. */
  const leave = async (threadId: string, target: ThreadTarget): Promise<Desk | null> => {
    const open = await opening.get(threadId)?.catch(() => null);
    opening.delete(threadId);
    await deactivate(threadId);
    const isThere = await stat(filesOf(threadId).dir).catch(() => null);
    if (!EventThreadId.safeParse(threadId).success || isThere === null) return open ?? null;
    const desk = open ?? (await makeDesk(threadId, target, planOfLost, () => undefined));
    await readFileWays({ desk, files: filesOf(threadId), config, clock, log });
    return desk;
  };

  /** At each opening, since a kill may have left some where they were; what is there already is recognized. */
  const takeAlong = async (to: Desk, lostThreads: readonly string[]): Promise<void> => {
    for (const threadId of lostThreads) {
      const from = await leave(threadId, to);
      try {
        if (from !== null) await options.move(from, to);
      } finally {
        await from?.close();
      }
    }
  };

  const openDesk = async (threadId: string, target: FoundThread): Promise<Desk> => {
    const desk = await makeDesk(threadId, target, options.plan, options.onAccepted);
    ready.set(target.conversationId, desk);
    const moved = takeAlong(desk, target.lostThreads)
      .catch((error: unknown) => log.error({ error, thread: threadId }, 'events that waited did not go along'))
      .finally(() => moving.delete(threadId));
    moving.set(threadId, moved);
    const recovered = options
      .onOpened(desk)
      .catch((error: unknown) => log.error({ error, thread: threadId }, 'events that waited were not looked after'))
      .finally(() => recovering.delete(threadId));
    recovering.set(threadId, recovered);
    return desk;
  };

  const open = async (threadId: string): Promise<Desk | null> => {
    const known = opening.get(threadId);
    if (known !== undefined) return known;
    // Looked up before anything is made of it: never a path of a stranger's choosing.
    if (!EventThreadId.safeParse(threadId).success) return null;
    const target = await threads.find(threadId);
    const raced = opening.get(threadId);
    if (raced !== undefined || target === null) return raced ?? null;
    const desk = openDesk(threadId, target);
    opening.set(threadId, desk);
    desk.catch((error: unknown) => {
      opening.delete(threadId);
      log.error({ error, thread: threadId }, 'a ledger of events cannot be opened');
    });
    return desk;
  };

  const activateNow = async (threadId: string): Promise<Active | null> => {
    const desk = await open(threadId);
    if (desk === null) return null;
    const ways = await openWaysIn({
      desk,
      files: filesOf(threadId),
      config,
      httpUrl: options.httpUrl,
      capabilities: threads.capabilities(),
      givesWay: threads.isAnyTurnRunning,
      findSender: options.findSender,
      clock,
      log,
    });
    return { desk, ways, tokenHash: hashOf(ways.token) };
  };

  const deactivate = async (threadId: string): Promise<void> => {
    const one = active.get(threadId);
    active.delete(threadId);
    reachable.delete(threadId);
    await (await one)?.ways.close();
  };

  const activate = async (threadId: string): Promise<void> => {
    if (!config.enabled || active.has(threadId)) return;
    const opened = activateNow(threadId).catch((error: unknown) => {
      log.error({ error, thread: threadId }, 'a thread cannot be reached by events');
      return null;
    });
    active.set(threadId, opened);
    const one = await opened;
    if (active.get(threadId) !== opened) return;
    if (one === null) active.delete(threadId);
    else reachable.set(threadId, one);
    const [oldest] = active.keys();
    if (active.size > MAX_ACTIVE && oldest !== undefined) await deactivate(oldest);
  };

  /** A thread that nobody touches has its retention too. One ledger after the other. */
  const lookAround = async (): Promise<void> => {
    for (const opened of [...opening.values()]) {
      const desk = await opened.catch(() => null);
      await desk?.ledger.letGo();
      if (desk !== null) limits.note(desk.threadId, desk.ledger.bytes());
    }
  };
  const looking = (): Timer =>
    clock.setTimer(LOOK_AROUND_MS, () => {
      timer = looking();
      void lookAround();
    });
  let timer = looking();

  return {
    open,
    async ofConversation(conversationId, threadId) {
      const desk = ready.get(conversationId);
      if (desk !== undefined || threadId === null) return desk ?? null;
      if (!EventThreadId.safeParse(threadId).success) return null;
      const hasLedger = await stat(join(filesOf(threadId).dir, LEDGER_NAME)).catch(() => null);
      return hasLedger === null ? null : open(threadId);
    },
    peek: (conversationId) => ready.get(conversationId) ?? null,
    activate,
    async catchUp(threadId) {
      await activate(threadId);
      const one = await active.get(threadId);
      await one?.ways.ready;
      await moving.get(threadId);
      await recovering.get(threadId);
      if (one != null) await options.handOver(one.desk);
    },
    deactivate,
    async forget(desk) {
      opening.delete(desk.threadId);
      if (ready.get(desk.conversationId) === desk) ready.delete(desk.conversationId);
      await deactivate(desk.threadId);
      limits.note(desk.threadId, 0);
      await desk.close();
    },
    isActive: (threadId) => active.has(threadId),
    async measure(threadIds) {
      for (const threadId of threadIds) {
        if (opening.has(threadId) || !EventThreadId.safeParse(threadId).success) continue;
        const found = await stat(join(filesOf(threadId).dir, LEDGER_NAME)).catch(() => null);
        // Opened meanwhile, it has counted itself.
        if (found !== null && !opening.has(threadId)) limits.note(threadId, found.size);
      }
    },
    threadOfToken(token) {
      const hash = hashOf(token);
      let found: string | null = null;
      // All of them, so that the time taken tells nothing.
      for (const [threadId, { tokenHash }] of reachable) if (timingSafeEqual(hash, tokenHash)) found = threadId;
      return found;
    },
    active: () =>
      [...reachable].map(([threadId, { desk }]) => ({
        thread_id: threadId,
        conversation_id: desk.conversationId,
        label: desk.label,
        events: desk.ledger.count(),
        unread: desk.ledger.unread(),
        quarantined: desk.quarantined(),
        held: desk.held(),
        discovery: filesOf(threadId).discovery,
        inbox: filesOf(threadId).inbox,
      })),
    async closeWaysIn() {
      await Promise.all([...active.keys()].map(deactivate));
    },
    async close() {
      timer.cancel();
      for (const desk of opening.values()) await (await desk.catch(() => null))?.close();
    },
  };
}

/** It is not told there: what waits is moved, and planned for what it can still have. */
const planOfLost = (_desk: Desk, { routing }: PlannedEvent): Plan => ({
  mode: 'queue_for_next_turn',
  state: 'queued',
  rule: null,
  hops: routing.hops ?? 0,
});

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
