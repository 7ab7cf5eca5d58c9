/** A line of app-server output → a frame. Knows JSON-RPC without the `jsonrpc` member, and the label lines of old versions. */

import type { RpcId } from '../../contract/ids.ts';
import { isRecord } from '../text/is-record.ts';

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type Frame =
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'response'; readonly id: RpcId; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: RpcId; readonly error: RpcError }
  | { readonly kind: 'noise'; readonly text: string };

/** Old versions could print a method on a line of its own and its params on the next. */
export interface FrameState {
  readonly label: string | null;
}

export const NO_LABEL: FrameState = { label: null };

export interface FrameStep {
  readonly state: FrameState;
  readonly frame: Frame | null;
}

const LABEL = /^([a-z][A-Za-z0-9_]*(?:\/[A-Za-z0-9_]+)+):?\s*(.*)$/s;
/** Codex itself stops at 128; past some thousands our own JSON.stringify would overflow the stack. */
const MAX_NESTING = 500;
/** How much of a line that is no frame is worth logging. */
const MAX_NOISE_CHARS = 500;

export function parseFrame(state: FrameState, line: string): FrameStep {
  const trimmed = line.trim();
  if (trimmed === '') return { state, frame: null };
  if (trimmed.startsWith('{')) return { state: NO_LABEL, frame: frameOf(parseObject(trimmed), state.label, trimmed) };
  const label = LABEL.exec(trimmed);
  if (label?.[1] === undefined) return { state, frame: { kind: 'noise', text: trimmed.slice(0, MAX_NOISE_CHARS) } };
  const rest = label[2] ?? '';
  if (rest === '') return { state: { label: label[1] }, frame: null };
  return { state: NO_LABEL, frame: frameOf(parseObject(rest), label[1], trimmed) };
}

function frameOf(value: Readonly<Record<string, unknown>> | null, label: string | null, text: string): Frame {
  if (value === null) return { kind: 'noise', text: text.slice(0, MAX_NOISE_CHARS) };
  const { id, method } = value;
  const hasId = typeof id === 'number' || typeof id === 'string';
  if (typeof method === 'string') {
    const params = value.params ?? {};
    return hasId ? { kind: 'request', id, method, params } : { kind: 'notification', method, params };
  }
  if (hasId && 'error' in value) return { kind: 'error', id, error: rpcErrorOf(value.error) };
  if (hasId && 'result' in value) return { kind: 'response', id, result: value.result };
  if (label !== null) return { kind: 'notification', method: label, params: value };
  return { kind: 'noise', text: text.slice(0, MAX_NOISE_CHARS) };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  if (isTooDeep(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Brackets outside strings. A short line cannot be deep, so almost no line is looked at. */
function isTooDeep(text: string): boolean {
  if (text.length < 2 * MAX_NESTING) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === BRACKET || code === BRACE) depth += 1;
    else if (code === BRACKET + 2 || code === BRACE + 2) depth -= 1;
    if (depth > MAX_NESTING) return true;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1);
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at < 0 ? text.length : at;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

function rpcErrorOf(value: unknown): RpcError {
  if (!isRecord(value)) return { code: -32_603, message: String(value) };
  const code = typeof value.code === 'number' ? value.code : -32_603;
  const message = typeof value.message === 'string' ? value.message : 'unknown error';
  return value.data === undefined ? { code, message } : { code, message, data: value.data };
}
