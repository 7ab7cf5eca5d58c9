/** What the parts that make, finish and remove linked work trees share. */
import type { Snapshot } from '../../contract/changes.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { FinishMode, KeptWorktree, WorktreeLosses } from '../../contract/worktrees.ts';
import type { ListedWorktree } from '../../core/changes/parse-worktrees.ts';
import type { Git } from '../../node/git.ts';
import type { WorkTree } from './repository.ts';
import type { WorktreeRecords } from './worktree-records.ts';

export interface WorktreesOptions {
  readonly git: Git;
  /** `changes` in the home. */
  readonly folder: string;
  /** Keeps the files of a work tree before it is removed; answers a commit. */
  readonly keep: (cwd: string, message: string) => Promise<Result<string>>;
  /** Gives the files of a new work tree the content of a snapshot of another one; answers what was left as the commit has it, in words. */
  readonly place: (root: string, snapshot: Snapshot) => Promise<Result<readonly string[]>>;
  readonly ownFolders: readonly string[];
  /** Conversations that are not in the trash, with their directories. */
  readonly conversations: () => readonly { readonly id: ConversationId; readonly cwd: string }[];
  readonly isBusy: (id: ConversationId) => boolean;
  readonly now: () => number;
  readonly records: WorktreeRecords;
  /** A test ends the process at a point of its choice. */
  readonly at?: (point: string) => void;
}

export interface RemoveRequest {
  readonly path: string;
  readonly lose: boolean;
  readonly is_trial: boolean;
}

export interface Removed {
  readonly losses: WorktreeLosses;
  readonly is_removed: boolean;
  readonly kept: KeptWorktree | null;
}

export interface FinishRequest extends RemoveRequest {
  readonly mode: FinishMode;
  readonly into?: string | undefined;
  readonly keep: boolean;
}

/** A checkout of a large repository on a slow disk. */
export const CHECKOUT_MS = 10 * 60_000;

/** One work tree as its tasks need it. */
export interface Linked {
  readonly tree: WorkTree;
  readonly listed: ListedWorktree;
  readonly main: ListedWorktree;
  readonly all: readonly ListedWorktree[];
}

/** Null: no commit. A revision never reads as an option, and a NUL byte would end the argument. */
export async function commitOf(git: Git, { root }: Pick<WorkTree, 'root'>, revision: string): Promise<string | null> {
  if (revision.includes('\0')) return null;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const answer = await git({ cwd: root, args, timeoutMs: 10_000 });
  return answer.kind === 'ended' && answer.code === 0 ? answer.stdout.toString().trim() : null;
}
