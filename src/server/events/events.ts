/** External Events: every way in leads here, and from here to the ledger, the transcript and the model. */
import type {
  EventAck,
  EventStanding,
  ExternalEvent,
  ExternalEventsConfig,
  Ingress,
} from '../../contract/external-event.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { RouteInput, RouteOutput } from '../../contract/routes.ts';
import { admitText, admitValue } from '../../core/events/admit.ts';
import { compactEvents } from '../../core/events/compact.ts';
import { standingOf } from '../../core/events/ledger-state.ts';
import { type Plan, planDelivery } from '../../core/events/plan-delivery.ts';
import { type Clock, within } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { createAnnouncer } from './announce.ts';
import { createDelivery, type Delivery } from './deliver.ts';
import { describePlan } from './describe-plan.ts';
import { ackOf, type Desk, noOtherThread, refusalOf, settled } from './desk.ts';
import { createDesks, type Desks } from './desks.ts';
import { moveEvents } from './move-events.ts';
import type { HubPort, ThreadsPort } from './ports.ts';
import { type FindSender, NOT_ITS_OWN_THREAD, type Principal, trustOf } from './principal.ts';
import { createReading, type EventReading } from './reading.ts';
import type { RuleBook } from './rules.ts';

export interface Events {
  readonly rules: RuleBook;
  readonly desks: Desks;
  readonly delivery: Delivery;
  /** The text of one event, as a producer wrote it. */
  publishText(text: string, principal: Principal, ingress: Ingress): Promise<EventAck>;
  /** An event that was parsed elsewhere. `thread`: where it goes, when the way in says it. */
  publish(event: unknown, principal: Principal, ingress: Ingress, options?: PublishOptions): Promise<EventAck>;
  /** Where an event stands that was published; null when it is not there. */
  receipt(threadId: string, event: Parameters<Desk['ledger']['find']>[0]): Promise<EventReceipt | null>;
  /** The transcript learns which event a post has become that was shown before it was one. */
  tie(threadId: string, event: Parameters<Desk['ledger']['find']>[0]): Promise<void>;
  readonly reading: EventReading;
  /** Its conversation is no more. */
  forget(desk: Desk): Promise<void>;
  tryOut(input: RouteInput<'tryEvent'>): Promise<Result<RouteOutput<'tryEvent'>>>;
  close(): Promise<void>;
}

interface EventReceipt extends EventStanding {
  readonly event_seq: number;
  readonly thread_id: string;
}

interface PublishOptions {
  readonly thread?: string;
  /** A sender that repeats itself by rule (webhooks) is not told off for it. */
  readonly onDuplicate?: 'reject' | 'drop';
}

export interface EventsOptions {
  readonly config: ExternalEventsConfig;
  readonly codexHome: string;
  readonly rules: RuleBook;
  readonly threads: ThreadsPort;
  readonly hub: HubPort;
  /** Where the server answers. */
  readonly httpUrl: string;
  readonly findSender: FindSender;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What takes longer waits for a disk that is full. */
const STOP_MS = 1_500;

export function createEvents(options: EventsOptions): Events {
  const { config, rules, threads, clock, log } = options;

  const announcer = createAnnouncer({
    threads,
    hub: options.hub,
    clock,
    log,
    onTold: (desk, groups) => delivery.arrived(desk, groups),
  });
  const delivery = createDelivery({ threads, tell: announcer.changed, log });
  const desks = createDesks({
    ...options,
    plan: (desk, event) =>
      planDelivery(
        rules.policy(),
        event,
        threads.status(desk.conversationId),
        threads.capabilities(),
        threads.runningHops(),
      ),
    onAccepted: announcer.arrived,
    onHeld: (desk) => {
      const { threadId: thread_id, conversationId: conversation_id } = desk;
      const params = { thread_id, conversation_id, events: [], count: 0, unread: desk.ledger.unread() };
      options.hub.broadcast({ type: 'notification', method: 'externalEvent/changed', params });
    },
    onOpened: delivery.recover,
    async handOver(desk) {
      // A disk that is full holds no message up: events that are not stored yet wait for the next one.
      await within(clock, STOP_MS, announcer.handOver(desk));
    },
    move: (from, to) => moveEvents(from, to, announcer),
  });

  const deskFor = async (threadId: string): Promise<Result<Desk>> => {
    if (!config.enabled) return fail('turned_off', 'config.toml turns events off: external_events.enabled');
    const desk = await desks.open(threads.addressOf(threadId));
    if (desk !== null) return ok(desk);
    return fail('unknown_thread', `there is no thread ${threadId}: \`signalbox events list\` names those there are`);
  };

  const take = async (
    event: ReturnType<typeof admitText>,
    principal: Principal,
    ingress: Ingress,
    onDuplicate: 'reject' | 'drop',
  ): Promise<EventAck> => {
    if (!event.ok) return refusalOf(event.error);
    const { event_id, routing } = event.value.event;
    if (principal.kind === 'event_token' && principal.threadId !== routing.thread_id)
      return refusalOf(noOtherThread(principal.threadId), event_id);
    const desk = await deskFor(routing.thread_id);
    if (!desk.ok) return refusalOf(desk.error, event_id);
    const agent =
      principal.kind === 'agent' ? principal : principal.kind === 'event_token' ? principal.agent : undefined;
    if (agent !== undefined && agent.conversationId !== desk.value.conversationId)
      return refusalOf(NOT_ITS_OWN_THREAD, event_id);
    const taken = await settled(desk.value.take(event.value, principal, ingress));
    return ackOf(desk.value, taken, event_id, onDuplicate);
  };

  const reading = createReading({ deskFor, hub: options.hub, codexHome: options.codexHome });

  const letGo = async (): Promise<void> => {
    await desks.closeWaysIn();
    await announcer.drain();
    await delivery.drain();
  };

  return {
    rules,
    desks,
    delivery,
    reading,
    forget: desks.forget,
    publishText: (text, principal, ingress) => take(admitText(text), principal, ingress, config.on_duplicate),
    publish: (event, principal, ingress, { thread, onDuplicate } = {}) =>
      take(
        admitValue(event, thread === undefined ? {} : { thread, isThreadGiven: true }),
        principal,
        ingress,
        onDuplicate ?? config.on_duplicate,
      ),
    async tie(threadId, event) {
      const desk = await deskFor(threadId);
      if (desk.ok) await announcer.tie(desk.value, desk.value.ledger.find(event) ?? 0);
    },
    async receipt(threadId, event) {
      const desk = await deskFor(threadId);
      const kept = desk.ok ? desk.value.ledger.event(desk.value.ledger.find(event) ?? 0) : undefined;
      return kept === undefined ? null : { event_seq: kept.event_seq, thread_id: threadId, ...standingOf(kept) };
    },
    async tryOut({ event: given, rules: instead, allow_sources, authenticated }) {
      const admitted = admitValue(given);
      if (!admitted.ok) return admitted;
      const desk = await deskFor(admitted.value.event.routing.thread_id);
      if (!desk.ok) return desk;
      const principal: Principal = authenticated ? { kind: 'api_token' } : { kind: 'file' };
      const event: ExternalEvent = { ...admitted.value.event, trust: trustOf(principal) };
      const status = threads.status(desk.value.conversationId);
      const plan = planDelivery(rules.policy({ rules: instead, allow_sources }), event, status, threads.capabilities());
      return ok(dryRunOf(plan, event, desk.value.conversationId));
    },
    async close() {
      const isOrderly = await within(clock, STOP_MS, letGo());
      if (!isOrderly) log.warn('events that could not be stored are given up: nobody was told that they were');
      await desks.close();
    },
  };
}

function dryRunOf(plan: Plan, event: ExternalEvent, conversationId: string): RouteOutput<'tryEvent'> {
  const isTold = plan.state !== 'notified' && plan.state !== 'dropped';
  const text = compactEvents([{ event_seq: 0, event }], { deliveryId: 'dlv_dry_run', conversationId });
  return { mode: plan.mode, rule: plan.rule, reason: describePlan(plan), model_text: isTold ? text : null };
}
