/** Whether what a producer sent is an event: size, depth, keys, schema. Its texts are made safe to show and to wrap. Pure. */

import {
  ExternalEventInput as Envelope,
  type ExternalEventInput,
  MAX_EVENT_BYTES,
} from '../../contract/external-event.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { byteLength } from '../text/bytes.ts';
import { describeIssue } from '../text/describe-issue.ts';
import { withoutEscapes } from '../text/escape-sequences.ts';
import { cleanForModel, maybeHidden } from '../text/hidden.ts';
import { isRecord } from '../text/is-record.ts';
import { isTooDeep } from '../text/json-depth.ts';
import { isCloudEvent, readCloudEvent } from './cloud-event.ts';
import { isPlainEnvelope } from './plain-envelope.ts';

/** Deeper than any honest payload; recursion over it stays harmless. */
const MAX_DEPTH = 32;
const TOO_DEEP = `the event is nested more than ${MAX_DEPTH} deep`;
/** Keys of one object: a payload is a report, no database. */
const MAX_KEYS = 256;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
/** What may need cleaning. A text without it is taken as it is, which is nearly always. */
const UNCLEAN = /\\[ubfr]|[\x7f-\x9f]/;
export const maybeUnclean = (text: string): boolean => UNCLEAN.test(text) || maybeHidden(text);

export interface Admitted {
  readonly event: ExternalEventInput;
  /** Its JSON in one line as it came, when that says the same as the event and nothing else; null when it has to be written anew. */
  readonly verbatim: string | null;
}

export interface AdmitOptions {
  /** The thread a way in belongs to; an event for another one is refused. */
  readonly thread?: string;
  /** The way in names the thread so plainly (a file in its folder) that the event need not. */
  readonly isThreadGiven?: boolean;
}

/** One line or body of JSON. `isClean`: the caller knows that nothing in it needs cleaning. */
export function admitText(text: string, options: AdmitOptions = {}, isClean = !maybeUnclean(text)): Result<Admitted> {
  // UTF-16 units first: counting bytes is only needed when it could matter.
  if (text.length > MAX_EVENT_BYTES || (text.length * 3 > MAX_EVENT_BYTES && byteLength(text) > MAX_EVENT_BYTES)) {
    return tooLarge();
  }
  if (isTooDeep(text)) return invalid(TOO_DEEP);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid('this is not JSON');
  }
  if (!isClean || !isRecord(value) || !isPlainEnvelope(value, text.includes('\\')))
    return admitParsed(value, !isClean, options);
  // Every key but those of the payload is known by now.
  const { payload } = value;
  const flaw = typeof payload === 'object' && payload !== null ? findFlawIn(payload, 2) : null;
  if (flaw !== null) return invalid(flaw);
  return admitRouted(value, isOneLine(text) ? text : null, options);
}

/** A value that was parsed elsewhere (webhooks, CloudEvents in headers, RPC). */
export function admitValue(value: unknown, options: AdmitOptions = {}): Result<Admitted> {
  // Before it is written out: that recurses, and what is too deep would overflow it.
  const flaw = findFlaw(value);
  if (flaw !== null) return invalid(flaw);
  const text = JSON.stringify(value) ?? 'null';
  return byteLength(text) > MAX_EVENT_BYTES ? tooLarge() : admitParsed(value, true, options);
}

export function admitParsed(given: unknown, isUnclean: boolean, options: AdmitOptions): Result<Admitted> {
  const flaw = findFlaw(given);
  if (flaw !== null) return invalid(flaw);
  const clean = isUnclean ? cleanValue(given) : given;
  // A name is not mended: two that differ only in what is hidden must not become one.
  if (isUnclean && !hasSameNames(given, clean))
    return invalid('names and ids must not hold control or invisible characters');
  const mapped = isCloudEvent(clean) ? readCloudEvent(clean) : ok(clean);
  if (!mapped.ok) return mapped;
  const routed = options.isThreadGiven === true ? withThread(mapped.value, options.thread ?? '') : mapped.value;
  const parsed = Envelope.safeParse(routed);
  if (!parsed.success) return invalidField(routed, parsed.error.issues[0]);
  const { trust: _discarded, ...event } = parsed.data;
  return admitRouted(event, null, options);
}

function admitRouted(event: ExternalEventInput, verbatim: string | null, { thread }: AdmitOptions): Result<Admitted> {
  if (thread === undefined || event.routing.thread_id === thread) return ok({ event, verbatim });
  return invalid('the event is for another thread than the one it was given to', { reason: 'wrong_thread' });
}

const isOneLine = (text: string): boolean => text.endsWith('}') && !text.includes('\n') && !text.includes('\r');

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
    return invalid('routing.thread_id (of a CloudEvent: threadid) is missing: an event always names its thread', {
      reason: 'missing_thread_id',
    });
  return invalid(describeIssue(issue), { field });
}

function withThread(value: unknown, thread: string): unknown {
  if (!isRecord(value)) return value;
  const routing = isRecord(value.routing) ? value.routing : {};
  return { ...value, routing: { thread_id: thread, ...routing } };
}

function findFlaw(value: unknown): string | null {
  return isRecord(value) ? findFlawIn(value, 1) : 'an event is a JSON object';
}

/** Goes no deeper than what it allows: what is looked for is what would overflow the stack. */
function findFlawIn(holder: object, depth: number): string | null {
  if (depth > MAX_DEPTH) return TOO_DEEP;
  let keys = 0;
  // Parsed JSON has no inherited keys of its own; this way no pairs are made for each of thousands of events.
  for (const key in holder) {
    keys += 1;
    if (FORBIDDEN_KEYS.has(key)) return `the key ${key} is not allowed`;
    const child: unknown = Reflect.get(holder, key);
    const flaw = typeof child === 'object' && child !== null ? findFlawIn(child, depth + 1) : null;
    if (flaw !== null) return flaw;
  }
  return keys > MAX_KEYS && !Array.isArray(holder) ? `an object of the event has more than ${MAX_KEYS} keys` : null;
}

/** Bounded in depth by `findFlaw`. */
function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanEventText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [cleanEventText(key), cleanValue(child)]));
}

function cleanEventText(text: string): string {
  // Escape sequences first and whole: `cleanForModel` would take only their first character.
  return cleanForModel(withoutEscapes(text));
}

const invalid = (message: string, details?: Record<string, unknown>): Result<never> =>
  fail('invalid_event', message, details);

const tooLarge = (): Result<never> =>
  fail('too_large', `an event has at most ${MAX_EVENT_BYTES} bytes: put what is longer behind an artifact's URL`, {
    max_bytes: MAX_EVENT_BYTES,
  });
