/** Ties External Events to the conversations: what they are told of threads, and what they may do to them. */
import type { Config } from '../../contract/config.ts';
import type { ConversationMeta, ConversationRow } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { CodexOperations } from '../../core/codex/operations.ts';
import { fragmentOf } from '../../core/context/fragment.ts';
import { EVENTS } from '../../core/context/specs.ts';
import { eventOfPost } from '../../core/events/board-event.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { startTimeOf } from '../../node/process-identity.ts';
import type { Board } from '../board/board.ts';
import type { AgentMessage, EventReceipt } from '../board/tell-conversation.ts';
import type { Caller } from '../caller.ts';
import type { CodexControl } from '../codex/codex-control.ts';
import type { Context, FragmentSource } from '../context/context.ts';
import type { Registry } from '../conversations/registry.ts';
import { BOARD } from '../events/desk.ts';
import { createDoor, type Door } from '../events/door.ts';
import { createEvents, type Events } from '../events/events.ts';
import { callEventRpc } from '../events/rpc.ts';
import { openRuleBook } from '../events/rules.ts';
import { sweepDiscovery } from '../events/sweep-discovery.ts';
import type { Hub } from '../hub/hub.ts';
import { composeThreads } from './threads.ts';

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
  readonly link: CodexControl;
  readonly codex: CodexOperations;
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
  const threads = composeThreads(registry, options.codex, link);
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
      if (row.archived) return leave(id);
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
      const threadId = registry.metaOf(conversationId)?.thread_id ?? null;
      if (threadId === null) return 'later';
      const event = eventOfPost(message, { id, threadId, source: BOARD });
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
