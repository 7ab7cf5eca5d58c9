/** Ties External Events to the conversations: what they are told of threads, and what they may do to them. */
import { createReadStream } from 'node:fs';
import type { Config } from '../contract/config.ts';
import type { ConversationMeta, ConversationRow } from '../contract/conversation.ts';
import { type ConversationId, conversationIdOfThread, ThreadId } from '../contract/ids.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { injectedItems } from '../core/context/carriers.ts';
import { fragmentOf } from '../core/context/fragment.ts';
import { pack } from '../core/context/pack.ts';
import { EVENTS } from '../core/context/specs.ts';
import { cutMiddle } from '../core/text/cut.ts';
import type { Clock } from '../node/clock.ts';
import type { Logger } from '../node/logger.ts';
import { startTimeOf } from '../node/process-identity.ts';
import type { Board } from './board/board.ts';
import type { AgentMessage, EventReceipt } from './board/tell-conversation.ts';
import type { Caller } from './caller.ts';
import type { CodexLink } from './codex/supervisor.ts';
import type { Context, FragmentSource } from './context/context.ts';
import type { Conversation } from './conversations/conversation.ts';
import type { Registry } from './conversations/registry.ts';
import { BOARD } from './events/desk.ts';
import { createDoor, type Door } from './events/door.ts';
import { createEvents, type Events } from './events/events.ts';
import type { FoundThread, OwnWords, ThreadsPort } from './events/ports.ts';
import { callEventRpc } from './events/rpc.ts';
import { openRuleBook } from './events/rules.ts';
import { sweepDiscovery } from './events/sweep-discovery.ts';
import type { Hub } from './hub.ts';

/** Of a post in an event: far more than the model is told, and an envelope of any post stays within its bound. */
const MAX_POST_CHARS = 8_192;

/** More than any limit; the count of posts has none. */
const MAX_EVENT_HOPS = 1_000;

/** What the conversations tell of themselves and ask for, before there is anybody to hear it. */
export interface EventHooks {
  /** A conversation changed: its thread can be reached, or not any more; its turn may have ended. */
  onRow(row: ConversationRow): void;
  onDeleted(id: ConversationId): void;
  /** Methods of our own on `/rpc`; null for one that is not. */
  rpc(caller: Caller, method: string, params: Record<string, unknown>): Promise<Result<unknown>> | null;
  /** Makes an event of a board post. */
  tell(message: AgentMessage): Promise<EventReceipt | 'later' | null>;
}

/** Hooks that are dumb until a stack is given. */
export function lateHooks(): EventHooks & { bind(stack: EventStack): void } {
  let stack: EventStack | null = null;
  return {
    bind(given) {
      stack = given;
    },
    onRow: (row) => stack?.onRow(row),
    onDeleted: (id) => stack?.onDeleted(id),
    rpc: (caller, method, params) => stack?.rpc(caller, method, params) ?? null,
    tell: async (message) => (await stack?.tell(message)) ?? null,
  };
}

export interface EventStack extends EventHooks {
  readonly events: Events;
  readonly eventDoor: Door;
  /** Threads of conversations that were used lately can be reached. */
  start(): Promise<void>;
}

export interface EventStackOptions {
  readonly config: Config;
  readonly home: string;
  readonly codexHome: string;
  readonly link: CodexLink;
  readonly registry: Registry;
  readonly hub: Hub;
  readonly context: Context;
  readonly board: Pick<Board, 'redeliver'>;
  readonly httpUrl: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Of the conversations used last; others can be reached from the moment they are used again. */
const MAX_STARTED = 100;
const RECENT_MS = 14 * 24 * 3_600_000;

export async function composeEvents(options: EventStackOptions): Promise<EventStack> {
  const { config, registry, link, clock, log } = options;
  const rules = await openRuleBook(options.home, config.external_events);
  /** Put away by a person. */
  const archived = new Set<ConversationId>();
  const threads = threadsPort(registry, link, archived);
  const events = createEvents({ ...options, config: config.external_events, rules, threads });
  const eventDoor = createDoor({ events, config: config.external_events, env: process.env, clock, log });
  options.context.addSource(fragmentSource(events, registry, options.board));
  /** Conversations whose turn ran when we last looked. */
  const busy = new Set<ConversationId>();
  /** Those for which events were off when we last looked. */
  const silent = new Set<ConversationId>();
  const threadOf = new Map<ConversationId, string>();

  const closing = (task: Promise<void>): void => {
    task.catch((error: unknown) => log.warn({ error }, 'the ways into a thread were not closed'));
  };
  const leave = (id: ConversationId) => {
    const threadId = threadOf.get(id);
    threadOf.delete(id);
    if (threadId !== undefined) closing(events.desks.deactivate(threadId));
  };

  return {
    events,
    eventDoor,
    onRow(row) {
      const { id, thread_id: threadId } = row;
      if (row.archived) {
        archived.add(id);
        return leave(id);
      }
      archived.delete(id);
      if (threadId === null) return;
      threadOf.set(id, threadId);
      if (!events.desks.isActive(threadId)) void events.desks.activate(threadId);
      const isBusy = row.state === 'running' || row.state === 'waiting';
      const wasBusy = busy.has(id);
      if (isBusy) busy.add(id);
      else busy.delete(id);
      const desk = events.desks.peek(id);
      const { areEventsOn } = threads.status(id);
      if (silent.has(id) === areEventsOn) {
        if (areEventsOn) silent.delete(id);
        else silent.add(id);
        if (desk !== null) void events.delivery.switched(desk);
      }
      // The lamp of a turn that was interrupted, until something else happens.
      const wasStopped = registry.peek(id)?.session.state().activity.lamp === 'warning';
      if (wasBusy && !isBusy && desk !== null) events.delivery.turnEnded(desk, wasStopped);
    },
    onDeleted(id) {
      leave(id);
      const desk = events.desks.peek(id);
      if (desk !== null) closing(events.forget(desk));
    },
    rpc(caller, method, params) {
      if (caller.kind === 'anonymous') return null;
      return callEventRpc(events, { kind: caller.kind }, method, params);
    },
    async tell({ id, conversationId, message, isLate }) {
      const threadId = registry.metas().find((meta) => meta.conversation_id === conversationId)?.thread_id ?? null;
      if (threadId === null) return 'later';
      const event = {
        schema_version: 1,
        event_id: id,
        time_unix_ms: Date.parse(message.ts),
        type: 'agent.message',
        source: { name: BOARD },
        routing: { thread_id: threadId, hops: Math.min(message.hops, MAX_EVENT_HOPS) },
        title: `${message.who} on the board`,
        summary: cutMiddle(message.message, MAX_POST_CHARS).text,
        payload: { from: { name: message.who, kind: message.kind }, num: message.num, reply_to: message.reply_to },
      };
      const ack = await events.publish(event, { kind: 'board' }, 'board', { onDuplicate: 'drop' });
      if (!ack.ok) return null;
      if (isLate) await events.tie(threadId, event);
      return events.receipt(threadId, event);
    },
    async start() {
      const isRecent = (meta: ConversationMeta) => clock.now() - Date.parse(meta.updated_at) < RECENT_MS;
      const metas = registry
        .metas()
        .filter((meta) => !meta.archived && meta.thread_id !== null && isRecent(meta))
        .sort((a, b) => b.updated_at.localeCompare(a.updated_at))
        .slice(0, MAX_STARTED);
      for (const { conversation_id: id, thread_id: threadId } of metas) {
        if (threadId === null) continue;
        threadOf.set(id, threadId);
        await events.desks.activate(threadId);
      }
      const swept = await sweepDiscovery(options.codexHome, (pid) => startTimeOf(pid) !== null);
      log.debug({ threads: metas.length, swept }, 'threads can be reached by events');
    },
  };
}

/** What waits for the next model call, as one of the fragments a message carries. */
function fragmentSource(
  { desks, delivery }: Events,
  registry: Registry,
  board: Pick<Board, 'redeliver'>,
): FragmentSource {
  const deskOf = (id: ConversationId) => desks.ofConversation(id, registry.peek(id)?.meta().thread_id ?? null);
  return {
    name: 'events',
    async collect(id) {
      const threadId = registry.peek(id)?.meta().thread_id ?? null;
      if (threadId !== null) await desks.catchUp(threadId);
      // Before its first turn: what was posted while there was no thread could not be an event.
      if (registry.peek(id)?.session.state().recorded.length === 0) await board.redeliver(id);
      const desk = await deskOf(id);
      const told = desk === null ? [] : await delivery.collect(desk);
      return told.map(({ value, ids }) => fragmentOf(EVENTS, value, ids));
    },
    async settled(id, carried, turnId) {
      const desk = await deskOf(id);
      if (desk !== null)
        await delivery.settled(
          desk,
          carried.flatMap((one) => one.ids.map(Number)),
          turnId,
        );
    },
  };
}

function threadsPort(registry: Registry, link: CodexLink, archived: Set<ConversationId>): ThreadsPort {
  const withOpen = async <T>(
    id: ConversationId,
    use: (one: Conversation) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const opened = await registry.open(id);
    return opened.ok ? use(opened.value) : opened;
  };
  const send = (id: ConversationId, message: OwnWords, mode: 'send' | 'steer', isUnattended: boolean) =>
    withOpen(id, async ({ messages, session, meta }) => {
      const isIdle = session.state().turn === null && meta().queue.length === 0;
      if (mode === 'send' && !isIdle) return fail('conflict', 'something else goes first');
      const sent = await messages.send({ ...message, images: [], isUnattended }, mode);
      if (!sent.ok) return sent;
      if (sent.value.outcome !== 'queued') return ok({ turnId: sent.value.turnId });
      // Somebody began a turn in between. Words of ours never wait in a person's queue.
      const others = meta().queue.filter((one) => one.client_message_id !== message.clientMessageId);
      await messages.rewriteQueue(others.map((one) => ({ clientMessageId: one.client_message_id, text: null })));
      return fail('conflict', 'something else goes first');
    });
  return {
    async find(threadId) {
      const known = registry.metas().find((meta) => meta.thread_id === threadId);
      if (known?.archived === true) archived.add(known.conversation_id);
      if (known !== undefined) return foundIn(known);
      if (!ThreadId.safeParse(threadId).success) return null;
      const opened = await registry.open(conversationIdOfThread(threadId));
      if (!opened.ok) return null;
      const meta = opened.value.meta();
      return meta.thread_id === threadId ? foundIn(meta) : null;
    },
    status(id) {
      const open = registry.peek(id);
      const turnId = open?.session.state().turn?.id ?? null;
      const meta = open?.meta() ?? registry.metas().find((one) => one.conversation_id === id);
      const areEventsOn = meta?.context.events ?? true;
      return { turnId, isLoaded: open?.thread.isLoaded() ?? false, isArchived: archived.has(id), areEventsOn };
    },
    capabilities() {
      const isOld = isBefore(link.status().version, OLDEST_NEW);
      return { canSteer: !isOld, canInject: !isOld };
    },
    isAnyTurnRunning: () => registry.loaded().some(({ session }) => session.state().turn !== null),
    append: (id, entry) => withOpen(id, async ({ session }) => ok(await session.append(entry))),
    inject: (id, { deliveryId, text }) =>
      withOpen(id, async ({ meta }) => {
        const { context } = meta();
        const note = { carrier: 'additional_context', deliveryId: context.policy ? deliveryId : null } as const;
        const items = injectedItems(pack([fragmentOf(EVENTS, text)], note).carried);
        const threadId = meta().thread_id;
        if (threadId === null) return fail('unknown_thread', `nothing to put ${deliveryId} into`);
        const done = await link.request('thread/inject_items', { threadId, items });
        return done.ok ? ok(null) : done;
      }),
    steer: (id, message) => send(id, message, 'steer', false),
    startTurn: async (id, message) =>
      archived.has(id) ? fail('conflict', 'the conversation is archived') : send(id, message, 'send', true),
    async hasKept(id, text) {
      const path = registry.metas().find((meta) => meta.conversation_id === id)?.rollout_path ?? null;
      return path !== null && holds(path, text);
    },
  };
}

function foundIn({ conversation_id: conversationId, label, lost_threads: lostThreads }: ConversationMeta): FoundThread {
  return { conversationId, label, lostThreads };
}

/** The first Codex that takes steers and injected items; those before it are told with the next message. */
const OLDEST_NEW = [0, 120] as const;

function isBefore(version: string | null, [major, minor]: readonly [number, number]): boolean {
  const [, one, two] = /^(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  if (one === undefined || two === undefined) return false;
  return Number(one) < major || (Number(one) === major && Number(two) < minor);
}

/** Looked for over the edges of chunks, since a rollout has no size. */
async function holds(path: string, text: string): Promise<boolean> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
      const seen = rest + String(chunk);
      if (seen.includes(text)) return true;
      rest = seen.slice(-text.length);
    }
  } catch {
    return false;
  }
  return false;
}
