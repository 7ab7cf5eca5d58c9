/** Every fragment there is: role, marker, cap and order in one place. */
import type { FragmentName } from '../../contract/context.ts';
import { COMMANDS } from './command-buffer.ts';
import { type FragmentSpec, inert, MAX_VALUE_BYTES } from './fragment.ts';
import { PEERS } from './peers.ts';
import { POLICY } from './policy.ts';
import { TERMINAL } from './terminal-state.ts';

/** Rendered by `core/events`, where events are chosen and compacted; what that should miss cannot pose as a marker all the same. */
export const EVENTS: FragmentSpec<string> = {
  name: 'events',
  key: 'events',
  role: 'contextual-user',
  maxBytes: MAX_VALUE_BYTES,
  order: 4,
  render: inert,
};

export const SPECS: Readonly<Record<FragmentName, Omit<FragmentSpec<never>, 'render'>>> = {
  policy: POLICY,
  terminal: TERMINAL,
  peers: PEERS,
  commands: COMMANDS,
  events: EVENTS,
};

/** Whether a payload's type is a key of ours. */
export function isOurKey(type: string): boolean {
  return Object.values(SPECS).some(({ key }) => type === key);
}
