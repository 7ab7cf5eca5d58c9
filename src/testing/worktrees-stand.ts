/** A repository in a folder of its own with the part that makes, finishes and removes its linked work trees. For tests only. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FinishRequest } from '../server/changes/linked.ts';
import { placeSnapshot } from '../server/changes/place-snapshot.ts';
import { openWorktreeRecords } from '../server/changes/worktree-records.ts';
import { createWorktrees, type Worktrees } from '../server/changes/worktrees.ts';
import { openChangesStand } from './changes-stand.ts';

type Added = Extract<Awaited<ReturnType<Worktrees['add']>>, { readonly ok: true }>['value'];

export async function openWorktreesStand(options: Parameters<typeof openChangesStand>[0] = {}) {
  const stand = await openChangesStand(options);
  /** Folders of Signalbox and Codex; a test may add some. */
  const own = [join(stand.dir, 'home')];
  const busy = new Set<string>();
  const conversations: { id: string; cwd: string }[] = [];
  stand.git(['config', '--global', 'user.name', 'A']);
  stand.git(['config', '--global', 'user.email', 'a@example.com']);
  const records = await openWorktreeRecords(stand.folder);
  /** What a test does at a point of the making, such as to throw as a kill would. */
  const at = { run: (_point: string): void => undefined };
  const worktrees = createWorktrees({
    git: stand.ownGit,
    folder: stand.folder,
    keep: (cwd, message) =>
      stand.parts().trees.use(cwd, async (open) => {
        const read = await open.read();
        if (!read.ok) return read;
        const commit = await open.commit(read.value, message);
        return commit.ok ? { ok: true, value: commit.value.commit } : commit;
      }),
    place: (root, snapshot) => placeSnapshot(stand.parts().trees, root, snapshot),
    ownFolders: own,
    conversations: () => conversations,
    isBusy: (id) => busy.has(id),
    now: Date.now,
    records,
    at: (point) => at.run(point),
  });
  const add = async (
    branch: string,
    more: { from?: string; existing?: boolean; requestId?: string } = {},
  ): Promise<Added> => {
    const added = await worktrees.add({ cwd: stand.root, branch, existing: false, ...more });
    if (!added.ok) throw new Error(JSON.stringify(added.error));
    return added.value;
  };
  const finish = (path: string, more: Partial<FinishRequest> = {}) =>
    worktrees.finish({ path, mode: 'merge', keep: false, lose: false, is_trial: false, ...more });
  const remove = (path: string, more: { lose?: boolean; with_branch?: boolean; is_trial?: boolean } = {}) =>
    worktrees.remove({ path, lose: false, with_branch: false, is_trial: false, ...more });
  const commit = (path: string, name: string, text: string) => {
    writeFileSync(join(path, name), text);
    stand.git(['add', '-A'], path);
    stand.git(['commit', '-q', '-m', `write ${name}`], path);
  };
  return { ...stand, worktrees, add, finish, remove, commit, busy, conversations, own, records, at };
}
