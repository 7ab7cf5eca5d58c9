/** A file change that is still being written: which files it has touched so far. */
import type { Signal } from '../codex/signal.ts';
import { relativePath } from './diff-identity.ts';
import { change, itemKey, type Step, stay, type ThreadState } from './thread-state.ts';

export function updateChanges(
  state: ThreadState,
  { turnId, itemId, changes }: Extract<Signal, { type: 'item.changes' }>,
): Step {
  const key = itemKey(turnId, itemId);
  const open = state.open[key];
  if (open === undefined || open.live.role !== 'diff') return stay(state);
  const paths = changes.map((one) => relativePath(one.path, state.cwd));
  const live = { ...open.live, paths };
  return change(
    stay(state),
    { open: { ...state.open, [key]: { ...open, changes, live } } },
    { do: 'publish', event: { type: 'item', item: live } },
  );
}
