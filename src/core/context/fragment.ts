/** What a fragment is: a role, a stable marker, a cap and a place in the order; and the one pair of envelopes they travel in. */
import type { Fragment, FragmentName } from '../../contract/context.ts';

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

/** JSON that no marker can be read out of: the data of one fragment never ends it, nor begins another. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(MARKER_START, '\\u003c');
}

const MARKER_START = /<(?=\s*\/?\s*(?:external_|signalbox_))/gi;

interface EnvelopeMessage {
  readonly type: 'message';
  readonly role: 'developer' | 'user';
  readonly content: readonly { readonly type: 'input_text'; readonly text: string }[];
}

const enveloped = (
  role: 'developer' | 'user',
  kind: Fragment['kind'],
  fragments: readonly Fragment[],
): EnvelopeMessage[] => {
  const texts = fragments
    .filter((one) => one.kind === kind)
    .map((one) => {
      const { open, close } = markersOf(one);
      return { type: 'input_text' as const, text: `${open}${one.value}${close}` };
    });
  return texts.length === 0 ? [] : [{ type: 'message', role, content: texts }];
};

/** All guidance as one developer message; none when there is none. */
export const developerEnvelope = (fragments: readonly Fragment[]): EnvelopeMessage[] =>
  enveloped('developer', 'application', fragments);

/** All data as one user message that is not a user's. */
export const contextualUserEnvelope = (fragments: readonly Fragment[]): EnvelopeMessage[] =>
  enveloped('user', 'untrusted', fragments);
