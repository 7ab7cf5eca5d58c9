/** Routes of External Events: ways in for producers, lists and rules for people. */
import { z } from 'zod';
import {
  DeliveryMode,
  EventAck,
  EventHold,
  EventRecord,
  EventRules,
  EventThread,
  EventThreadId,
  ExternalEvent,
  ExternalEventInput,
  Severity,
  WEBHOOKS,
} from './external-event.ts';
import { integerQuery, type RouteDef } from './route.ts';

const MIB = 1024 * 1024;
const threadParam = z.object({ thread_id: EventThreadId });

/** Events marked at once: one line of a ledger, one body. */
export const MAX_MARKED = 10_000;
const AllowSources = z.array(z.string().min(1).max(128)).max(100);

const RejectedEvent = z.object({
  ts: z.string(),
  /** The code and what is wrong. */
  reason: z.string(),
  /** Its beginning. */
  text: z.string(),
});
export type RejectedEvent = z.infer<typeof RejectedEvent>;

const RuleSet = z.object({
  rules: EventRules,
  /** page: chosen here. config: of `config.toml`, as nobody has chosen any here. */
  from: z.enum(['page', 'config']),
  default_delivery: z.string(),
  allow_sources: z.array(z.string()),
});

/** What would happen to an event, and why. */
const DryRun = z.object({
  mode: DeliveryMode,
  /** Its place in the list; null for the default. */
  rule: z.number().int().nullable(),
  /** In words for a person. */
  reason: z.string(),
  /** What the model would read, if anything. */
  model_text: z.string().nullable(),
});

export const EVENT_ROUTES = {
  publishEvent: {
    method: 'POST',
    path: '/v1/events',
    scope: 'operate',
    agents: 'own',
    intake: 'raw',
    summary:
      'Takes one event: envelope v1 or CloudEvents 1.0 (structured or binary). Event token, API token or session.',
    body: ExternalEventInput,
    output: EventAck,
    errors: ['invalid_event', 'unknown_thread', 'duplicate_event', 'too_large', 'storage_full', 'turned_off'],
    maxBodyBytes: MIB,
  },
  publishEvents: {
    method: 'POST',
    path: '/v1/events:batch',
    scope: 'operate',
    agents: 'own',
    intake: 'raw',
    summary: 'Takes an array of events; each is answered for itself',
    body: z.array(ExternalEventInput),
    output: z.object({ ok: z.boolean(), results: z.array(EventAck) }),
    errors: ['invalid_event', 'unknown_thread', 'duplicate_event', 'too_large', 'storage_full', 'turned_off'],
    maxBodyBytes: 16 * MIB,
  },
  takeWebhook: {
    method: 'POST',
    path: '/v1/hooks/{provider}/{thread_id}',
    scope: 'public',
    intake: 'raw',
    summary: 'Takes a signed webhook and makes an event of it',
    params: z.object({ provider: z.enum(WEBHOOKS), thread_id: EventThreadId }),
    body: z.unknown(),
    output: EventAck,
    errors: ['invalid_event', 'unknown_thread', 'too_large', 'storage_full', 'turned_off'],
    maxBodyBytes: 4 * MIB,
  },
  listEventThreads: {
    method: 'GET',
    path: '/v1/threads',
    scope: 'read',
    agents: 'any',
    summary: 'Threads that producers can reach now, and where',
    output: z.object({ threads: z.array(EventThread) }),
    errors: [],
  },
  listEvents: {
    method: 'GET',
    path: '/v1/threads/{thread_id}/events',
    scope: 'read',
    agents: 'own',
    summary: 'Events of a thread, newest last; before or after an event_seq; by severity, source and words',
    params: threadParam,
    query: z.object({
      before: integerQuery.optional(),
      after: integerQuery.optional(),
      limit: integerQuery.min(1).max(1000).default(50),
      unread: z.enum(['true', 'false']).optional(),
      min_severity: Severity.optional(),
      /** Exactly this name. */
      source: z.string().min(1).max(128).optional(),
      /** Words that are all in what a list shows of the event. */
      q: z.string().max(200).optional(),
    }),
    output: z.object({
      events: z.array(EventRecord),
      unread: z.number().int(),
      total: z.number().int(),
      /** Those that go along with the next message. */
      waiting: z.number().int(),
      quarantined: z.number().int(),
      /** Why no more are taken; null while there is room. */
      held: EventHold.nullable(),
      has_more: z.boolean(),
      /** The `before` (or `after`) of the next page; null when this was the last. A page of what was looked for may be empty and not the last. */
      next: z.number().int().nullable(),
    }),
    errors: ['unknown_thread', 'turned_off'],
  },
  readEvent: {
    method: 'GET',
    path: '/v1/threads/{thread_id}/events/{event_seq}',
    scope: 'read',
    agents: 'own',
    summary: 'One event whole, with its payload, artifacts and suggested actions',
    params: threadParam.extend({ event_seq: integerQuery }),
    output: z.object({ record: EventRecord, event: ExternalEvent }),
    errors: ['unknown_thread', 'not_found', 'turned_off'],
  },
  listRejectedEvents: {
    method: 'GET',
    path: '/v1/threads/{thread_id}/rejected',
    scope: 'read',
    agents: 'own',
    summary: 'What came by file and was no event, and why; newest last',
    params: threadParam,
    query: z.object({ limit: integerQuery.min(1).max(200).default(50) }),
    output: z.object({
      rejected: z.array(RejectedEvent),
      /** Also of those that are not kept. */
      total: z.number().int(),
      path: z.string(),
    }),
    errors: ['unknown_thread', 'turned_off'],
  },
  ackEvent: {
    method: 'POST',
    path: '/v1/threads/{thread_id}/events/{event_id}/ack',
    scope: 'operate',
    agents: 'own',
    summary: 'Marks an event read: by its event_id, or by its event_seq',
    params: threadParam.extend({ event_id: z.string().min(1).max(256) }),
    output: z.object({ ok: z.literal(true), acked: z.number().int(), unread: z.number().int() }),
    errors: ['unknown_thread', 'not_found', 'storage_full', 'turned_off'],
  },
  ackEvents: {
    method: 'POST',
    path: '/v1/threads/{thread_id}/events:ack',
    scope: 'operate',
    agents: 'own',
    summary: 'Marks every event up to an event_seq read',
    params: threadParam,
    body: z.object({ up_to: z.number().int().optional() }),
    output: z.object({
      ok: z.literal(true),
      acked: z.number().int(),
      unread: z.number().int(),
      /** Which, so that it can be undone; empty when they are too many for that. */
      events: z.array(z.number().int()),
    }),
    errors: ['unknown_thread', 'storage_full', 'turned_off'],
  },
  markEventsUnread: {
    method: 'POST',
    path: '/v1/threads/{thread_id}/events:unread',
    scope: 'operate',
    agents: 'own',
    summary: 'Marks events unread again, by their event_seq',
    params: threadParam,
    body: z.object({ events: z.array(z.number().int()).min(1).max(MAX_MARKED) }),
    output: z.object({ ok: z.literal(true), marked: z.number().int(), unread: z.number().int() }),
    errors: ['unknown_thread', 'storage_full', 'turned_off'],
  },
  tryEvent: {
    method: 'POST',
    path: '/v1/events:try',
    scope: 'read',
    summary: 'What would happen to this event; nothing is stored or sent',
    body: z.object({
      event: z.record(z.string(), z.unknown()),
      /** Rules to try instead of those in force. */
      rules: EventRules.optional(),
      /** Sources that may act, instead of those in force. */
      allow_sources: AllowSources.optional(),
      authenticated: z.boolean().default(true),
    }),
    output: DryRun,
    errors: ['invalid_event', 'unknown_thread', 'turned_off'],
  },
  readEventRules: {
    method: 'GET',
    path: '/v1/event-rules',
    scope: 'read',
    summary: 'The rules in force, first match wins',
    output: RuleSet,
    errors: [],
  },
  writeEventRules: {
    method: 'PUT',
    path: '/v1/event-rules',
    scope: 'owner',
    summary: 'Chooses the rules; null goes back to those of config.toml',
    body: z.object({
      rules: EventRules.nullable(),
      allow_sources: AllowSources.optional(),
    }),
    output: RuleSet,
    errors: ['storage_full'],
  },
  eventSchema: {
    method: 'GET',
    path: '/v1/event-schema.json',
    scope: 'read',
    agents: 'any',
    summary: 'Envelope v1 as JSON Schema',
    output: z.record(z.string(), z.unknown()),
    errors: [],
  },
} as const satisfies Record<string, RouteDef>;
