/** The linked work trees of a repository: lists them, makes new ones beside it, and removes them when nothing gets lost by it. */
import { existsSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Worktree } from '../../contract/worktrees.ts';
import { closedWithin } from '../../core/changes/closed-folders.ts';
import { isBranchName, localBranch } from '../../core/changes/parse-refs.ts';
import { type ListedWorktree, parseWorktrees } from '../../core/changes/parse-worktrees.ts';
import { worktreePath } from '../../core/changes/worktree-place.ts';
import { isInside } from '../../core/conversations/settings.ts';
import type { Git } from '../../node/git.ts';
import { createKeyedSerial } from '../../node/serial.ts';
import { findBase } from './base-branch.ts';
import { copyIncluded } from './copy-included.ts';
import { finishWorktree } from './finish-worktree.ts';
import {
  CHECKOUT_MS,
  commitOf,
  type FinishRequest,
  type Linked,
  type Removed,
  type RemoveRequest,
  type WorktreesOptions,
} from './linked.ts';
import { checkOutFiles } from './move-files.ts';
import { readBranches } from './read-branches.ts';
import { removeWorktree } from './remove-worktree.ts';
import { findWorkTree, type WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';

interface WorktreeList {
  readonly worktrees: readonly Worktree[];
  readonly branches: readonly { readonly name: string; readonly at: string }[];
  readonly base: string | null;
}

interface AddWorktree {
  readonly cwd: string;
  readonly branch: string;
  readonly from?: string | undefined;
  readonly existing: boolean;
}

interface Added {
  readonly worktree: Worktree;
  readonly copied: readonly string[];
  readonly warnings: readonly string[];
}

export interface Worktrees {
  list(cwd: string): Promise<Result<WorktreeList>>;
  add(request: AddWorktree): Promise<Result<Added>>;
  remove(request: RemoveRequest & { readonly with_branch: boolean }): Promise<Result<Removed>>;
  finish(request: FinishRequest): ReturnType<typeof finishWorktree>;
}

export function createWorktrees(options: WorktreesOptions): Worktrees {
  const { git, ownFolders, conversations, isBusy } = options;
  // By repository: two tasks must not write the same list of work trees.
  const serial = createKeyedSerial<string>();

  const withConversations = ({ isBare: _isBare, ...listed }: ListedWorktree): Worktree => ({
    ...listed,
    conversations: conversations()
      .filter(({ cwd }) => isInside(listed.path, cwd))
      .map(({ id }) => id),
  });

  /** The linked work tree of a directory. Refused for the main one, and while a turn works there. */
  const findLinked = async (path: string): Promise<Result<Linked>> => {
    const tree = await findWorkTree(git, path, ownFolders);
    if (!tree.ok) return tree;
    const all = await listAll(git, tree.value);
    if (!all.ok) return all;
    const [main] = all.value;
    const listed = all.value.find((one) => one.path === tree.value.root);
    if (main === undefined || listed === undefined)
      return fail('not_found', `git does not list ${path} as a work tree`);
    if (listed.is_main) return fail('conflict', `${listed.path} is the main work tree of its repository: it stays`);
    if (listed.is_locked)
      return fail('conflict', `${listed.path} is locked: \`git worktree unlock\` in the repository frees it`);
    if (tree.value.closed.length > 0)
      return fail('conflict', `${listed.path} contains folders of Signalbox or Codex: it stays`);
    const busy = withConversations(listed).conversations.find(isBusy);
    if (busy !== undefined)
      return fail('conflict', `a turn of ${busy} is running in ${listed.path}: stop it first`, {
        conversation_id: busy,
      });
    return ok({ tree: tree.value, listed, main, all: all.value });
  };

  const inOrder = async <T>(path: string, task: (linked: Linked) => Promise<Result<T>>): Promise<Result<T>> => {
    const first = await findWorkTree(git, path, ownFolders);
    if (!first.ok) return first;
    return serial.run(first.value.commonDir, async () => {
      const linked = await findLinked(path);
      return linked.ok ? task(linked.value) : linked;
    });
  };

  const add = async (tree: WorkTree, { branch, from: wanted, existing }: AddWorktree): Promise<Result<Added>> => {
    const [all, base, filters] = await Promise.all([
      listAll(git, tree),
      findBase(git, tree, branch),
      hasFilters(git, tree.root),
    ]);
    if (!all.ok) return all;
    if (!base.ok) return base;
    const main = all.value[0];
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
    if (commit === null)
      return fail('not_found', existing ? `there is no branch ${branch}` : `${start} is no commit of this repository`);
    const holder = all.value.find((one) => one.branch === branch);
    if (existing && holder !== undefined)
      return fail('conflict', `${branch} is checked out in ${holder.path} already`, { path: holder.path });
    if (!existing && (await commitOf(git, tree, `refs/heads/${branch}`)) !== null)
      return fail('conflict', `there is a branch ${branch} already: use it, or choose another name`);
    const target = existing ? ['--', path, branch] : ['--no-track', '-b', branch, '--', path, commit];
    const answer = await git({
      cwd: tree.root,
      args: ['worktree', 'add', '-q', '--no-checkout', ...target],
      config: [['core.logAllRefUpdates', 'true']],
      timeoutMs: CHECKOUT_MS,
    });
    if (answer.kind !== 'ended') return gitFailure('worktree add', answer);
    if (answer.code !== 0) return fail('conflict', `git could not make the work tree: ${answer.stderr.slice(0, 500)}`);
    const made = await findWorkTree(git, path, ownFolders);
    if (!made.ok) return made;
    // Not by `worktree add`: that reads the configuration anew, which can name other programs for other work trees.
    const files = await checkOutFiles(options, made.value, commit);
    if (!files.ok) {
      await git({ cwd: main.path, args: ['worktree', 'remove', '--force', '--', path], timeoutMs: CHECKOUT_MS });
      // Only at the commit that it was made at.
      const args = ['update-ref', '--no-deref', '-d', `refs/heads/${branch}`, commit];
      if (!existing) await git({ cwd: main.path, args });
      return files;
    }
    const from = main.isBare ? tree.root : main.path;
    const closed = closedWithin(from, ownFolders);
    const source = closed === null ? null : { ...tree, root: from, closed };
    const { copied, warnings } = await copyIncluded(git, source, made.value.root);
    const listed: ListedWorktree = {
      ...main,
      path: made.value.root,
      branch,
      head: commit,
      is_main: false,
      is_locked: false,
      is_missing: false,
    };
    const filtered = filters ? ['No filter of git ran: files of Git LFS are pointers until `git lfs pull`.'] : [];
    return ok({ worktree: withConversations(listed), copied, warnings: [...warnings, ...filtered] });
  };

  return {
    async list(cwd) {
      const tree = await findWorkTree(git, cwd, ownFolders);
      if (!tree.ok) return tree;
      const [all, branches, base] = await Promise.all([
        listAll(git, tree.value),
        readBranches(git, tree.value, 'here'),
        findBase(git, tree.value, null),
      ]);
      if (!all.ok) return all;
      if (!branches.ok) return branches;
      if (!base.ok) return base;
      return ok({
        worktrees: all.value.filter(({ isBare }) => !isBare).map(withConversations),
        branches: branches.value.map(({ name, at }) => ({ name, at })),
        base: base.value === null ? null : (localBranch(base.value) ?? base.value),
      });
    },
    async add(request) {
      if (!isBranchName(request.branch))
        return fail('invalid_request', `${JSON.stringify(request.branch)} is no name for a branch`);
      const tree = await findWorkTree(git, request.cwd, ownFolders);
      return tree.ok ? serial.run(tree.value.commonDir, () => add(tree.value, request)) : tree;
    },
    remove: ({ path, with_branch, ...request }) =>
      inOrder(path, (linked) => removeWorktree(options, linked, { ...request, withBranch: with_branch })),
    finish: ({ path, ...request }) => inOrder(path, (linked) => finishWorktree(options, linked, request)),
  };
}

/** With real paths. */
async function listAll(git: Git, { root }: WorkTree): Promise<Result<readonly ListedWorktree[]>> {
  const answer = await git({ cwd: root, args: ['worktree', 'list', '--porcelain', '-z'], timeoutMs: 10_000 });
  if (answer.kind !== 'ended' || answer.code !== 0) return gitFailure('worktree list', answer);
  const real = async (listed: ListedWorktree): Promise<ListedWorktree> => ({
    ...listed,
    path: await realpath(listed.path).catch(() => listed.path),
    // Git notices only some of the folders that are gone.
    is_missing: listed.is_missing || (!listed.isBare && !(await isFolder(listed.path))),
  });
  return ok(await Promise.all(parseWorktrees(answer.stdout).map(real)));
}

const isFolder = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isDirectory() ?? false;

async function hasFilters(git: Git, root: string): Promise<boolean> {
  const args = ['config', '--name-only', '--get-regexp', '^filter\\.'];
  const answer = await git({ cwd: root, args, timeoutMs: 10_000 });
  return answer.kind === 'ended' && answer.code === 0;
}
