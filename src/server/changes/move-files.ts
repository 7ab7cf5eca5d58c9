/** Brings the files of a work tree from one commit to another, or makes them for the first time, with no program but git. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import { CHECKOUT_MS, type WorktreesOptions } from './linked.ts';
import type { WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';
import { withView } from './view.ts';

type Options = Pick<WorktreesOptions, 'git' | 'folder'>;

/** Work that a person or another program has begun there and not finished. */
const UNFINISHED = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];

/** Refused, with nothing changed, if a change of the person would be overwritten. */
export function moveFiles({ git, folder }: Options, tree: WorkTree, from: string, to: string): Promise<Result<null>> {
  const unfinished = UNFINISHED.find((name) => existsSync(join(tree.gitDir, name)));
  if (unfinished !== undefined)
    return Promise.resolve(fail('conflict', 'a merge, rebase, cherry-pick or revert is not finished there'));
  return withView<null>(git, folder, tree, async ({ run }) => {
    await run({ args: ['update-index', '-q', '--refresh'], timeoutMs: CHECKOUT_MS });
    const moved = await run({ args: ['read-tree', '-m', '-u', from, to], timeoutMs: CHECKOUT_MS });
    if (moved.kind !== 'ended') return gitFailure('read-tree', moved);
    return moved.code === 0 ? ok(null) : fail('conflict', moved.stderr.slice(0, 500));
  });
}

/** The files of a new work tree, which has none yet. */
export function checkOutFiles({ git, folder }: Options, tree: WorkTree, commit: string): Promise<Result<null>> {
  return withView<null>(git, folder, tree, async ({ run }) => {
    const made = await run({ args: ['read-tree', '--reset', '-u', commit], timeoutMs: CHECKOUT_MS });
    if (made.kind !== 'ended') return gitFailure('read-tree', made);
    return made.code === 0 ? ok(null) : fail('conflict', made.stderr.slice(0, 500));
  });
}
