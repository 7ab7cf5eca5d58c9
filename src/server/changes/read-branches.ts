/** The branches of a repository, the newest first. */
import type { Branch } from '../../contract/branches.ts';
import { ok, type Result } from '../../contract/result.ts';
import { BRANCH_FORMAT, parseBranches } from '../../core/changes/parse-refs.ts';
import type { Git } from '../../node/git.ts';
import type { WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';

/** More than a person reads in a list; older ones can be named by hand. */
export const MAX_BRANCHES = 200;
/** Each remote has one symbolic ref, which is not listed; more remotes than this shorten the list. */
const MAX_SYMBOLIC = 32;

/** `here`: local branches · `everywhere`: also those of remotes, as the last fetch saw them. */
export async function readBranches(git: Git, tree: WorkTree, where: 'here' | 'everywhere'): Promise<Result<Branch[]>> {
  const args = [
    'for-each-ref',
    '--sort=-committerdate',
    `--count=${MAX_BRANCHES + MAX_SYMBOLIC}`,
    `--format=${BRANCH_FORMAT}`,
    'refs/heads',
    ...(where === 'everywhere' ? ['refs/remotes'] : []),
  ];
  const answer = await git({ cwd: tree.root, args, timeoutMs: 10_000 });
  if (answer.kind !== 'ended' || answer.code !== 0) return gitFailure('for-each-ref', answer);
  return ok(parseBranches(answer.stdout).slice(0, MAX_BRANCHES));
}
