/** Forks a conversation into a new work tree that has the files as they were after the turn: on a new branch from the commit of that moment. */
import type { ConversationId } from '../../contract/ids.ts';
import { fail, type Result } from '../../contract/result.ts';
import type { NewWorktree } from '../../contract/worktrees.ts';
import { isInside } from '../../core/conversations/settings.ts';
import type { Changes } from '../changes/changes.ts';
import type { Actions } from '../conversations/actions.ts';
import type { Registry } from '../conversations/registry.ts';
import type { BeginInWorktree } from './begin-in-worktree.ts';

/** Without a turn: up to the last one that has ended. */
export type ForkInWorktree = (
  id: ConversationId,
  turnId: string | undefined,
  wanted: NewWorktree,
) => ReturnType<BeginInWorktree>;

interface ForkOptions {
  readonly begin: BeginInWorktree;
  readonly registry: Pick<Registry, 'open'>;
  readonly actions: Pick<Actions, 'fork'>;
  readonly changes: Pick<Changes, 'list'>;
}

export function createForkInWorktree({ begin, registry, actions, changes }: ForkOptions): ForkInWorktree {
  return async (id, turnId, wanted) => {
    if (wanted.existing)
      return fail('invalid_request', 'a fork gets a branch of its own: leave `existing` out, and give a new name');
    const opened = await registry.open(id);
    if (!opened.ok) return opened;
    const { cwd, real_cwd } = opened.value.meta();
    const last = turnId ?? opened.value.session.state().endedTurns.at(-1);
    const kept = changes.list(id);
    if (!kept.ok) return kept;
    const checkpoint = kept.value.find((one) => one.turn_id !== null && one.turn_id === last);
    const files = checkpoint?.after ?? null;
    if (checkpoint === undefined || files === null) return notKept();
    const real = real_cwd ?? cwd;
    const place = isInside(checkpoint.root, real) ? real : checkpoint.root;
    // Older checkpoints do not know their commit: then what is checked out now.
    const from = wanted.from ?? files.head ?? 'HEAD';
    return begin(place, { ...wanted, from }, (path) => actions.fork(id, turnId, path), { files, forkOf: id });
  };
}

const notKept = (): Result<never> =>
  fail(
    'conflict',
    'the files after this turn were not kept, so a new work tree cannot have them: fork without one, or from another turn',
  );
