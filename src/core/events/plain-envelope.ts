/** Recognizes the usual event at a glance, so that a flood need not go through the whole schema. Stricter than the schema, never laxer. Pure. */
import {
  EVENT_NAME_PATTERN,
  EVENT_THREAD_PATTERN,
  EVENT_TYPE_PATTERN,
  type ExternalEventInput,
  SEVERITIES,
} from '../../contract/external-event.ts';
import { isRecord } from '../text/is-record.ts';

/** No length the schema allows is below it, so that the two need not be compared field by field. */
const MAX_WORD = 128;
const MAX_TIME = 8.64e15;

/**
 * True: the schema would take it and change nothing. False says nothing. What is in the payload is not its business.
 * `hasEscapes`: the JSON it was parsed from had some, so that its names may hold what no name may.
 */
export function isPlainEnvelope(
  value: Record<string, unknown>,
  hasEscapes: boolean,
): value is Record<string, unknown> & Omit<ExternalEventInput, 'trust'> {
  const { schema_version, event_id, time_unix_ms, type, severity, source, routing, title, summary, payload } = value;
  return (
    schema_version === 1 &&
    isName(event_id, hasEscapes) &&
    isTime(time_unix_ms) &&
    isWord(type) &&
    EVENT_TYPE_PATTERN.test(type) &&
    isSeverity(severity) &&
    isPlainSource(source, hasEscapes) &&
    isPlainRouting(routing) &&
    typeof title === 'string' &&
    typeof summary === 'string' &&
    // JSON has no `undefined`, so that these are all there is; whatever else an event may have, the schema looks at.
    Object.keys(value).length === (payload === undefined ? 9 : 10)
  );
}

function isPlainSource(source: unknown, hasEscapes: boolean): boolean {
  if (!isRecord(source)) return false;
  const { name, instance, run_id, url } = source;
  const words = 1 + countWord(instance) + countWord(run_id) + countWord(url);
  return isName(name, hasEscapes) && Object.keys(source).length === words;
}

function isPlainRouting(routing: unknown): boolean {
  if (!isRecord(routing)) return false;
  const { thread_id, turn_id, correlation_id } = routing;
  const words = 1 + countWord(turn_id) + countWord(correlation_id);
  return isWord(thread_id) && EVENT_THREAD_PATTERN.test(thread_id) && Object.keys(routing).length === words;
}

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_WORD;

const isName = (value: unknown, hasEscapes: boolean): boolean =>
  isWord(value) && (!hasEscapes || EVENT_NAME_PATTERN.test(value));

const countWord = (value: unknown): number => (isWord(value) ? 1 : 0);

const isTime = (value: unknown): boolean => Number.isSafeInteger(value) && Math.abs(Number(value)) <= MAX_TIME;

const isSeverity = (value: unknown): boolean => SEVERITIES.some((one) => one === value);
