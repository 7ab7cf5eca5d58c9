/**
 * What a scripted model can do, as plain JSON: one object per event, named by its first key. The same form is used in code,
 * in test scripts and in the inline directive of a message, so whatever comes from outside is checked here.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

interface Streamed {
  /** Code points per delta. */
  readonly chunk?: number;
  /** Pause after each delta. */
  readonly delayMs?: number;
  /** Id of the output item; made up when absent. */
  readonly id?: string;
}

interface Called {
  readonly namespace?: string;
  readonly callId?: string;
  readonly id?: string;
}

export interface TokenUsage {
  readonly input?: number;
  readonly cached?: number;
  readonly output?: number;
  readonly reasoning?: number;
}

/** Events that put something on the wire. */
export type OutputEvent =
  | (Streamed & { readonly say: string; readonly phase?: 'commentary' | 'final_answer' })
  /** Parts of a reasoning summary; `rawReasoning` is the unabridged thought that open models send. */
  | (Streamed & { readonly think: string | readonly string[]; readonly rawReasoning?: string })
  | (Called & { readonly call: string; readonly args?: JsonObject | string })
  /** A free-form tool, such as `apply_patch`, or `exec` in code mode; `isStreamed` sends the input as deltas first. */
  | (Called & Streamed & { readonly custom: string; readonly input: string; readonly isStreamed?: boolean })
  | { readonly webSearch: string; readonly id?: string }
  | { readonly rawItem: JsonObject }
  | { readonly rawEvent: JsonObject }
  | { readonly rawText: string };

/** Events that steer the stream itself. */
type ControlEvent =
  | { readonly sleepMs: number }
  /** Waits until the gate of that name is released. */
  | { readonly gate: string }
  | { readonly fail: { readonly code: string; readonly message: string } }
  | { readonly incomplete: string }
  /** Ends without `response.completed`: by dropping the connection, or by closing the stream politely. */
  | { readonly cut: 'connection' | 'stream' }
  | { readonly usage: TokenUsage };

export type ModelEvent = OutputEvent | ControlEvent;

/** A plain HTTP answer in place of a stream. */
export interface HttpAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface StreamAnswer {
  readonly events: readonly ModelEvent[];
}

export type Answer = HttpAnswer | StreamAnswer;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const isString = (value: unknown): value is string => typeof value === 'string';

export function isModelEvent(value: unknown): value is ModelEvent {
  if (!isJsonObject(value)) return false;
  const kinds = Object.keys(value).filter((key) => SHAPES.has(key));
  const shape = SHAPES.get(kinds[0] ?? '');
  if (shape === undefined || kinds.length !== 1) return false;
  const hasAll = [...shape].every(([field, check]) => check.isOptional || field in value);
  return hasAll && Object.entries(value).every(([field, given]) => shape.get(field)?.fits(given) === true);
}

export function isAnswer(value: unknown): value is Answer {
  if (!isJsonObject(value)) return false;
  if ('status' in value) {
    const headers = value.headers ?? {};
    return isCount(value.status) && isJsonObject(headers) && Object.values(headers).every(isString);
  }
  return Array.isArray(value.events) && value.events.every(isModelEvent);
}

interface Check {
  readonly fits: (value: unknown) => boolean;
  readonly isOptional: boolean;
}

const required = (fits: Check['fits']): Check => ({ fits, isOptional: false });
const optional = (fits: Check['fits']): Check => ({ fits, isOptional: true });
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isOneOf =
  (...allowed: readonly string[]) =>
  (value: unknown): boolean =>
    isString(value) && allowed.includes(value);

const STREAMED = { chunk: optional(isCount), delayMs: optional(isCount), id: optional(isString) };
const CALLED = { namespace: optional(isString), callId: optional(isString), id: optional(isString) };

/** Maps, since a plain object also has the keys of its prototype. */
function mapShapes(shapes: Record<string, Record<string, Check>>): ReadonlyMap<string, ReadonlyMap<string, Check>> {
  return new Map(Object.entries(shapes).map(([kind, fields]) => [kind, new Map(Object.entries(fields))]));
}

/** Which fields an event may have, by the key that names it. */
const SHAPES: ReadonlyMap<string, ReadonlyMap<string, Check>> = mapShapes({
  say: { say: required(isString), phase: optional(isOneOf('commentary', 'final_answer')), ...STREAMED },
  think: {
    think: required((value) => isString(value) || (Array.isArray(value) && value.every(isString))),
    rawReasoning: optional(isString),
    ...STREAMED,
  },
  call: { call: required(isString), args: optional((value) => isString(value) || isJsonObject(value)), ...CALLED },
  custom: {
    custom: required(isString),
    input: required(isString),
    isStreamed: optional(isFlag),
    ...CALLED,
    ...STREAMED,
  },
  webSearch: { webSearch: required(isString), id: optional(isString) },
  rawItem: { rawItem: required(isJsonObject) },
  rawEvent: { rawEvent: required(isJsonObject) },
  rawText: { rawText: required(isString) },
  sleepMs: { sleepMs: required(isCount) },
  gate: { gate: required(isString) },
  fail: { fail: required((value) => isJsonObject(value) && isString(value.code) && isString(value.message)) },
  incomplete: { incomplete: required(isString) },
  cut: { cut: required(isOneOf('connection', 'stream')) },
  usage: { usage: required((value) => isJsonObject(value) && Object.values(value).every(isCount)) },
});
