/** The linked work trees of a repository: lists them, makes new ones beside it, and removes them when nothing gets lost by it. */
import { lstat, realpath } from 'node:fs/promises';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { IncludedFiles, Worktree } from '../../contract/worktrees.ts';
import { closedWithin } from '../../core/changes/closed-folders.ts';
import { isBranchName, localBranch } from '../../core/changes/parse-refs.ts';
import { type ListedWorktree, parseWorktrees } from '../../core/changes/parse-worktrees.ts';
import { isInside } from '../../core/conversations/settings.ts';
import type { Git } from '../../node/git.ts';
import { createKeyedSerial } from '../../node/serial.ts';
import { findBase } from './base-branch.ts';
import { listIncluded } from './copy-included.ts';
import { finishWorktree } from './finish-worktree.ts';
import type { FinishRequest, Linked, Removed, RemoveRequest, WorktreesOptions } from './linked.ts';
import { type MakeRequest, makeWorktree } from './make-worktree.ts';
import { readBranches } from './read-branches.ts';
import { removeWorktree } from './remove-worktree.ts';
import { findWorkTree, type WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';
import type { WorktreeRecords } from './worktree-records.ts';

interface WorktreeList {
  readonly root: string;
  /** The git directory of the repository. */
  readonly repository: string;
  readonly worktrees: readonly Worktree[];
  readonly branches: readonly { readonly name: string; readonly at: string }[];
  readonly base: string | null;
  readonly included: IncludedFiles;
}

interface AddWorktree extends MakeRequest {
  readonly cwd: string;
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
  readonly records: WorktreeRecords;
}

export function createWorktrees(options: WorktreesOptions): Worktrees {
  const { git, ownFolders, conversations, isBusy, records } = options;
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

  const forgetRemoved = async <T extends { readonly is_removed: boolean }>(
    { listed }: Linked,
    task: Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const done = await task;
    if (done.ok && done.value.is_removed) await records.drop(listed.path);
    return done;
  };

  const inOrder = async <T>(path: string, task: (linked: Linked) => Promise<Result<T>>): Promise<Result<T>> => {
    const first = await findWorkTree(git, path, ownFolders);
    if (!first.ok) return first;
    return serial.run(first.value.commonDir, async () => {
      const linked = await findLinked(path);
      return linked.ok ? task(linked.value) : linked;
    });
  };

  const add = async (tree: WorkTree, request: MakeRequest): Promise<Result<Added>> => {
    const all = await listAll(git, tree);
    if (!all.ok) return all;
    const made = await makeWorktree(options, tree, all.value, request);
    if (!made.ok) return made;
    const { listed, copied, warnings } = made.value;
    return ok({ worktree: withConversations(listed), copied, warnings });
  };

  /** Where `.worktreeinclude` is read: the main work tree. Null where its files belong to Signalbox or Codex. */
  const sourceOf = (tree: WorkTree, main: ListedWorktree | undefined): WorkTree | null => {
    const root = main === undefined || main.isBare ? tree.root : main.path;
    const closed = closedWithin(root, ownFolders);
    return closed === null ? null : { ...tree, root, closed };
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
        root: tree.value.root,
        repository: tree.value.commonDir,
        worktrees: all.value.filter(({ isBare }) => !isBare).map(withConversations),
        branches: branches.value.map(({ name, at }) => ({ name, at })),
        base: base.value === null ? null : (localBranch(base.value) ?? base.value),
        included: await listIncluded(git, sourceOf(tree.value, all.value[0])),
      });
    },
    async add({ cwd, ...request }) {
      if (!isBranchName(request.branch))
        return fail('invalid_request', `${JSON.stringify(request.branch)} is no name for a branch`);
      const tree = await findWorkTree(git, cwd, ownFolders);
      return tree.ok ? serial.run(tree.value.commonDir, () => add(tree.value, request)) : tree;
    },
    remove: ({ path, with_branch, ...request }) =>
      inOrder(path, (linked) =>
        forgetRemoved(linked, removeWorktree(options, linked, { ...request, withBranch: with_branch })),
      ),
    finish: ({ path, ...request }) =>
      inOrder(path, (linked) => forgetRemoved(linked, finishWorktree(options, linked, request))),
    records,
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
