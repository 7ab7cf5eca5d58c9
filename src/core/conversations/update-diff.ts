/** The diff of a turn as Codex tells it, again and again while the turn goes on: one entry for each content it had. */
import { diffFromCwd, rootOfDiff } from './diff-identity.ts';
import { type Step, stay, type ThreadState } from './thread-state.ts';
import { recordDiff, tellChanges } from './turn.ts';

export function updateDiff(state: ThreadState, turnId: string, diff: string): Step {
  const itemIds = state.untold.filter((one) => one.turnId === turnId).map((one) => one.itemId);
  // No change, and none was told: nothing to say.
  if (diff === '' && !state.diffTurns.includes(turnId)) return tellChanges(stay(state), turnId, itemIds);
  const changes = [...state.untold, ...Object.values(state.open)].filter((one) => one.turnId === turnId);
  const known = changes.flatMap((one) => one.changes.flatMap(({ path, movedTo }) => [path, movedTo ?? path]));
  const diffRoot = rootOfDiff(diff, known, state.cwd) ?? state.diffRoot;
  const shown = diffRoot === null ? diff : diffFromCwd(diff, diffRoot, state.cwd);
  // Known by the words of Codex: whether its root is known yet must not make two of one diff.
  const origin = { status: 'applied', event: 'turn/diff/updated', itemIds, told: diff } as const;
  return recordDiff(stay({ ...state, diffRoot }), turnId, shown, origin);
}
