/** External Events: the envelope producers send, what we make of it, how it is delivered and what became of it. */
import { z } from 'zod';
import { AdapterEntries, PROVENANCES } from './adapter.ts';
import { ConversationId } from './ids.ts';

/** The whole envelope as it arrives; logs belong behind an artifact's URL. */
export const MAX_EVENT_BYTES = 64 * 1024;
/** Events in one `:batch`. */
export const MAX_BATCH_EVENTS = 1_000;
/** What the model is told of events with one message, whatever arrived. */
export const MAX_MODEL_BYTES = 4_000;

export const SEVERITIES = ['debug', 'info', 'warning', 'error', 'critical'] as const;
export const Severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof Severity>;

export const EVENT_THREAD_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;
/** Looked up, never joined to a path before it was found. */
export const EventThreadId = z.string().regex(EVENT_THREAD_PATTERN, 'expected the id of a Codex thread');
/** Names are compared and joined: nothing in them may hide or end a line. */
export const EVENT_NAME_PATTERN = /^[^\x00-\x1f\x7f]+$/;
const name = (max: number) =>
  z.string().max(max).regex(EVENT_NAME_PATTERN, 'expected a name without control characters');
/** Unique for its source. */
export const EventId = name(256);
export const EVENT_TYPE_PATTERN = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;
export const EventType = z.string().regex(EVENT_TYPE_PATTERN, 'expected dot-separated words');
const text = (max: number) => z.string().max(max);

const Source = z.object({
  name: name(128),
  instance: text(512).optional(),
  run_id: text(256).optional(),
  url: text(2048).optional(),
  labels: z.record(text(128), text(512)).optional(),
});

const Routing = z.object({
  thread_id: EventThreadId,
  turn_id: text(128).optional(),
  correlation_id: text(256).optional(),
  /** How many automatic turns led to this event; a producer may only raise it. */
  hops: z.number().int().min(0).max(1_000).optional(),
});

export const Artifact = z.object({
  kind: text(64),
  title: text(256).optional(),
  ref: z.discriminatedUnion('type', [
    z.object({ type: z.literal('url'), url: text(2048) }),
    z.object({ type: z.literal('path'), path: text(4096) }),
  ]),
});

const SuggestedAction = z.object({
  action_id: text(128),
  title: text(256),
  kind: text(64),
  args: z.record(z.string(), z.unknown()).optional(),
});

/** Envelope v1 as a producer writes it. Whatever it says under `trust` is thrown away. */
export const ExternalEventInput = z.object({
  schema_version: z.literal(1),
  event_id: EventId,
  time_unix_ms: z.number().int().min(-8.64e15).max(8.64e15),
  type: EventType.max(128),
  severity: Severity.default('info'),
  source: Source.default({ name: 'local' }),
  routing: Routing,
  title: text(65_536),
  summary: text(65_536).default(''),
  payload: z.unknown().optional(),
  artifacts: z.array(Artifact).max(50).optional(),
  suggested_actions: z.array(SuggestedAction).max(20).optional(),
  trust: z.unknown().optional(),
});
export type ExternalEventInput = z.infer<typeof ExternalEventInput>;

/**
 * Computed by us from how the event arrived. `queue`: from a queue adapter, or over HTTP from a program that shows a token and the header
 * `X-Signalbox-Origin`. Of an adapter `provenance` is how the broker knew it: by an nkey, a user, a certificate, or not at all.
 */
export const Trust = z.object({
  origin: z.enum(['local', 'network', 'queue']),
  authenticated: z.boolean(),
  provenance: z.enum([
    'token',
    'api_token',
    'session',
    'signature',
    'shared_secret',
    'host_login',
    'board',
    ...PROVENANCES,
  ]),
  treat_as_instruction: z.literal(false),
});
export type Trust = z.infer<typeof Trust>;

export const ExternalEvent = ExternalEventInput.omit({ trust: true }).extend({ trust: Trust });
export type ExternalEvent = z.infer<typeof ExternalEvent>;

const INGRESSES = ['socket', 'http', 'file', 'drop', 'webhook', 'rpc', 'host', 'board', 'mcp'] as const;
export type Ingress = (typeof INGRESSES)[number];

/** What a rule may ask for. The default appends to the transcript and queues for the next model call. */
const DELIVERIES = ['queue_for_next_turn', 'append_to_thread', 'auto_turn', 'notify_only', 'drop'] as const;
const Delivery = z.enum(DELIVERIES);
/** What an event is planned for: a rule's wish, or a steer into the turn that runs. */
export const DeliveryMode = z.enum([...DELIVERIES, 'turn_steer']);
export type DeliveryMode = z.infer<typeof DeliveryMode>;

/**
 * received: durable, nothing decided. queued: waits for the next model call. sending: given to Codex, no answer yet.
 * appended: in the thread's history. delivered: in a turn. notified: shown to people only. held: waits for a reason that is told.
 */
const EVENT_STATES = ['received', 'queued', 'sending', 'appended', 'delivered', 'notified', 'held', 'dropped'] as const;
export const EventState = z.enum(EVENT_STATES);
export type EventState = z.infer<typeof EventState>;

export const EventRule = z.strictObject({
  /** `*` stands for any run of characters, dots too. */
  match_type: z.string().min(1).max(128).default('*'),
  /** Of `source.name`, with the same `*`. */
  source: z.string().min(1).max(128).optional(),
  min_severity: Severity.optional(),
  delivery: Delivery.default('queue_for_next_turn'),
  /** Into the running turn when there is one. */
  prefer_steer: z.boolean().default(false),
  /** Sources that may steer or start turns by this rule, beside those of the whole table. */
  allow_sources: z.array(z.string().min(1).max(128)).max(100).default([]),
  /** Lets local producers without a token steer (never start a turn). */
  allow_unauthenticated: z.boolean().default(false),
});
export type EventRule = z.infer<typeof EventRule>;

const MAX_RULES = 200;
export const EventRules = z.array(EventRule).max(MAX_RULES);

const Secret = z.strictObject({
  /** The secret itself, the name of a variable, or a file that holds it; the first that is set counts. */
  secret: z.string().min(1).optional(),
  secret_env: z.string().min(1).optional(),
  secret_file: z.string().min(1).optional(),
  /** A second one that also fits, while a secret is being replaced. */
  old_secret: z.string().min(1).optional(),
});

export const WEBHOOKS = ['github', 'gitlab', 'buildkite', 'standard'] as const;
export type Webhook = (typeof WEBHOOKS)[number];

/** This machine only. */
const BIND_PATTERN =
  /^(?:127\.0\.0\.1|localhost|\[::1\]):(?:\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])$/;

/** One way in. All but webhooks are on unless an entry says otherwise; a webhook needs its secret. */
const EventSource = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['uds', 'file', 'drop']), enabled: z.boolean().default(true) }),
  z.strictObject({
    type: z.literal('http'),
    enabled: z.boolean().default(true),
    /** A listener of its own that takes events and nothing else; port 0 is any free one. Without it the server's own address takes them. */
    bind: z.string().regex(BIND_PATTERN, 'expected 127.0.0.1, localhost or [::1], a colon and a port').optional(),
  }),
  z.strictObject({
    type: z.literal('webhook'),
    enabled: z.boolean().default(true),
    provider: z.enum(WEBHOOKS),
    ...Secret.shape,
  }),
]);

/** `[external_events]` of `config.toml`. */
export const ExternalEventsConfig = z.strictObject({
  enabled: z.boolean().default(true),
  default_delivery: z.enum(['queue_for_next_turn', 'append_to_thread', 'notify_only']).default('queue_for_next_turn'),
  /** reject: a repeated event is told `duplicate_event`. drop: it is told ok, and dropped all the same. */
  on_duplicate: z.enum(['reject', 'drop']).default('reject'),
  /** Sources that may steer and start turns where a rule wants it. */
  allow_sources: z.array(z.string().min(1).max(128)).max(100).default([]),
  /** Automatic turns that may follow from one another without a person. */
  max_hops: z.number().int().min(0).max(20).default(3),
  /** Per source and thread: a burst, and what flows after it. A credential has a quarter more for all its sources together. */
  burst: z.number().int().min(1).default(20_000),
  rate_per_second: z.number().min(0.1).default(500),
  retain_events: z.number().int().min(1).default(1_000),
  retain_days: z.number().min(0.01).default(7),
  /** Of one thread: far more than a person reads. What is read and done with goes first. */
  max_ledger_mb: z.number().min(0.01).default(64),
  max_total_ledger_mb: z.number().min(0.01).default(512),
  sources: z.array(EventSource).max(20).default([]),
  /** Processes that take messages off queues and publish them as events. */
  adapters: AdapterEntries.default([]),
  rules: EventRules.default([]),
});
export type ExternalEventsConfig = z.infer<typeof ExternalEventsConfig>;

/** What lists and the transcript show of an event; the whole of it is one request away. */
export const EventItem = z.object({
  /** Names the event within its thread: its place in the ledger. */
  event_seq: z.number().int(),
  event_id: z.string(),
  type: z.string(),
  severity: Severity,
  title: z.string(),
  /** Its beginning. */
  summary: z.string(),
  source: z.object({ name: z.string(), run_id: z.string().optional(), url: z.string().optional() }),
  correlation_id: z.string().optional(),
  time_unix_ms: z.number(),
  received_at: z.string(),
  ingress: z.enum(INGRESSES),
  trust: Trust,
});
export type EventItem = z.infer<typeof EventItem>;

/** Where an event stands. */
export const EventStanding = z.object({
  state: EventState,
  mode: DeliveryMode,
  /** Why it waits or was dropped, in a word: `not_allowed`, `hop_limit`, `thread_not_loaded`, … */
  reason: z.string().optional(),
  turn_id: z.string().optional(),
});
export type EventStanding = z.infer<typeof EventStanding>;

/** A row of the drawer. */
export const EventRecord = EventItem.extend({ ...EventStanding.shape, read: z.boolean() });
export type EventRecord = z.infer<typeof EventRecord>;

/** The answer to one event, on every way in. */
export const EventAck = z.union([
  z.object({
    ok: z.literal(true),
    event_id: z.string(),
    /** It was here before, and was dropped. */
    duplicate: z.boolean().optional(),
    delivered: z.object({ thread_id: z.string(), mode: DeliveryMode }),
  }),
  z.object({
    ok: z.literal(false),
    code: z.string(),
    message: z.string(),
    event_id: z.string().optional(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
]);
export type EventAck = z.infer<typeof EventAck>;

/** `external_events.json`, mode 0600, for as long as the thread can be reached. */
export const DiscoveryFile = z.object({
  thread_id: z.string(),
  created_unix_ms: z.number(),
  pid: z.number(),
  ipc: z.object({ type: z.literal('uds'), path: z.string() }).optional(),
  http: z.object({ url: z.string(), batch_url: z.string() }).optional(),
  inbox: z.object({ path: z.string() }).optional(),
  drop: z.object({ path: z.string() }).optional(),
  token: z.string(),
  capabilities: z.object({
    notify: z.boolean(),
    queue_for_next_turn: z.boolean(),
    append_to_thread: z.boolean(),
    auto_turn: z.boolean(),
    turn_steer: z.boolean(),
  }),
});
export type DiscoveryFile = z.infer<typeof DiscoveryFile>;

/** Why a thread takes no more events for now. Producers are told `rate_limited`; what lies in files waits there. */
export const EventHold = z.object({
  /** thread_full: its own events have reached the cap. all_full: those of all threads together have. */
  reason: z.enum(['thread_full', 'all_full']),
  bytes: z.number().int(),
  max_bytes: z.number(),
  /** With what to do about it. */
  message: z.string(),
});
export type EventHold = z.infer<typeof EventHold>;

/** A thread that producers can reach now. The token stays in the discovery file. */
export const EventThread = z.object({
  thread_id: z.string(),
  conversation_id: ConversationId,
  label: z.string().nullable(),
  events: z.number().int(),
  unread: z.number().int(),
  quarantined: z.number().int(),
  held: EventHold.nullable(),
  discovery: z.string(),
  inbox: z.string(),
});

const Count = z.number().int().nonnegative();

/** `external_events_state.json`: how far the inbox file was read. */
export const InboxState = z.object({
  /** `tail`: the last bytes before `offset`, base64. A file of the same number with another text there is another file. */
  inbox: z.object({ dev: Count, ino: Count, offset: Count, tail: z.string() }).optional(),
  /** How far files that it was moved to were read. */
  rotated: z.record(z.string(), Count).default({}),
});
export type InboxState = z.infer<typeof InboxState>;

/** One line of a ledger: an event, or what became of some. */
export const LedgerLine = z.discriminatedUnion('kind', [
  z.object({
    seq: z.number().int(),
    ts: z.string(),
    kind: z.literal('event'),
    ingress: z.enum(INGRESSES),
    ...EventStanding.shape,
    event: ExternalEvent,
  }),
  z.object({
    seq: z.number().int(),
    ts: z.string(),
    kind: z.literal('state'),
    events: z.array(z.number().int()),
    ...EventStanding.shape,
    /** Names the sending, so that it can be found again in what Codex kept. */
    delivery_id: z.string().optional(),
  }),
  z.object({
    seq: z.number().int(),
    ts: z.string(),
    kind: z.enum(['read', 'unread']),
    events: z.array(z.number().int()),
  }),
  /** Keys of events that retention took away, so that a late repetition is still one. */
  z.object({ seq: z.number().int(), ts: z.string(), kind: z.literal('seen'), keys: z.array(z.string()) }),
]);
export type LedgerLine = z.infer<typeof LedgerLine>;

/** `event_rules.json` of the home: what was chosen in the page. */
export const EventRulesFile = z.object({
  rules: EventRules.nullable(),
  allow_sources: z.array(z.string()).nullable().default(null),
});
export type EventRulesFile = z.infer<typeof EventRulesFile>;
