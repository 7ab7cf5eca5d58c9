/** Who else is on the board: told when somebody comes or goes. */
import { ContextMemory } from '../../contract/context.ts';
import { headBytes } from '../text/bytes.ts';
import { cleanForModel } from '../text/hidden.ts';
import { DATA_NOTE } from '../text/render-untrusted.ts';
import { inertJson, type TurnFragmentSpec } from './fragment.ts';

const MAX_BYTES = 2_500;
/** Nobody talks to more; the newest are named. */
const MAX_PEERS = 20;
const MAX_NAME_BYTES = 40;

interface Peers {
  readonly names: readonly string[];
}

export const PEERS: TurnFragmentSpec<Peers, readonly string[]> = {
  name: 'peers',
  key: 'peers',
  role: 'contextual-user',
  maxBytes: MAX_BYTES,
  order: 2,
  render: ({ names = [], at }) => inertJson({ v: 1, type: 'peers', note: DATA_NOTE, on_the_board: names, at }),
  fromTurn: (names) => ({
    names: [
      ...new Set(names.map((name) => headBytes(cleanForModel(name).replaceAll(/\s+/g, ' ').trim(), MAX_NAME_BYTES))),
    ]
      .filter((name) => name !== '')
      .slice(-MAX_PEERS)
      .toSorted(),
  }),
  rebuild(stored) {
    const names = ContextMemory.shape.peers.safeParse(stored).data ?? null;
    return names === null ? null : { names };
  },
  diff(before, now) {
    const known = before?.names ?? [];
    const isSame = known.length === now.names.length && known.every((name, at) => name === now.names[at]);
    return isSame ? null : now;
  },
};
