/** Ties External Events to the conversations: what they are told of threads, and what they may do to them. */
import type { Config } from '../../contract/config.ts';
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import { eventOfPost } from '../../core/events/board-event.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { startTimeOf } from '../../node/process-identity.ts';
import type { Seals } from '../../node/seals.ts';
import type { Board } from '../board/board.ts';
import type { AgentMessage, EventReceipt } from '../board/tell-conversation.ts';
import type { Caller } from '../caller.ts';
import type { CodexControl } from '../codex/codex-control.ts';
import type { EventFragments } from '../context/context.ts';
import type { LifecycleBus, LifecycleListener } from '../conversations/lifecycle-bus.ts';
import type { EventPort } from '../conversations/ports.ts';
import type { Registry } from '../conversations/registry.ts';
import { type AdapterGrant, openAdapterTokens } from '../events/adapters.ts';
import { BOARD } from '../events/desk.ts';
import { createDoor, type Door } from '../events/door.ts';
import { createEvents, type Events } from '../events/events.ts';
import type { FindSender } from '../events/principal.ts';
import { callEventRpc } from '../events/rpc.ts';
import { openRuleBook } from '../events/rules.ts';
import { sweepDiscovery } from '../events/sweep-discovery.ts';
import type { Hub } from '../hub/hub.ts';
import { composeThreads } from './threads.ts';

export interface EventStack {
  readonly events: Events;
  readonly eventDoor: Door;
  /** Queue adapters that are to run. */
  readonly adapters: readonly AdapterGrant[];
  /** Methods of our own on `/rpc`; null for one that is not. */
  rpc(caller: Caller, method: string, params: Record<string, unknown>): Promise<Result<unknown>> | null;
  /** Makes an event of a board post. */
  tell(message: AgentMessage): Promise<EventReceipt | 'later' | null>;
  /** The outcome of the checks of a pull request; true when it is durable, or was before. */
  publishChecks(event: unknown): Promise<boolean>;
  /** Threads of conversations that were used lately can be reached. */
  start(): Promise<void>;
}

export interface EventStackOptions {
  readonly config: Config;
  readonly home: string;
  readonly codexHome: string;
  readonly seals: Seals;
  readonly link: CodexControl;
  readonly registry: Registry;
  readonly lifecycle: LifecycleBus;
  readonly hub: Hub;
  readonly httpUrl: string;
  readonly findSender: FindSender;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Of the conversations used last; others can be reached from the moment they are used again. */
const MAX_STARTED = 100;
const RECENT_MS = 14 * 24 * 3_600_000;

export async function composeEvents(options: EventStackOptions): Promise<EventStack> {
  const { config, registry, link, clock, log } = options;
  const rules = await openRuleBook(options.home, config.external_events, options.seals);
  const threads = composeThreads(registry, link);
  const events = createEvents({ ...options, config: config.external_events, rules, threads });
  const isRecent = (meta: ConversationMeta | null) =>
    meta !== null && clock.now() - Date.parse(meta.updated_at) < RECENT_MS;
  const adapters = await openAdapterTokens({ ...options, config: config.external_events });
  const eventDoor = createDoor({
    events,
    adapters,
    findAddress: (labelOrId) => findAddress(registry.metas(), labelOrId),
    config: config.external_events,
    env: process.env,
    clock,
    log,
  });
  options.lifecycle.subscribe(followLifecycle(events, { registry, isRecent, log }));

  return {
    events,
    eventDoor,
    adapters: adapters.grants,
    rpc(caller, method, params) {
      if (caller.kind === 'anonymous') return null;
      return callEventRpc(events, { kind: caller.kind === 'session' ? 'session' : 'api_token' }, method, params);
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
    async publishChecks(event) {
      const ack = await events.publish(event, { kind: 'host' }, 'host', { onDuplicate: 'drop' });
      return ack.ok || ack.code === 'duplicate_event';
    },
    async start() {
      const metas = registry
        .metas()
        .filter((meta) => !meta.archived && isRecent(meta))
        .sort((a, b) => b.updated_at.localeCompare(a.updated_at))
        .slice(0, MAX_STARTED);
      for (const { thread_id, conversation_id } of metas) await events.desks.activate(thread_id ?? conversation_id);
      await events.desks.measure(registry.metas().flatMap(({ thread_id }) => thread_id ?? []));
      const swept = await sweepDiscovery(options.codexHome, (pid) => startTimeOf(pid) !== null);
      log.debug({ threads: metas.length, swept }, 'threads can be reached by events');
    },
  };
}

/** By the id of a thread or a conversation, else by label: of the conversations that are not archived, if exactly one has it. */
function findAddress(metas: readonly ConversationMeta[], labelOrId: string): string | null {
  const named =
    metas.find((meta) => meta.thread_id === labelOrId) ?? metas.find((meta) => meta.conversation_id === labelOrId);
  const labelled = named === undefined ? metas.filter((meta) => meta.label === labelOrId && !meta.archived) : [];
  const found = named ?? (labelled.length === 1 ? labelled[0] : undefined);
  return found === undefined ? null : (found.thread_id ?? found.conversation_id);
}

interface FollowOptions {
  readonly registry: Registry;
  readonly isRecent: (meta: ConversationMeta | null) => boolean;
  readonly log: Logger;
}

/** Opens the ways into the thread of a conversation that is used, and closes them when it is archived or deleted. */
function followLifecycle({ desks, forget }: Events, { registry, isRecent, log }: FollowOptions): LifecycleListener {
  const closing = (task: Promise<void>): void => {
    task.catch((error: unknown) => log.warn({ error }, 'the ways into a thread were not closed'));
  };
  const activate = (id: ConversationId): void => {
    const meta = registry.metaOf(id);
    if (meta === null || meta.archived) return;
    // A conversation can be wired to CI before its first message: then its own id is the address.
    void desks.activate(meta.thread_id ?? id);
  };
  const deactivate = (address: string): void => closing(desks.deactivate(address));
  return (id, event) => {
    const desk = desks.peek(id);
    switch (event.type) {
      // One that was not used for long is opened only to be read, or to be reconciled with Codex.
      case 'opened':
        if (isRecent(registry.metaOf(id))) activate(id);
        break;
      case 'thread_changed':
      case 'restored':
      // Its ways in may have given way to those of other threads meanwhile.
      case 'turn_started':
        activate(id);
        break;
      case 'archived':
        deactivate(registry.metaOf(id)?.thread_id ?? id);
        break;
      case 'deleted':
        deactivate(event.threadId ?? id);
        if (desk !== null) closing(forget(desk));
        break;
      case 'turn_ended':
      case 'settings_changed':
      case 'ask_opened':
      case 'ask_closed':
        break;
      default:
        event satisfies never;
    }
  };
}

/** What the conversations need of the ledgers: the events of a message, and where events stand. */
export function eventPort(
  { desks, delivery }: Events,
  registry: Registry,
  board: Pick<Board, 'redeliver'>,
): EventPort & { readonly fragments: EventFragments } {
  const deskOf = (id: ConversationId) => desks.ofConversation(id, registry.peek(id)?.meta().thread_id ?? id);
  return {
    async catchUp(id) {
      const conversation = registry.peek(id);
      const threadId = conversation?.meta().thread_id ?? null;
      // Before its first turn: what was posted while there was no thread could not be an event.
      if (conversation?.session.state().recorded.length === 0) await board.redeliver(id);
      if (threadId !== null) await desks.catchUp(threadId);
    },
    async note(id, seqs, standing) {
      const desk = await deskOf(id);
      if (desk !== null) await delivery.note(desk, seqs, standing);
    },
    async beginInjection(id, seqs, deliveryId) {
      const desk = await deskOf(id);
      const hasPolicy = registry.metaOf(id)?.context.policy ?? true;
      return desk === null ? null : delivery.beginInjection(desk, seqs, deliveryId, hasPolicy);
    },
    async fragments(id, seqs, deliveryId) {
      const desk = await deskOf(id);
      return desk === null ? [] : delivery.fragments(desk, seqs, deliveryId);
    },
  };
}
