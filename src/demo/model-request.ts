/**
 * Reads what Codex sends to the model: who spoke last, which step of the turn this is, which context was put in beside the
 * user's words, and which tools are offered. Pure; takes any JSON object and never throws. Measured on Codex 0.166.
 */
import { isJsonObject, isString, type JsonObject } from './model-event.ts';

/** A piece of context that Codex or its client put in: not the user's words. */
export interface Fragment {
  /** tool: data that no call asked for. */
  readonly role: 'developer' | 'user' | 'tool';
  readonly tag: string;
  readonly text: string;
  /** Came after the user's message before the last, that is, with this turn. */
  readonly isFresh: boolean;
}

export interface ToolOutput {
  /** `function_call_output`, `custom_tool_call_output` or `tool_search_output`. */
  readonly type: string;
  readonly text: string;
  readonly item: JsonObject;
}

/** What started the turn. An event is an output that no call asked for (`turn/start.toolOutput`). */
export type TurnCause =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'event'; readonly name: string; readonly text: string }
  | { readonly kind: 'goal'; readonly text: string }
  | { readonly kind: 'compaction' }
  /** The conversation was replaced by a summary in mid-turn. */
  | { readonly kind: 'summary' }
  | { readonly kind: 'nobody' };

interface Turn {
  readonly cause: TurnCause;
  /** Outputs of the calls made since; their number is the step of the turn. */
  readonly outputs: readonly ToolOutput[];
}

export function lastUserText(body: JsonObject): string {
  for (const item of inputItems(body).toReversed()) {
    const text = userText(item);
    if (text !== undefined) return text;
  }
  return '';
}

export function currentTurn(body: JsonObject): Turn {
  const items = inputItems(body);
  const outputs: ToolOutput[] = [];
  for (const item of items.toReversed()) {
    const cause = causeOf(item);
    if (cause !== undefined) return { cause, outputs: outputs.toReversed() };
    const output = readOutput(item);
    if (output !== undefined) outputs.push(output);
  }
  return { cause: { kind: 'nobody' }, outputs: outputs.toReversed() };
}

export function listFragments(body: JsonObject): readonly Fragment[] {
  const items = inputItems(body);
  const spoken = items.flatMap((item, index) => (userText(item) === undefined ? [] : [index]));
  const freshFrom = spoken.at(-2) ?? -1;
  return items.flatMap((item, index) => {
    const { role } = item;
    const isFresh = index > freshFrom;
    if (isUncalledOutput(item)) {
      return [
        {
          role: 'tool',
          tag: isString(item.name) ? item.name : 'event',
          text: fragmentBody(textOf(item.output)),
          isFresh,
        },
      ];
    }
    if (role !== 'developer' && role !== 'user') return [];
    return contentTexts(item).flatMap((text): Fragment[] => {
      const enveloped = ENVELOPES.exec(text)?.[0].split('\x1f').slice(0, -1) ?? [];
      if (enveloped.length > 0)
        return enveloped.map((one) => ({ role, tag: 'CODEX_META', text: one.replace(ENVELOPE_START, ''), isFresh }));
      const tag = fragmentTag(text) ?? (role === 'developer' ? developerTag(text) : undefined);
      return tag === undefined ? [] : [{ role, tag, text: fragmentBody(text), isFresh }];
    });
  });
}

export function countImages(body: JsonObject): number {
  const parts = inputItems(body).flatMap((item) => objects(item.content));
  return parts.filter((part) => part.type === 'input_image').length;
}

export function assistantTexts(body: JsonObject): readonly string[] {
  return inputItems(body)
    .filter((item) => item.role === 'assistant')
    .map((item) => contentTexts(item).join('\n'));
}

/** Plan mode stays in force until a later instruction names another mode. */
export function isPlanMode(body: JsonObject): boolean {
  const mode = listFragments(body).findLast((fragment) => fragment.tag === 'collaboration_mode');
  return mode?.text.trimStart().startsWith('# Plan Mode') === true;
}

export function isReview(body: JsonObject): boolean {
  const first = inputItems(body).find((item) => item.role === 'developer');
  return first !== undefined && contentTexts(first).join('').startsWith('# Review guidelines');
}

export function inputItems(body: JsonObject): readonly JsonObject[] {
  return objects(body.input);
}

export function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Names that open a fragment. Text of the user that looks like one is, by Codex too, told apart by nothing else. */
const FRAGMENT =
  /^\s*<(environment_context|user_shell_command|turn_aborted|skill|user_action|external_[\w.:-]*|codex_internal_context|recommended_plugins|hook\w*|subagent\w*|image)\b/;
const AGENTS = /^\s*(?:These AGENTS\.md instructions replace|# AGENTS\.md)/;
const SUMMARY = /^\s*Another language model started to solve this problem/;
const COMPACTION = /^\s*You are performing a CONTEXT CHECKPOINT COMPACTION/;
/** What a Codex without `additionalContext` is given: one a fragment, in front of the user's own text. */
const ENVELOPES = /^(?:\x1eCODEX_META [^\x1f]*\x1f)+/;
const ENVELOPE_START = '\x1eCODEX_META ';

function fragmentTag(text: string): string | undefined {
  if (AGENTS.test(text)) return 'AGENTS.md';
  if (SUMMARY.test(text)) return 'summary';
  if (COMPACTION.test(text)) return 'compaction';
  if (ENVELOPES.test(text)) return 'CODEX_META';
  return FRAGMENT.exec(text)?.[1];
}

/** Everything a developer says is context: `<tag>…`, or plain instructions. */
function developerTag(text: string): string {
  return /^\s*<([\w.:-]+(?: instructions)?)[\s>]/.exec(text)?.[1] ?? 'instructions';
}

/** Without the tags around it. */
function fragmentBody(text: string): string {
  const inner = /^\s*<([\w.:-]+)(?=[\s>])[^>]*>(.*)<\/\1[^<>]*>\s*$/s.exec(text)?.[2];
  return (inner ?? text).trim();
}

/** The user's own words in an item; undefined when it has none. An image alone counts, as words of no length. */
function userText(item: JsonObject): string | undefined {
  if (item.role !== 'user') return undefined;
  const words = contentTexts(item)
    .filter((text) => text.trim() !== '</image>' && (fragmentTag(text) === undefined || ENVELOPES.test(text)))
    .map((text) => text.replace(ENVELOPES, ''));
  if (words.length > 0) return words.join('\n');
  return objects(item.content).some((part) => part.type === 'input_image') ? '' : undefined;
}

function causeOf(item: JsonObject): TurnCause | undefined {
  const text = userText(item);
  if (text !== undefined) return { kind: 'user', text };
  if (item.role === 'user') {
    for (const given of contentTexts(item)) {
      const tag = fragmentTag(given);
      if (tag === 'compaction' || tag === 'summary') return { kind: tag };
      if (tag === 'codex_internal_context') return { kind: 'goal', text: fragmentBody(given) };
    }
  }
  if (isUncalledOutput(item)) {
    const name = [item.namespace, item.name].filter(isString).join('.');
    return { kind: 'event', name: name === '' ? 'event' : name, text: textOf(item.output) };
  }
  return undefined;
}

/** An output that no call asked for: an event, put into the thread or starting a turn. */
function isUncalledOutput(item: JsonObject): boolean {
  return item.type === 'function_call_output' && !isString(item.call_id);
}

function readOutput(item: JsonObject): ToolOutput | undefined {
  if (!isString(item.type) || !item.type.endsWith('_output')) return undefined;
  return { type: item.type, text: textOf(item.output), item };
}

function contentTexts(item: JsonObject): readonly string[] {
  if (isString(item.content)) return [item.content];
  return objects(item.content).flatMap((part) => (isString(part.text) ? [part.text] : []));
}

/** Outputs are a string, or parts of which some are text. */
function textOf(output: unknown): string {
  if (isString(output)) return output;
  return objects(output)
    .flatMap((part) => (isString(part.text) ? [part.text] : []))
    .join('\n');
}
