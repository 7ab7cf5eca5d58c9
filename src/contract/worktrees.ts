/** What crosses a boundary about linked work trees: several checkouts of one repository side by side, one task in each. */
import { z } from 'zod';
import { ConversationId } from './ids.ts';

export const Worktree = z.object({
  path: z.string(),
  /** Null when HEAD is detached. */
  branch: z.string().nullable(),
  /** Null before the first commit. */
  head: z.string().nullable(),
  /** The checkout that the repository began with; it cannot be removed. */
  is_main: z.boolean(),
  /** Git was told to keep it. */
  is_locked: z.boolean(),
  /** Its folder is gone. */
  is_missing: z.boolean(),
  /** Conversations that work in it. */
  conversations: z.array(ConversationId),
});
export type Worktree = z.infer<typeof Worktree>;

/** A branch that a new work tree can have, or begin at. */
export const BranchName = z.object({
  name: z.string(),
  /** The commit that it is at. */
  at: z.string(),
});

/** What goes with a work tree when it is removed. Empty lists and 0: nothing. */
export const WorktreeLosses = z.object({
  /** Changed and untracked files; the first 200. */
  files: z.array(z.string()),
  /** Ignored files and folders that the main work tree does not have the same; the first 200. */
  ignored: z.array(z.string()),
  /** Commits that are on no other branch and on no remote; counted only where the branch goes too. */
  commits: z.number().int(),
});
export type WorktreeLosses = z.infer<typeof WorktreeLosses>;

/** How the work of a branch gets into its base. */
export const FinishMode = z.enum(['merge', 'rebase']);
export type FinishMode = z.infer<typeof FinishMode>;

/** Where the files and the branch of a removed work tree can still be found: commits under `refs/signalbox/removed/`, for 90 days. */
export const KeptWorktree = z.object({ files: z.string().nullable(), branch: z.string().nullable() });
export type KeptWorktree = z.infer<typeof KeptWorktree>;
