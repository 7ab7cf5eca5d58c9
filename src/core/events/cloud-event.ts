/** CloudEvents 1.0 → envelope v1. Structured ones are objects; those in binary mode are put together from headers first. Pure. */
import { fail, ok, type Result } from '../../contract/result.ts';
import { isRecord } from '../text/is-record.ts';
import { parseIsoTime } from '../text/iso-time.ts';
import { isTooDeep } from '../text/json-depth.ts';

type Tree = Readonly<Record<string, unknown>>;

/** `specversion` is theirs, `schema_version` ours. */
export function isCloudEvent(value: unknown): value is Tree {
  return isRecord(value) && 'specversion' in value && !('schema_version' in value);
}

export function readCloudEvent(event: Tree): Result<unknown> {
  if (event.specversion !== '1.0') return fail('invalid_event', 'specversion: only CloudEvents 1.0 is known');
  for (const name of ['id', 'source', 'type']) {
    if (typeof event[name] !== 'string' || event[name] === '')
      return fail('invalid_event', `${name}: CloudEvents require it`, { field: name });
  }
  const time = readTime(event.time);
  if (time === null) return fail('invalid_event', 'time: expected RFC 3339', { field: 'time' });
  const data = readData(event);
  if (!data.ok) return data;
  const own = isRecord(data.value) ? data.value : {};
  const isOurs = 'title' in own || 'summary' in own;
  const { title, summary, payload, artifacts, suggested_actions } = own;
  const source = sourceOf(String(event.source));
  return ok({
    schema_version: 1,
    event_id: event.id,
    time_unix_ms: time,
    type: event.type,
    ...given('severity', event.severity ?? own.severity),
    source: { ...source, ...given('run_id', event.subject) },
    routing: {
      ...given('thread_id', event.threadid),
      ...given('turn_id', event.turnid),
      ...given('correlation_id', event.correlationid),
    },
    title: isOurs && title !== undefined ? title : titleOf(event),
    ...given('summary', isOurs ? summary : undefined),
    ...given('payload', isOurs ? payload : data.value),
    ...given('artifacts', isOurs ? artifacts : undefined),
    ...given('suggested_actions', isOurs ? suggested_actions : undefined),
  });
}

/** Binary mode: attributes are `ce-*` headers, the body is the data. Header values are percent-encoded. */
export function cloudEventOfHeaders(headers: Readonly<Record<string, string>>, body: string): Tree {
  const event: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (/^ce-[a-z0-9]{1,40}$/.test(name)) event[name.slice(3)] = percentDecoded(value);
  }
  const type = headers['content-type'] ?? '';
  if (body === '') return event;
  if (!/json/i.test(type)) return { ...event, datacontenttype: type, data: body };
  if (isTooDeep(body)) return { ...event, data: body };
  try {
    return { ...event, data: JSON.parse(body) };
  } catch {
    return { ...event, data: body };
  }
}

/** `/buildkite/org/repo` → name and instance; a URL keeps its host as the name. */
function sourceOf(source: string): { name: string; instance?: string; url?: string } {
  const url = /^https?:\/\/([^/?#]+)(.*)$/.exec(source);
  if (url !== null) return { name: (url[1] ?? source).slice(0, 128), url: source };
  const [name = '', ...rest] = source.replace(/^\/+/, '').split('/');
  const instance = rest.join('/');
  return { name: (name === '' ? source : name).slice(0, 128), ...(instance !== '' && { instance }) };
}

function titleOf(event: Tree): string {
  return typeof event.subject === 'string' ? `${event.type}: ${event.subject}` : String(event.type);
}

/** A base64 body is not looked into: events are read by people and models. */
function readData(event: Tree): Result<unknown> {
  if (event.data_base64 === undefined) return ok(event.data);
  return typeof event.data_base64 === 'string'
    ? ok({ encoding: 'base64', data: event.data_base64 })
    : fail('invalid_event', 'data_base64: expected text', { field: 'data_base64' });
}

/** Absent is allowed by CloudEvents; the epoch says that nobody knows. */
function readTime(time: unknown): number | null {
  if (time === undefined) return 0;
  return typeof time === 'string' ? parseIsoTime(time) : null;
}

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const given = (name: string, value: unknown): Tree => (value === undefined ? {} : { [name]: value });
