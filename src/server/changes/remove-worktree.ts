/**
 * Removes a linked work tree. What git keeps nowhere else is named first, and nothing is removed until the person says that it may go. Even
 * then files and branch stay as commits under `refs/signalbox/removed/` for 90 days.
 */
import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { KeptWorktree, WorktreeLosses } from '../../contract/worktrees.ts';
import { parseIndex, splitNul } from '../../core/changes/parse-git.ts';
import { pathText } from '../../core/changes/path-text.ts';
import type { Git } from '../../node/git.ts';
import { readRegular } from '../../node/read-regular.ts';
import { openPlace, readSide } from './inside-tree.ts';
import { commitOf, type Linked, type Removed, type WorktreesOptions } from './linked.ts';
import { removeTree } from './remove-tree.ts';
import type { WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';
import { readStatus } from './status.ts';
import { updateRefs } from './trees.ts';

interface Wanted {
  readonly lose: boolean;
  readonly is_trial: boolean;
  readonly withBranch: boolean;
}

/** More than a person reads. */
const MAX_LISTED = 200;
/** One path. */
const MAX_LINK_BYTES = 8_192;
const KEPT = 'refs/signalbox/removed/';
const KEPT_MS = 90 * 24 * 3_600_000;

export async function removeWorktree(
  options: WorktreesOptions,
  linked: Linked,
  wanted: Wanted,
): Promise<Result<Removed>> {
  const losses = await findLosses(options, linked, wanted.withBranch);
  if (!losses.ok) return losses;
  const isLost = doesLose(losses.value);
  if (wanted.is_trial || (isLost && !wanted.lose)) return ok({ losses: losses.value, is_removed: false, kept: null });
  const kept = await keepWorktree(options, linked, wanted.withBranch);
  if (!kept.ok) return kept;
  const { git } = options;
  const { tree, listed, main } = linked;
  const removed = await removeFolders(tree);
  if (!removed.ok) return removed;
  if (wanted.withBranch && listed.branch !== null && kept.value.branch !== null) {
    // Only at the commit that was kept: somebody may have committed in the meantime.
    const args = ['update-ref', '--no-deref', '-d', `refs/heads/${listed.branch}`, kept.value.branch];
    const deleted = await git({ cwd: main.path, args });
    if (deleted.kind !== 'ended' || deleted.code !== 0) return gitFailure('update-ref', deleted);
  }
  return ok({ losses: losses.value, is_removed: true, kept: kept.value });
}

/** The folder of the work tree and git's entry for it, as `git worktree remove` does, but following no link that appears meanwhile. */
async function removeFolders({ root, gitDir, commonDir }: WorkTree): Promise<Result<null>> {
  if (!(await isEntryOf(root, gitDir, commonDir)))
    return fail(
      'conflict',
      `${root}/.git names ${gitDir}, which is not its entry: \`git worktree repair\` can mend it`,
    );
  try {
    await removeTree(root);
    await removeTree(gitDir);
    return ok(null);
  } catch (error) {
    return fail('conflict', `the work tree could not be removed as a whole: ${String(error)}`);
  }
}

/** Whoever writes into the work tree can make its `.git` name the entry of another one. The entry says whose it is. */
async function isEntryOf(root: string, gitDir: string, commonDir: string): Promise<boolean> {
  const real = (path: string) => realpath(path).catch(() => null);
  const back = (await readRegular(join(gitDir, 'gitdir'), MAX_LINK_BYTES))?.toString('utf8').trim() ?? '';
  const [parent, entries] = [await real(dirname(gitDir)), await real(join(commonDir, 'worktrees'))];
  return parent !== null && parent === entries && back !== '' && (await real(dirname(resolve(gitDir, back)))) === root;
}

export const doesLose = ({ files, ignored, commits }: WorktreeLosses): boolean =>
  files.length > 0 || ignored.length > 0 || commits > 0;

export async function findLosses(
  { git, folder }: Pick<WorktreesOptions, 'git' | 'folder'>,
  linked: Linked,
  withBranch: boolean,
): Promise<Result<WorktreeLosses>> {
  const { tree, listed, main } = linked;
  const [status, submodules, ignored, commits] = await Promise.all([
    readStatus(git, folder, tree),
    listSubmodules(git, tree),
    listIgnored(git, tree, main.isBare ? null : main.path),
    withBranch && listed.branch !== null ? countOnlyHere(git, tree, listed.branch) : ok(0),
  ]);
  if (!status.ok) return status;
  if (!submodules.ok) return submodules;
  if (!ignored.ok) return ignored;
  if (!commits.ok) return commits;
  return ok({
    files: [...new Set([...submodules.value, ...status.value.files.map(({ path }) => path)])].slice(0, MAX_LISTED),
    ignored: [...ignored.value],
    commits: commits.value,
  });
}

/** Submodules that are checked out: their repositories go with the work tree, and nobody has looked at what is only in them. */
async function listSubmodules(git: Git, tree: WorkTree): Promise<Result<readonly string[]>> {
  const listed = await git({ cwd: tree.root, args: ['ls-files', '-s', '-t', '-z'] });
  if (listed.kind !== 'ended' || listed.code !== 0) return gitFailure('ls-files', listed);
  const found: string[] = [];
  for (const { mode, path } of parseIndex(listed.stdout)) {
    if (mode !== '160000') continue;
    const isCheckedOut = await sideOrFolderIn(tree, Buffer.concat([path, Buffer.from('/.git')]));
    if (isCheckedOut) found.push(pathText(path));
  }
  return ok(found);
}

async function sideOrFolderIn({ root, objectFormat }: WorkTree, path: Uint8Array): Promise<boolean> {
  const place = await openPlace(root, path, false).catch(() => null);
  if (place === null) return false;
  try {
    return (await readSide(place.at(place.name), objectFormat)).kind !== 'none';
  } finally {
    await place.close();
  }
}

/** Ignored files and folders; not files that the main work tree has with the same content, as those that were copied when it was made. */
async function listIgnored(git: Git, tree: WorkTree, mainRoot: string | null): Promise<Result<readonly string[]>> {
  const args = ['ls-files', '-o', '-i', '-z', '--exclude-standard', '--directory'];
  const listed = await git({ cwd: tree.root, args });
  if (listed.kind !== 'ended' || listed.code !== 0) return gitFailure('ls-files', listed);
  const lost: string[] = [];
  for (const path of splitNul(listed.stdout)) {
    if (lost.length >= MAX_LISTED) break;
    const isKnown = mainRoot !== null && (await isSameIn(tree, mainRoot, path));
    if (!isKnown) lost.push(pathText(path));
  }
  return ok(lost);
}

async function isSameIn(tree: WorkTree, otherRoot: string, path: Uint8Array): Promise<boolean> {
  if (path.at(-1) === 0x2f) return false;
  const [own, other] = [await sideIn(tree, tree.root, path), await sideIn(tree, otherRoot, path)];
  return own !== null && own === other;
}

async function sideIn({ objectFormat }: WorkTree, root: string, path: Uint8Array): Promise<string | null> {
  const place = await openPlace(root, path, false).catch(() => null);
  if (place === null) return null;
  try {
    const found = await readSide(place.at(place.name), objectFormat);
    return found.kind === 'side' ? found.side.oid : null;
  } catch {
    return null;
  } finally {
    await place.close();
  }
}

/** Commits of a branch that no other branch, remote or tag has. */
async function countOnlyHere(git: Git, tree: WorkTree, branch: string): Promise<Result<number>> {
  const others = [`--exclude=${branch}`, '--branches', '--remotes', '--tags'];
  const args = ['rev-list', '--count', `refs/heads/${branch}`, '--not', ...others, '--'];
  const answer = await git({ cwd: tree.root, args });
  return answer.kind === 'ended' && answer.code === 0
    ? ok(Number(answer.stdout.toString().trim()))
    : gitFailure('rev-list', answer);
}

/** Also what a person agreed to lose can be wanted back: `git checkout <commit>`. */
async function keepWorktree(
  { git, keep, now }: WorktreesOptions,
  { tree, listed }: Linked,
  withBranch: boolean,
): Promise<Result<KeptWorktree>> {
  const branch = withBranch && listed.branch !== null ? await commitOf(git, tree, `refs/heads/${listed.branch}`) : null;
  const files = await keep(tree.root, `Files of ${tree.root} before it was removed\n`);
  if (!files.ok) return files;
  const name = `${KEPT}${now()}`;
  const kept = { files: files.value, branch };
  const expired = await listExpired(git, tree, now());
  const stored = await updateRefs(git, tree, [
    { ref: `${name}/files`, oid: kept.files },
    ...(branch === null ? [] : [{ ref: `${name}/branch`, oid: branch }]),
    ...expired.map((ref) => ({ ref, oid: null })),
  ]);
  return stored.ok ? ok(kept) : stored;
}

async function listExpired(git: Git, { root }: WorkTree, nowMs: number): Promise<readonly string[]> {
  const answer = await git({ cwd: root, args: ['for-each-ref', '--format=%(refname)', KEPT] });
  if (answer.kind !== 'ended' || answer.code !== 0) return [];
  return answer.stdout
    .toString('utf8')
    .split('\n')
    .filter((ref) => ref !== '' && Number(ref.slice(KEPT.length).split('/', 1)[0]) < nowMs - KEPT_MS);
}
