/** What a fragment is: a role, a stable marker, a cap and a place in the order; and the one pair of envelopes we build ourselves. */
import type { Fragment, FragmentName } from '../../contract/context.ts';
import { jsonForModel, withoutHidden } from '../text/hidden.ts';

/** developer: our own guidance · contextual-user: state and data, which share the user's role but are not the user's words. */
type EnvelopeRole = 'developer' | 'contextual-user';

export interface FragmentSpec<Value> {
  readonly name: FragmentName;
  readonly key: string;
  readonly role: EnvelopeRole;
  readonly maxBytes: number;
  /** Lower goes first, and is the last to be left out. */
  readonly order: number;
  readonly render: (value: Value) => string;
}

/** For fragments made from state that lasts: the model is told it once, then only what changed. */
export interface TurnFragmentSpec<State, Now> extends FragmentSpec<Partial<State> & { readonly at: number }> {
  readonly fromTurn: (now: Now) => State;
  /** From what was kept of the last turn; null when that cannot be read. */
  readonly rebuild: (stored: unknown) => State | null;
  /** What to say; null when nothing changed. */
  readonly diff: (before: State | null, now: State) => Partial<State> | null;
}

/** Codex cuts a value at about a thousand tokens, in the middle and without a word. */
export const MAX_VALUE_BYTES = 4_000;

const KIND_OF_ROLE = { developer: 'application', 'contextual-user': 'untrusted' } as const;

export function fragmentOf<Value>(spec: FragmentSpec<Value>, value: Value, ids: readonly string[] = []): Fragment {
  const { name, key, role, render } = spec;
  return { name, key, kind: KIND_OF_ROLE[role], value: render(value), ids: [...ids] };
}

/** Of a turn-backed fragment: where things stand now, and what to say of it; nothing when the model knows it. */
export function turnFragmentOf<State, Now>(
  spec: TurnFragmentSpec<State, Now>,
  told: unknown,
  now: Now,
  at: number,
): { readonly state: State; readonly fragments: readonly Fragment[] } {
  const state = spec.fromTurn(now);
  const changed = spec.diff(spec.rebuild(told), state);
  return { state, fragments: changed === null ? [] : [fragmentOf(spec, { ...changed, at })] };
}

/** What Codex writes round a value: history and models know a fragment by these. */
export function markersOf({ key, kind }: Pick<Fragment, 'key' | 'kind'>): {
  readonly open: string;
  readonly close: string;
} {
  const tag = kind === 'untrusted' ? `external_${key}` : key;
  return { open: `<${tag}>`, close: `</${tag}>` };
}

/** Whether a whole text is this fragment and nothing else. */
export function matches(spec: Pick<FragmentSpec<never>, 'key' | 'role'>, text: string): boolean {
  const { open, close } = markersOf({ key: spec.key, kind: KIND_OF_ROLE[spec.role] });
  return text.startsWith(open) && text.endsWith(close) && text.length >= open.length + close.length;
}

/** A value between its markers, as the model reads it. */
export function markedText(fragment: ModelText): string {
  const { open, close } = markersOf(fragment);
  return `${open}${fragment.value}${close}`;
}

/** Tags Codex, of any version, wraps round what no person said; the last is what any client's context gets. */
export const CODEX_TAGS = [
  'environment_context',
  'user_instructions',
  'user_shell_command',
  'turn_aborted',
  'skill',
  'user_action',
  'codex_internal_context',
  'subagent_notification',
  'external_[\\w.:-]*',
] as const;

/** Of any marker, Codex's or ours. One way to read each blank, so that a line of blanks costs no more than its length. */
const MARKER_START = new RegExp(`<(?=\\s*(?:/\\s*)?(?:${CODEX_TAGS.join('|')}|signalbox_|INSTRUCTIONS))`, 'gi');

/**
 * Text that no marker can be read out of: the data of one fragment never ends it, nor begins another. Hidden characters go first, since
 * one of them could split a marker.
 */
export const inert = (text: string): string => withoutHidden(text).replaceAll(MARKER_START, '\\u003c');

/** The same of JSON, where nothing is lost by it. */
export const inertJson = (value: unknown): string => inert(jsonForModel(value));

/** A fragment as far as the model reads it. */
export type ModelText = Pick<Fragment, 'key' | 'kind' | 'value'>;

/** All guidance as one developer message; none when there is none. */
export function developerEnvelope(fragments: readonly ModelText[]): Record<string, unknown>[] {
  const texts = fragments.filter((one) => one.kind === 'application').map(markedText);
  if (texts.length === 0) return [];
  return [{ type: 'message', role: 'developer', content: texts.map((text) => ({ type: 'input_text', text })) }];
}

/** Data as results of a tool, which a model trusts as little; the contextual-user message is made by Codex itself, of `additionalContext`. */
export function toolEnvelope(fragments: readonly ModelText[]): Record<string, unknown>[] {
  return fragments
    .filter((one) => one.kind === 'untrusted')
    .map((one) => ({
      type: 'function_call_output',
      name: `external_${one.key}`,
      namespace: 'signalbox',
      output: markedText(one),
    }));
}
