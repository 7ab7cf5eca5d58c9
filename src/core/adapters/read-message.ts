/** The body of a queue message → an event as the server takes it: our envelope, a CloudEvent, or JSON by the map of the entry. Pure. */
import type { AdapterMap } from '../../contract/adapter.ts';
import { EVENT_TYPE_PATTERN, MAX_EVENT_BYTES, Severity } from '../../contract/external-event.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { isCloudEvent, readCloudEvent } from '../events/cloud-event.ts';
import { isRecord } from '../text/is-record.ts';
import { isTooDeep } from '../text/json-depth.ts';
import { atPointer } from '../text/json-pointer.ts';

export interface QueueMessage {
  /** Of the body. */
  readonly bytes: number;
  /** Null: the body is not UTF-8. */
  readonly text: string | null;
  /** NATS subject, Redis stream or channel, RabbitMQ routing key, MQTT topic. */
  readonly subject: string;
  /** The same for each delivery of the message; null where the broker gives none. */
  readonly id: string | null;
  /** Hash of subject and body. */
  readonly digest: string;
  readonly takenAtMs: number;
}

export interface MessageRules {
  readonly source?: string | undefined;
  readonly map?: AdapterMap | undefined;
}

type Tree = Readonly<Record<string, unknown>>;

const MAX_NAME = 128;
const MAX_ID = 256;

export function eventOfMessage(message: QueueMessage, rules: MessageRules): Result<Tree> {
  if (message.bytes > MAX_EVENT_BYTES)
    return fail('too_large', `the message has ${message.bytes} bytes; an event has at most ${MAX_EVENT_BYTES}`);
  if (message.text === null) return invalid('the message is not UTF-8');
  if (isTooDeep(message.text)) return invalid('the message is nested too deeply');
  let value: unknown;
  try {
    value = JSON.parse(message.text);
  } catch {
    return invalid('the message is not JSON');
  }
  const event = readBody(value, message, rules);
  return event.ok ? ok(withSource(event.value, sourceOf(message, rules))) : event;
}

function readBody(value: unknown, message: QueueMessage, { map }: MessageRules): Result<Tree> {
  if (isRecord(value) && 'schema_version' in value) return ok(value);
  if (isCloudEvent(value)) {
    const event = readCloudEvent(value);
    if (!event.ok) return event;
    return isRecord(event.value) ? ok(event.value) : invalid('the CloudEvent is not an object');
  }
  if (map !== undefined) return mapped(value, message, map);
  return invalid(
    'the message is neither an event (schema_version) nor a CloudEvent (specversion), and the adapter has no map for other JSON',
  );
}

/** The producer's own word for where an event comes from counts for nothing; what else it says of its source is kept. */
function withSource(event: Tree, name: string): Tree {
  const given = isRecord(event.source) ? event.source : {};
  return { ...event, source: { ...given, name } };
}

/** What hides in a name makes the server refuse the event; only the length is cut here. */
const sourceOf = ({ subject }: QueueMessage, { source }: MessageRules): string =>
  source ?? (subject === '' ? 'queue' : subject.slice(0, MAX_NAME));

function mapped(value: unknown, message: QueueMessage, map: AdapterMap): Result<Tree> {
  const type = wordAt(value, map.type);
  if (type === null) return nothingAt('type', map.type);
  const title = wordAt(value, map.title);
  if (title === null) return nothingAt('title', map.title);
  const id = map.event_id === undefined ? (message.id ?? message.digest) : wordAt(value, map.event_id);
  if (id === null) return nothingAt('event_id', map.event_id ?? '');
  const summary = map.summary === undefined ? null : wordAt(value, map.summary);
  return ok({
    schema_version: 1,
    event_id: id.length <= MAX_ID ? id : message.digest,
    time_unix_ms: message.takenAtMs,
    type: typeOf(type),
    severity: severityOf(wordAt(value, map.severity)),
    routing: {},
    title,
    ...(summary !== null && { summary }),
    payload: value,
  });
}

/** A text, a number or a yes/no becomes a word; anything else is none. */
function wordAt(value: unknown, wanted: string): string | null {
  const found = wanted.startsWith('/') ? atPointer(value, wanted) : wanted;
  if (typeof found === 'string') return found === '' ? null : found;
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : null;
}

/** `Build Completed` → `Build_Completed`; what is left of it may be nothing. */
function typeOf(word: string): string {
  const type = word
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .split('.')
    .filter((part) => part !== '')
    .join('.')
    .slice(0, MAX_NAME)
    .replace(/\.$/, '');
  return EVENT_TYPE_PATTERN.test(type) ? type : 'message';
}

/** A word that is no severity of ours says nothing about how bad it is. */
function severityOf(word: string | null): Severity {
  const known = Severity.safeParse(word?.toLowerCase());
  return known.success ? known.data : 'info';
}

const invalid = (message: string): Result<never> => fail('invalid_event', message);
const nothingAt = (name: string, pointer: string): Result<never> =>
  invalid(`map.${name}: there is no text or number at ${pointer}`);
