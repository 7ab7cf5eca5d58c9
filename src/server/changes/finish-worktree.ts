/**
 * Brings the branch of a linked work tree into its base. A merge is computed without touching any work tree; only when there is no conflict
 * is the base set forward, in the work tree that has it checked out if there is one. Then the work tree goes, unless something would be lost.
 */
import { fail, ok, type Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import { splitNul } from '../../core/changes/parse-git.ts';
import { localBranch } from '../../core/changes/parse-refs.ts';
import { pathText } from '../../core/changes/path-text.ts';
import type { Git } from '../../node/git.ts';
import { findBase } from './base-branch.ts';
import { CHECKOUT_MS, commitOf, type FinishRequest, type Linked, type WorktreesOptions } from './linked.ts';
import { moveFiles } from './move-files.ts';
import { doesLose, findLosses, removeWorktree } from './remove-worktree.ts';
import { findWorkTree, type WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';
import { readStatus } from './status.ts';
import { driversOff, withView } from './view.ts';

type Finished = RouteOutput<'finishWorktree'>;

/** What would be brought, and how. */
interface Plan {
  readonly into: string;
  readonly branch: string;
  readonly baseCommit: string;
  readonly commits: number;
  readonly how: Finished['how'];
  /** Of a merge: the files of the result. */
  readonly mergedTree: string | null;
  readonly conflicts: readonly string[];
}

export async function finishWorktree(
  options: WorktreesOptions,
  linked: Linked,
  request: Omit<FinishRequest, 'path'>,
): Promise<Result<Finished>> {
  const plan = await makePlan(options, linked, request);
  if (!plan.ok) return plan;
  const losses = await findLosses(options, linked, true);
  if (!losses.ok) return losses;
  // What is brought is on the base afterwards, and what was not committed is not brought.
  const left = { ...losses.value, commits: 0 };
  const { into, branch, commits, how, conflicts } = plan.value;
  const told = { into, branch, commits, how, conflicts: [...conflicts], losses: left };
  const idle = { is_brought: false, is_removed: false, kept: null };
  if (request.is_trial || conflicts.length > 0) return ok({ ...told, ...idle });
  if (losses.value.files.length > 0 && !request.keep && !request.lose) return ok({ ...told, ...idle });
  const brought = await bring(options, linked, plan.value);
  if (!brought.ok) return brought;
  if (brought.value.length > 0) return ok({ ...told, ...idle, conflicts: [...brought.value] });
  if (request.keep || (doesLose(left) && !request.lose)) return ok({ ...told, ...idle, is_brought: true });
  const removed = await removeWorktree(options, linked, { lose: request.lose, is_trial: false, withBranch: true });
  if (!removed.ok) return removed;
  return ok({ ...told, is_brought: true, is_removed: removed.value.is_removed, kept: removed.value.kept });
}

async function makePlan(
  options: WorktreesOptions,
  { tree, listed }: Linked,
  { mode, into: wanted }: Pick<FinishRequest, 'mode' | 'into'>,
): Promise<Result<Plan>> {
  const { git } = options;
  const { branch } = listed;
  if (branch === null) return fail('conflict', `${tree.root} is on no branch: give it one with \`git switch -c NAME\``);
  const base = wanted === undefined ? await findBase(git, tree, branch) : ok(`refs/heads/${wanted}`);
  if (!base.ok) return base;
  const into = base.value === null ? null : localBranch(base.value);
  if (into === null || into === branch) return fail('not_found', 'there is no branch to bring the work into: name one');
  const [tip, baseCommit] = [
    await commitOf(git, tree, `refs/heads/${branch}`),
    await commitOf(git, tree, `refs/heads/${into}`),
  ];
  if (tip === null) return fail('conflict', `${branch} has no commit yet`);
  if (baseCommit === null) return fail('not_found', `there is no branch ${into} here`);
  const counted = await git({ cwd: tree.root, args: ['rev-list', '--count', `${baseCommit}..${tip}`, '--'] });
  if (counted.kind !== 'ended' || counted.code !== 0) return gitFailure('rev-list', counted);
  const commits = Number(counted.stdout.toString().trim());
  const plan = { into, branch, baseCommit, commits, mergedTree: null, conflicts: [] };
  if (commits === 0) return ok({ ...plan, how: 'nothing' });
  const ancestor = await git({ cwd: tree.root, args: ['merge-base', '--is-ancestor', baseCommit, tip] });
  if (ancestor.kind === 'ended' && ancestor.code === 0) return ok({ ...plan, how: 'fast_forward' });
  const signs = await git({ cwd: tree.root, args: ['config', '--type=bool', '--get', 'commit.gpgSign'] });
  if (signs.kind === 'ended' && signs.stdout.toString().trim() === 'true')
    return fail('conflict', `your commits are signed, and this ${mode} would not be: ${mode} ${branch} in a terminal`);
  const merged = await mergeTrees(options, tree, [baseCommit, tip]);
  return merged.ok
    ? ok({ ...plan, how: mode, mergedTree: merged.value.tree, conflicts: merged.value.conflicts })
    : merged;
}

interface Merged {
  readonly tree: string;
  readonly conflicts: readonly string[];
}

/** With the drivers of no repository: a file that has one counts as a conflict. */
async function mergeTrees(
  { git, folder }: WorktreesOptions,
  tree: WorkTree,
  sides: readonly [string, string],
): Promise<Result<Merged>> {
  const drivers = await driversOff(git, tree.root, 'merge');
  if (!drivers.ok) return drivers;
  return withView<Merged>(git, folder, tree, async ({ run }) => {
    const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ...sides];
    const answer = await run({ args, config: drivers.value });
    if (answer.kind !== 'ended' || answer.code > 1) return gitFailure('merge-tree', answer);
    const [merged = new Uint8Array(), ...conflicts] = splitNul(answer.stdout);
    const names = conflicts.filter((path) => path.length > 0).map(pathText);
    return ok({ tree: Buffer.from(merged).toString(), conflicts: answer.code === 0 ? [] : [...new Set(names)] });
  });
}

/** The files in conflict; none when the base has the work. */
async function bring(options: WorktreesOptions, linked: Linked, plan: Plan): Promise<Result<readonly string[]>> {
  if (plan.how === 'nothing') return ok([]);
  if (plan.how === 'rebase') {
    const rebased = await rebase(options, linked, plan);
    if (!rebased.ok || rebased.value.length > 0) return rebased;
  }
  const { git } = options;
  const tip = plan.how === 'merge' ? await commitMerge(git, linked, plan) : await tipOf(git, linked, plan.branch);
  if (!tip.ok) return tip;
  const forward = await setForward(options, linked, plan, tip.value);
  return forward.ok ? ok([]) : forward;
}

async function tipOf(git: Git, { tree }: Linked, branch: string): Promise<Result<string>> {
  const tip = await commitOf(git, tree, `refs/heads/${branch}`);
  return tip === null ? fail('conflict', `${branch} is gone`) : ok(tip);
}

async function commitMerge(
  git: Git,
  { tree }: Linked,
  { into, branch, baseCommit, mergedTree }: Plan,
): Promise<Result<string>> {
  const args = ['commit-tree', mergedTree ?? '', '-p', baseCommit, '-p', `refs/heads/${branch}`, '-F', '-'];
  const stdin = Buffer.from(`Merge branch '${branch}' into ${into}\n`);
  const answer = await git({ cwd: tree.root, args, stdin });
  if (answer.kind === 'ended' && answer.code === 0) return ok(answer.stdout.toString().trim());
  return answer.kind === 'ended' ? fail('conflict', wordsOf(answer.stderr)) : gitFailure('commit-tree', answer);
}

/** In the work tree itself, which has to be clean. After a conflict the branch is as it was. */
async function rebase(
  { git, folder }: WorktreesOptions,
  { tree }: Linked,
  { baseCommit }: Plan,
): Promise<Result<readonly string[]>> {
  const status = await readStatus(git, folder, tree);
  if (!status.ok) return status;
  const { staged, unstaged, conflicted } = status.value.counts;
  if (staged + unstaged + conflicted > 0)
    return fail('conflict', 'a rebase needs a work tree without changes: commit them first');
  const [filters, drivers] = [await driversOff(git, tree.root, 'filter'), await driversOff(git, tree.root, 'merge')];
  if (!filters.ok) return filters;
  if (!drivers.ok) return drivers;
  const config = [...filters.value, ...drivers.value, ['core.logAllRefUpdates', 'true'] as const];
  const plain = ['--merge', '--no-rebase-merges', '--no-autosquash', '--no-stat', '--no-autostash', '--no-update-refs'];
  const args = ['rebase', ...plain, baseCommit];
  const answer = await git({ cwd: tree.root, args, config, timeoutMs: CHECKOUT_MS });
  if (answer.kind === 'ended' && answer.code === 0) return ok([]);
  const unmerged = await git({ cwd: tree.root, args: ['ls-files', '--unmerged', '-z'] });
  await git({ cwd: tree.root, args: ['rebase', '--abort'], config, timeoutMs: CHECKOUT_MS });
  const lines = unmerged.kind === 'ended' ? splitNul(unmerged.stdout) : [];
  const conflicts = new Set(lines.map((line) => pathText(line.subarray(line.indexOf(9) + 1))));
  if (conflicts.size > 0) return ok([...conflicts]);
  return answer.kind === 'ended' ? fail('conflict', wordsOf(answer.stderr)) : gitFailure('rebase', answer);
}

/** Where the base is checked out its files go along; git refuses if a change there would be overwritten. */
async function setForward(
  options: WorktreesOptions,
  { tree, all }: Linked,
  plan: Plan,
  tip: string,
): Promise<Result<null>> {
  const holder = all.find((one) => one.branch === plan.into && !one.isBare);
  const move = async (cwd: string): Promise<Result<null>> => {
    const args = ['update-ref', '-m', `signalbox: ${plan.branch}`, `refs/heads/${plan.into}`, tip, plan.baseCommit];
    const moved = await options.git({ cwd, args, config: [['core.logAllRefUpdates', 'true']] });
    return moved.kind === 'ended' && moved.code === 0 ? ok(null) : gitFailure('update-ref', moved);
  };
  if (holder === undefined || holder.is_missing) return move(tree.root);
  const found = await findWorkTree(options.git, holder.path, options.ownFolders);
  // A repository can list any folder as its work tree, such as another repository of the person.
  if (!found.ok || found.value.root !== holder.path || found.value.commonDir !== tree.commonDir)
    return fail('conflict', `${holder.path} is listed as a work tree of this repository and is none`);
  const files = await moveFiles(options, found.value, plan.baseCommit, tip);
  if (!files.ok)
    return fail(
      'conflict',
      `${plan.into} is checked out in ${holder.path}, and could not be set forward: ${files.error.message}`,
      {
        path: holder.path,
      },
    );
  const moved = await move(holder.path);
  // Somebody moved the branch in the same moment: the files go back to where they were.
  if (!moved.ok) await moveFiles(options, found.value, tip, plan.baseCommit);
  return moved;
}

function wordsOf(stderr: string): string {
  if (/Please tell me who you are|unable to auto-detect email|empty ident/.test(stderr))
    return 'git does not know who you are: set user.name and user.email with `git config --global`';
  return stderr.slice(0, 500);
}
