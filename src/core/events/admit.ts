/** Whether what a producer sent is an event: size, depth, keys, schema. Its texts are made safe to show and to wrap. Pure. */
import {
  ExternalEventInput as Envelope,
  type ExternalEventInput,
  MAX_EVENT_BYTES,
} from '../../contract/external-event.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { cleanText } from '../text/clean.ts';
import { isCloudEvent, readCloudEvent } from './cloud-event.ts';

/** Deeper than any honest payload; recursion over it stays harmless. */
const MAX_DEPTH = 32;
/** Keys of one object: a payload is a report, no database. */
const MAX_KEYS = 256;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
/** What may need cleaning or may hide a forbidden key. A text without it is taken as it is, which is nearly always. */
const SUSPICIOUS =
  /\\[ubfr]|__proto__|constructor|prototype|[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/;
/** Characters that reorder or hide text; `cleanText` takes the control characters. */
const HIDING = /[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
/** Colors and cursor moves go whole, not only their first byte. */
const TERMINAL_SEQUENCES = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?/g;

export interface AdmitOptions {
  /** The thread a way in belongs to; an event for another one is refused. */
  readonly thread?: string;
  /** The way in names the thread so plainly (a file in its folder) that the event need not. */
  readonly isThreadGiven?: boolean;
}

/** One line or body of JSON. */
export function admitText(text: string, options: AdmitOptions = {}): Result<ExternalEventInput> {
  // UTF-16 units first: counting bytes is only needed when it could matter.
  if (text.length > MAX_EVENT_BYTES || (text.length * 3 > MAX_EVENT_BYTES && utf8Length(text) > MAX_EVENT_BYTES)) {
    return tooLarge();
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid('this is not JSON');
  }
  return admitParsed(value, SUSPICIOUS.test(text), options);
}

/** A value that was parsed elsewhere (webhooks, CloudEvents in headers, RPC). */
export function admitValue(value: unknown, options: AdmitOptions = {}): Result<ExternalEventInput> {
  // Before it is written out: that recurses, and what is too deep would overflow it.
  const flaw = findFlaw(value);
  if (flaw !== null) return invalid(flaw);
  const text = JSON.stringify(value) ?? 'null';
  return utf8Length(text) > MAX_EVENT_BYTES ? tooLarge() : admitParsed(value, true, options);
}

export function admitParsed(given: unknown, isSuspicious: boolean, options: AdmitOptions): Result<ExternalEventInput> {
  const flaw = findFlaw(given);
  if (flaw !== null) return invalid(flaw);
  const clean = isSuspicious ? cleanValue(given) : given;
  // A name is not mended: two that differ only in what is hidden must not become one.
  if (isSuspicious && !hasSameNames(given, clean)) return invalid('names and ids must not hold control characters');
  const mapped = isCloudEvent(clean) ? readCloudEvent(clean) : ok(clean);
  if (!mapped.ok) return mapped;
  const routed = options.isThreadGiven === true ? withThread(mapped.value, options.thread ?? '') : mapped.value;
  const parsed = Envelope.safeParse(routed);
  if (!parsed.success) return invalidField(routed, parsed.error.issues[0]);
  const { trust: _discarded, ...event } = parsed.data;
  const { thread_id } = event.routing;
  if (options.thread !== undefined && thread_id !== options.thread)
    return invalid('the event is for another thread than the one it was given to', { reason: 'wrong_thread' });
  return ok(event);
}

function hasSameNames(given: unknown, clean: unknown): boolean {
  const names = (value: unknown): string => {
    if (!isRecord(value)) return '';
    const { event_id, id, type, threadid, routing, source } = value;
    const thread = isRecord(routing) ? routing.thread_id : threadid;
    return JSON.stringify([event_id, id, type, thread, isRecord(source) ? source.name : source]);
  };
  return names(given) === names(clean);
}

function invalidField(
  value: unknown,
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): Result<never> {
  const hasThread = isRecord(value) && isRecord(value.routing) && value.routing.thread_id !== undefined;
  const field = (issue?.path ?? []).map(String).join('.');
  if (!hasThread && (field === 'routing' || field === 'routing.thread_id'))
    return invalid('routing.thread_id is missing: an event always names its thread', { reason: 'missing_thread_id' });
  const problem = (issue?.message ?? 'not as expected').replace(/^Invalid input: /, '');
  return invalid(field === '' ? problem : `${field}: ${problem}`, { field });
}

function withThread(value: unknown, thread: string): unknown {
  if (!isRecord(value)) return value;
  const routing = isRecord(value.routing) ? value.routing : {};
  return { ...value, routing: { thread_id: thread, ...routing } };
}

/** With a stack of its own: what is looked for is what would overflow the other one. */
function findFlaw(value: unknown): string | null {
  if (!isRecord(value)) return 'an event is a JSON object';
  const left: { readonly value: object; readonly depth: number }[] = [{ value, depth: 1 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next.depth > MAX_DEPTH) return `the event is nested more than ${MAX_DEPTH} deep`;
    let keys = 0;
    const { value: holder, depth } = next;
    // Parsed JSON has no inherited keys of its own; this way no pairs are made for each of thousands of events.
    for (const key in holder) {
      keys += 1;
      if (FORBIDDEN_KEYS.has(key)) return `the key ${key} is not allowed`;
      const child: unknown = Reflect.get(holder, key);
      if (typeof child === 'object' && child !== null) left.push({ value: child, depth: depth + 1 });
    }
    if (keys > MAX_KEYS && !Array.isArray(next.value)) return `an object of the event has more than ${MAX_KEYS} keys`;
  }
  return null;
}

/** Bounded in depth by `findFlaw`. */
function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanEventText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [cleanEventText(key), cleanValue(child)]));
}

function cleanEventText(text: string): string {
  return cleanText(text.replace(TERMINAL_SEQUENCES, '')).replace(HIDING, '');
}

const invalid = (message: string, details?: Record<string, unknown>): Result<never> =>
  fail('invalid_event', message, details);

const tooLarge = (): Result<never> =>
  fail('too_large', `an event has at most ${MAX_EVENT_BYTES} bytes: put what is longer behind an artifact's URL`, {
    max_bytes: MAX_EVENT_BYTES,
  });

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Bytes of a text in UTF-8; a half character counts as the three bytes that replace it. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x7f) continue;
    bytes += code > 0x7ff ? 2 : 1;
    const next = code >= 0xd800 && code <= 0xdbff ? text.charCodeAt(at + 1) : 0;
    // A pair has four bytes: three for its first half, one (counted above) for its second.
    if (next >= 0xdc00 && next <= 0xdfff) at += 1;
  }
  return bytes;
}
