/** What of a repository can be reviewed: its branches with the base, the newest commits, and how many files are not committed. */
import { ok, type Result } from '../../contract/result.ts';
import type { Commit, ReviewChoices } from '../../contract/review.ts';
import { COMMIT_FORMAT, parseCommits } from '../../core/changes/parse-log.ts';
import { shortName } from '../../core/changes/parse-refs.ts';
import type { Git } from '../../node/git.ts';
import { findBase } from './base-branch.ts';
import { commitOf } from './linked.ts';
import { readBranches } from './read-branches.ts';
import type { WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';
import { readStatus } from './status.ts';

/** As many as people choose from in a list; an older one is named by its sha. */
const MAX_COMMITS = 50;

/** `folder`: `changes` in the home, where the git directory for the status is. */
export async function readReviewChoices(git: Git, folder: string, tree: WorkTree): Promise<Result<ReviewChoices>> {
  const [branches, commits, status] = await Promise.all([
    readBranches(git, tree, 'everywhere'),
    readCommits(git, tree),
    readStatus(git, folder, tree),
  ]);
  if (!branches.ok) return branches;
  if (!commits.ok) return commits;
  if (!status.ok) return status;
  const current = branches.value.find((one) => one.is_current)?.ref ?? null;
  const base = await findBase(git, tree, current);
  if (!base.ok) return base;
  return ok({
    branches: branches.value.filter((one) => !one.is_current),
    base: base.value === null ? null : shortName(base.value),
    commits: commits.value,
    uncommitted: status.value.files.length,
    reason: null,
  });
}

/** Empty before the first commit. No configured program runs: the output has no signature, no note and no diff. */
async function readCommits(git: Git, tree: WorkTree): Promise<Result<Commit[]>> {
  if ((await commitOf(git, tree, 'HEAD')) === null) return ok([]);
  const args = [
    'log',
    `--max-count=${MAX_COMMITS}`,
    `--format=${COMMIT_FORMAT}`,
    '--encoding=UTF-8',
    '--no-color',
    '--no-notes',
    '--no-patch',
    'HEAD',
    '--',
  ];
  const answer = await git({ cwd: tree.root, args, timeoutMs: 10_000 });
  if (answer.kind !== 'ended' || answer.code !== 0) return gitFailure('log', answer);
  return ok(parseCommits(answer.stdout));
}
