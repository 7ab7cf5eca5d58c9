/** The work trees that conversations work in. What reads or writes the files of one runs one at a time. */
import { join } from 'node:path';
import type { Snapshot } from '../../contract/changes.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { Git } from '../../node/git.ts';
import { createKeyedSerial } from '../../node/serial.ts';
import { commitOf } from './linked.ts';
import { findWorkTree, type OwnGitDir, openOwnGitDir, type WorkTree } from './repository.ts';
import { type ReadTree, readWorkTree, type SnapshotLimits } from './snapshot.ts';
import { commitTree } from './trees.ts';

export interface OpenTree {
  readonly tree: WorkTree;
  readonly own: OwnGitDir;
  /** `begunAtMs`: see `SnapshotOptions`. */
  read(begunAtMs?: () => number | null): Promise<Result<ReadTree>>;
  commit(read: ReadTree, message: string): Promise<Result<Snapshot>>;
}

export interface WorkTrees {
  /** Runs the task behind the earlier tasks of the same work tree. Fails outside a repository. */
  use<T>(cwd: string, task: (open: OpenTree) => Promise<Result<T>>): Promise<Result<T>>;
  /** Without waiting for others: for what only reads objects. */
  look<T>(cwd: string, task: (open: OpenTree) => Promise<Result<T>>): Promise<Result<T>>;
  idle(): Promise<void>;
}

export interface WorkTreesOptions {
  readonly git: Git;
  /** `changes` in the home. */
  readonly folder: string;
  /** Real paths of the folders of Signalbox and Codex. */
  readonly ownFolders?: readonly string[] | undefined;
  readonly limits?: SnapshotLimits | undefined;
  readonly now: () => number;
}

export function createWorkTrees({ git, folder, ownFolders, limits, now }: WorkTreesOptions): WorkTrees {
  const serial = createKeyedSerial<string>();
  const opened = new Map<string, Promise<OwnGitDir>>();
  const open = (tree: WorkTree): Promise<OwnGitDir> => {
    const key = `${tree.root}\0${tree.gitDir}`;
    const known = opened.get(key) ?? openOwnGitDir(git, join(folder, 'trees'), tree);
    opened.set(key, known);
    known.catch(() => opened.delete(key));
    return known;
  };
  const enter = async (tree: WorkTree): Promise<OpenTree> => {
    const own = await open(tree);
    return {
      tree,
      own,
      read: (begunAtMs = () => null) =>
        readWorkTree({ git, own, tree, begunAtMs, now, ...(limits !== undefined && { limits }) }),
      async commit(read, message) {
        const commit = await commitTree(git, tree, read.tree, message);
        return commit.ok ? ok({ ...read, commit: commit.value, head: await commitOf(git, tree, 'HEAD') }) : commit;
      },
    };
  };
  return {
    async use(cwd, task) {
      const found = await findWorkTree(git, cwd, ownFolders);
      return found.ok ? serial.run(found.value.root, async () => task(await enter(found.value))) : found;
    },
    async look(cwd, task) {
      const found = await findWorkTree(git, cwd, ownFolders);
      return found.ok ? task(await enter(found.value)) : found;
    },
    idle: serial.allIdle,
  };
}
