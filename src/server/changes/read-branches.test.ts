/** Branches and the base of work, read from real repositories. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ChangesStand, openChangesStand } from '../../testing/changes-stand.ts';
import { findBase } from './base-branch.ts';
import { MAX_BRANCHES, readBranches } from './read-branches.ts';
import { findWorkTree, type WorkTree } from './repository.ts';

async function treeAt(stand: ChangesStand, cwd = stand.root): Promise<WorkTree> {
  const found = await findWorkTree(stand.ownGit, cwd);
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

/** A branch whose only commit was made at this second. */
async function addBranch({ ownGit, root, git }: ChangesStand, name: string, seconds: number): Promise<void> {
  const who = { NAME: 'A', EMAIL: 'a@example.com', DATE: `${seconds} +0000` };
  const env = Object.fromEntries(
    Object.entries(who).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  );
  const made = await ownGit({ cwd: root, args: ['commit-tree', '-m', name, 'HEAD^{tree}'], env });
  if (made.kind !== 'ended') throw new Error(made.kind);
  git(['branch', name, made.stdout.toString().trim()]);
}

async function named(stand: ChangesStand, where: 'here' | 'everywhere'): Promise<string[]> {
  const branches = await readBranches(stand.ownGit, await treeAt(stand), where);
  if (!branches.ok) throw new Error(branches.error.message);
  return branches.value.map(({ name, is_current }) => (is_current ? `*${name}` : name));
}

/** A bare repository on this disk, pushed to. */
function addRemote({ dir, git }: ChangesStand): string {
  const bare = join(dir, 'remote.git');
  git(['init', '-q', '--bare', '-b', 'main', bare], dir);
  git(['remote', 'add', 'origin', bare]);
  git(['push', '-q', '-u', 'origin', 'main']);
  git(['remote', 'set-head', 'origin', 'main']);
  return bare;
}

test('[CH70] branches are listed with their upstream, the newest first, and those of remotes when asked', async () => {
  const stand = await openChangesStand();
  addRemote(stand);
  await addBranch(stand, 'old', 1_000_000_000);
  await addBranch(stand, 'feat/future', 4_000_000_000);
  stand.git(['push', '-q', 'origin', 'old']);
  expect(await named(stand, 'here')).toEqual(['feat/future', '*main', 'old']);
  const all = await named(stand, 'everywhere');
  expect(all).toEqual(['feat/future', ...all.slice(1, 3), ...all.slice(3)]);
  expect(new Set(all.slice(1, 3))).toEqual(new Set(['*main', 'origin/main']));
  expect(new Set(all.slice(3))).toEqual(new Set(['old', 'origin/old']));
  const here = await readBranches(stand.ownGit, await treeAt(stand), 'here');
  expect(here.ok && here.value[1]).toMatchObject({ ref: 'refs/heads/main', upstream: 'refs/remotes/origin/main' });
});

test('[CH70] a repository without a commit has no branches, and a long list ends', async () => {
  const empty = await openChangesStand({ isEmpty: true });
  expect(await named(empty, 'everywhere')).toEqual([]);
  expect(await findBase(empty.ownGit, await treeAt(empty), null)).toEqual({ ok: true, value: null });
  const stand = await openChangesStand();
  const oid = stand.git(['rev-parse', 'HEAD']).trim();
  const lines = Array.from({ length: MAX_BRANCHES + 60 }, (_none, at) => `create refs/heads/b${at} ${oid}\n`).join('');
  await stand.ownGit({ cwd: stand.root, args: ['update-ref', '--stdin'], stdin: Buffer.from(lines) });
  expect(await named(stand, 'here')).toHaveLength(MAX_BRANCHES);
});

test('[CH71] work is based on the default branch of the remote, else on a branch with a usual name', async () => {
  const stand = await openChangesStand();
  const tree = await treeAt(stand);
  const base = async (except: string | null) => {
    const found = await findBase(stand.ownGit, tree, except);
    return found.ok ? found.value : found.error.message;
  };
  expect(await base(null)).toBe('refs/heads/main');
  expect(await base('refs/heads/main')).toBeNull();
  expect(await base('main')).toBeNull();
  stand.git(['branch', 'trunk']);
  stand.git(['branch', 'master']);
  expect(await base('main')).toBe('refs/heads/master');
  addRemote(stand);
  expect(await base('main')).toBe('refs/remotes/origin/main');
  stand.git(['push', '-q', 'origin', 'trunk']);
  stand.git(['remote', 'set-head', 'origin', 'trunk']);
  expect(await base(null)).toBe('refs/remotes/origin/trunk');
  // A default branch that was deleted is not taken.
  stand.git(['update-ref', '-d', 'refs/remotes/origin/trunk']);
  expect(await base(null)).toBe('refs/heads/main');
});

test('[CH71] a linked work tree is based on what the main work tree has checked out', async () => {
  const stand = await openChangesStand();
  stand.git(['branch', '-m', 'main', 'develop']);
  const linked = join(stand.dir, 'linked');
  stand.git(['worktree', 'add', '-q', '-b', 'task', linked]);
  const tree = await treeAt(stand, linked);
  expect(await findBase(stand.ownGit, tree, 'task')).toEqual({ ok: true, value: 'refs/heads/develop' });
  const oid = stand.git(['rev-parse', 'HEAD']).trim();
  stand.git(['checkout', '-q', '--detach']);
  expect(await findBase(stand.ownGit, tree, 'task')).toEqual({ ok: true, value: oid });
  expect(await findBase(stand.ownGit, await treeAt(stand), null)).toEqual({ ok: true, value: null });
});
