/** Every fragment there is: role, marker, cap and order in one place. */
import type { FragmentName } from '../../contract/context.ts';
import { COMMANDS } from './command-buffer.ts';
import { type FragmentSpec, MAX_VALUE_BYTES } from './fragment.ts';
import { PEERS } from './peers.ts';
import { POLICY } from './policy.ts';
import { TERMINAL } from './terminal-state.ts';

type Outline = Omit<FragmentSpec<never>, 'render'>;

/** Rendered where events are chosen and compacted. */
export const EVENTS: Outline = {
  name: 'events',
  key: 'events',
  role: 'contextual-user',
  maxBytes: MAX_VALUE_BYTES,
  order: 4,
};

export const SPECS: Readonly<Record<FragmentName, Outline>> = {
  policy: POLICY,
  terminal: TERMINAL,
  peers: PEERS,
  commands: COMMANDS,
  events: EVENTS,
};

/** Whether a payload's type is a key of ours; a source that needs several keys numbers them (`events_2`). */
export function isOurKey(type: string): boolean {
  return Object.values(SPECS).some(({ key }) => type === key || type.startsWith(`${key}_`));
}
