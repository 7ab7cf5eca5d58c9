/** How fragments reach the model: `additionalContext` where Codex offers it, items put into the thread, or a sentinel before the text. */
import type { ContextRecord, Fragment } from '../../contract/context.ts';
import { parseJson } from '../text/parse-json.ts';
import { developerEnvelope, type ModelText, toolEnvelope } from './fragment.ts';
import { isContextual } from './markers.ts';
import { isOurKey } from './specs.ts';

/** Context of a message, in the form this Codex takes. */
export interface OutgoingContext {
  readonly additionalContext?: Readonly<Record<string, unknown>>;
  /** Goes in front of the person's text, where nobody sees it. */
  readonly textPrefix?: string;
}

export function carriedBy(carrier: ContextRecord['carrier'], fragments: readonly Fragment[]): OutgoingContext {
  if (fragments.length === 0) return {};
  return carrier === 'sentinel'
    ? { textPrefix: sentinelOf(fragments) }
    : { additionalContext: additionalContextOf(fragments) };
}

/** Of `turn/start` and `turn/steer`: not in the echo, so there is nothing to take off again. */
export function additionalContextOf(
  fragments: readonly Fragment[],
): Readonly<Record<string, { readonly value: string; readonly kind: Fragment['kind'] }>> {
  return Object.fromEntries(fragments.map(({ key, kind, value }) => [key, { value: value.toWellFormed(), kind }]));
}

/** For `thread/inject_items`: nothing runs, and the model reads it with its next request. */
export function injectedItems(fragments: readonly ModelText[]): readonly Record<string, unknown>[] {
  return [...developerEnvelope(fragments), ...toolEnvelope(fragments)];
}

const START = '\x1eCODEX_META ';
const END = '\x1f';

/**
 * For a Codex without `additionalContext`: one `\x1eCODEX_META <JSON>\x1f` a fragment, in front of the text. JSON escapes control
 * characters, and the person's text has none: what was added is told from it without fail.
 */
export function sentinelOf(fragments: readonly Fragment[]): string {
  return fragments.map((one) => `${START}${JSON.stringify(payloadOf(one)).toWellFormed()}${END}`).join('');
}

/** A value that is a payload already goes as it is; any other is put into one. */
function payloadOf({ key, value }: Fragment): unknown {
  const parsed = parseJson(value);
  return isPayload(parsed) && parsed.type === key ? parsed : { v: 1, type: key, text: value };
}

/** Takes off the envelopes `sentinelOf` puts in front, and nothing else: what only looks like one stays for everybody to see. */
export function stripSentinel(text: string): string {
  let rest = text;
  while (rest.startsWith(START)) {
    const end = rest.indexOf(END);
    if (end < 0 || !isPayload(parseJson(rest.slice(START.length, end)))) break;
    rest = rest.slice(end + END.length);
  }
  return rest;
}

/** A text that names another type was not made here. */
function isPayload(value: unknown): value is { readonly type: string } {
  if (typeof value !== 'object' || value === null || !('v' in value) || !('type' in value)) return false;
  return value.v === 1 && typeof value.type === 'string' && isOurKey(value.type);
}

const CUT_OFF = /^\x1eCODEX_META \{"v":1,"type":"(\w+)"[^\x1f]*$/;

/** The first words of a thread as Codex keeps them: without envelopes, also one that was cut off in the middle. */
export function visiblePreview(preview: string): string {
  const rest = stripSentinel(preview);
  const type = CUT_OFF.exec(rest)?.[1];
  if (type !== undefined && isOurKey(type)) return '';
  return isContextual(rest) ? '' : rest;
}

/** An answer of Codex's as others may read it: previews and messages in it without envelopes. */
export function withoutEnvelopes(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(START) ? visiblePreview(value) : value;
  if (Array.isArray(value)) return value.map(withoutEnvelopes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutEnvelopes(one)]));
}
