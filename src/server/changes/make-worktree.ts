/**
 * Makes a linked work tree beside its repository. What is made is recorded first: an attempt after a lost answer gets the work tree of the
 * first attempt, and one that a killed server left half made is taken away and made anew.
 */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Snapshot } from '../../contract/changes.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { WorktreeRecord } from '../../contract/worktrees.ts';
import { closedWithin } from '../../core/changes/closed-folders.ts';
import type { ListedWorktree } from '../../core/changes/parse-worktrees.ts';
import { worktreePath } from '../../core/changes/worktree-place.ts';
import { isInside } from '../../core/conversations/settings.ts';
import type { Git } from '../../node/git.ts';
import { findBase } from './base-branch.ts';
import { type CopiedFiles, copyIncluded } from './copy-included.ts';
import { CHECKOUT_MS, commitOf, type WorktreesOptions } from './linked.ts';
import { checkOutFiles } from './move-files.ts';
import { findWorkTree, type WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';

export interface MakeRequest {
  readonly branch: string;
  readonly from?: string | undefined;
  readonly existing: boolean;
  /** What its files are; without it, as the commit has them. */
  readonly files?: Snapshot | undefined;
  /** The same for every attempt at one work tree. */
  readonly requestId?: string | undefined;
}

export interface Made extends CopiedFiles {
  readonly listed: ListedWorktree;
}

/** Where a new work tree goes, and at which commit it begins. */
interface Plan {
  readonly path: string;
  readonly commit: string;
  readonly main: ListedWorktree;
}

/** More than a person reads. */
const MAX_COPIED = 200;

/** `all`: the work trees of the repository, the main one first. */
export async function makeWorktree(
  options: WorktreesOptions,
  tree: WorkTree,
  all: readonly ListedWorktree[],
  request: MakeRequest,
): Promise<Result<Made>> {
  const { records } = options;
  const known = request.requestId === undefined ? null : records.ofRequest(request.requestId);
  const before = known === null ? null : all.find(({ path }) => path === known.path);
  if (known?.state === 'made' && before !== undefined && before !== null && !before.is_missing)
    return ok({ listed: before, copied: known.copied, warnings: known.warnings });
  if (known?.state === 'making') {
    const isWholeKnown = before !== undefined && before !== null && !known.has_files;
    const whole = isWholeKnown ? await findWhole(options, tree, before) : null;
    if (whole !== null) {
      const warnings = [
        'The server ended while this work tree was made: look whether ignored files that it needs are there.',
      ];
      await records.put({ ...known, warnings, state: 'made' });
      return ok({ listed: whole, copied: [], warnings });
    }
    await takeAway(options.git, tree.root, known);
  }
  const rest = known?.state === 'making' ? all.filter(({ path }) => path !== known.path) : all;
  const plan = await planWorktree(options, tree, rest, request);
  if (!plan.ok) return plan;
  const record: WorktreeRecord = {
    path: plan.value.path,
    branch: request.branch,
    common_dir: tree.commonDir,
    commit: plan.value.commit,
    is_new_branch: !request.existing,
    has_files: request.files !== undefined,
    request_id: request.requestId ?? null,
    conversation_id: null,
    made_at: new Date(options.now()).toISOString(),
    state: 'making',
    copied: [],
    warnings: [],
  };
  const stored = await records.put(record);
  if (!stored.ok) return stored;
  options.at?.('worktree_recorded');
  const made = await perform(options, tree, plan.value, { record, files: request.files });
  if (!made.ok) {
    await records.drop(record.path);
    return made;
  }
  const { copied, warnings } = made.value;
  const whole = {
    ...record,
    path: made.value.listed.path,
    copied: copied.slice(0, MAX_COPIED),
    warnings: [...warnings],
  };
  // A record that could not be completed costs nothing but the next attempt's answer: the work tree is there.
  await records.put({ ...whole, warnings: whole.warnings.slice(0, MAX_COPIED), state: 'made' });
  options.at?.('worktree_made');
  return made;
}

async function planWorktree(
  { git, ownFolders }: WorktreesOptions,
  tree: WorkTree,
  all: readonly ListedWorktree[],
  { branch, from: wanted, existing }: MakeRequest,
): Promise<Result<Plan>> {
  const base = await findBase(git, tree, branch);
  if (!base.ok) return base;
  const main = all[0];
  if (main === undefined) return fail('not_found', `git lists no work tree of ${tree.root}`);
  const path = worktreePath(main.path, branch, existsSync);
  if (ownFolders.some((folder) => isInside(folder, path)))
    return fail('conflict', `${path} belongs to Signalbox or Codex itself`);
  const parent = dirname(path);
  // A link there would lead the checkout into a folder that somebody else chose.
  if ((await realpath(parent).catch(() => parent)) !== parent)
    return fail('conflict', `${parent} is a symbolic link: remove it, or give the work tree a real folder`);
  const start = existing ? `refs/heads/${branch}` : (wanted ?? base.value ?? 'HEAD');
  const commit = await commitOf(git, tree, start);
  if (commit === null) return noCommit(start, branch, existing);
  const holder = all.find((one) => one.branch === branch);
  if (existing && holder !== undefined)
    return fail('conflict', `${branch} is checked out in ${holder.path} already`, { path: holder.path });
  if (!existing && (await commitOf(git, tree, `refs/heads/${branch}`)) !== null)
    return fail('conflict', `there is a branch ${branch} already: use it, or choose another name`);
  return ok({ path, commit, main });
}

function noCommit(start: string, branch: string, existing: boolean): Result<never> {
  if (existing) return fail('not_found', `there is no branch ${branch}`);
  if (start === 'HEAD')
    return fail(
      'conflict',
      'the repository has no commit yet, and a work tree begins at one: make the first commit, or work in this directory',
    );
  return fail('not_found', `${start} is no commit of this repository`);
}

async function perform(
  options: WorktreesOptions,
  tree: WorkTree,
  { path, commit, main }: Plan,
  { record, files: snapshot }: { readonly record: WorktreeRecord; readonly files: Snapshot | undefined },
): Promise<Result<Made>> {
  const { git, ownFolders } = options;
  const { branch, is_new_branch: isNew } = record;
  const target = isNew ? ['--no-track', '-b', branch, '--', path, commit] : ['--', path, branch];
  const answer = await git({
    cwd: tree.root,
    args: ['worktree', 'add', '-q', '--no-checkout', ...target],
    config: [['core.logAllRefUpdates', 'true']],
    timeoutMs: CHECKOUT_MS,
  });
  if (answer.kind !== 'ended') return gitFailure('worktree add', answer);
  if (answer.code !== 0) return fail('conflict', `git could not make the work tree: ${answer.stderr.slice(0, 500)}`);
  options.at?.('worktree_added');
  const made = await findWorkTree(git, path, ownFolders);
  if (!made.ok) return made;
  // Not by `worktree add`: that reads the configuration anew, which can name other programs for other work trees.
  const files = await checkOutFiles(options, made.value, commit);
  if (!files.ok) {
    await takeAway(git, main.path, record);
    return files;
  }
  const placed = snapshot === undefined ? ok([]) : await options.place(made.value.root, snapshot);
  if (!placed.ok) {
    await takeAway(git, main.path, record);
    return placed;
  }
  options.at?.('worktree_files');
  const from = main.isBare ? tree.root : main.path;
  const closed = closedWithin(from, ownFolders);
  const source = closed === null ? null : { ...tree, root: from, closed };
  const copies = await copyIncluded(git, source, made.value.root);
  const filtered = (await hasFilters(git, tree.root))
    ? ['No filter of git ran: files of Git LFS are pointers until `git lfs pull`.']
    : [];
  const listed: ListedWorktree = {
    ...main,
    path: made.value.root,
    branch,
    head: commit,
    isBare: false,
    is_main: false,
    is_locked: false,
    is_missing: false,
  };
  return ok({ listed, copied: copies.copied, warnings: [...placed.value, ...copies.warnings, ...filtered] });
}

/** The branch goes only at the commit that it was made at. */
async function takeAway(git: Git, cwd: string, { path, branch, commit, is_new_branch }: WorktreeRecord): Promise<void> {
  await git({ cwd, args: ['worktree', 'remove', '--force', '--', path], timeoutMs: CHECKOUT_MS });
  const args = ['update-ref', '--no-deref', '-d', `refs/heads/${branch}`, commit];
  if (is_new_branch) await git({ cwd, args });
}

/**
 * A work tree that a killed server left, if all its files are there: git writes the index after the last one. Without an index nobody can
 * have worked in it.
 */
async function findWhole(
  { git, ownFolders }: WorktreesOptions,
  tree: WorkTree,
  listed: ListedWorktree,
): Promise<ListedWorktree | null> {
  if (listed.is_missing) return null;
  const found = await findWorkTree(git, listed.path, ownFolders);
  const isOurs = found.ok && found.value.root === listed.path && found.value.commonDir === tree.commonDir;
  return isOurs && existsSync(join(found.value.gitDir, 'index')) ? listed : null;
}

async function hasFilters(git: Git, root: string): Promise<boolean> {
  const args = ['config', '--name-only', '--get-regexp', '^filter\\.'];
  const answer = await git({ cwd: root, args, timeoutMs: 10_000 });
  return answer.kind === 'ended' && answer.code === 0;
}
