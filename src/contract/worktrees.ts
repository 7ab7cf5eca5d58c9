/** What crosses a boundary about linked work trees: several checkouts of one repository side by side, one task in each. */
import { z } from 'zod';
import { MAX_ATTEMPTS } from './attempt-bounds.ts';
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

/** Ignored files that `.worktreeinclude` copies into a new work tree; the first 200. */
export const IncludedFiles = z.object({
  files: z.array(z.string()),
  /** How many there are. */
  count: z.number().int(),
  /** What is named and will not be copied, in words. */
  warnings: z.array(z.string()),
});
export type IncludedFiles = z.infer<typeof IncludedFiles>;

/** One of several conversations that were given the same message, each in a work tree of its own. */
export const Attempt = z.object({ group: z.uuid(), number: z.number().int().min(1).max(MAX_ATTEMPTS) });
export type Attempt = z.infer<typeof Attempt>;

/** An attempt as the comparison shows it. */
export const AttemptRow = z.object({
  id: ConversationId,
  number: z.number().int(),
  cwd: z.string(),
  /** Null where the work tree is gone or its HEAD is detached. */
  branch: z.string().nullable(),
  /** draft: its message was not sent. */
  state: z.enum(['draft', 'running', 'waiting', 'failed', 'done']),
  /** The beginning of the last answer. */
  answer: z.string().nullable(),
  /** Against where the work left the base branch, with what is not committed; null where that cannot be read. */
  files: z.object({ count: z.number().int(), added: z.number().int(), removed: z.number().int() }).nullable(),
  started_at: z.string(),
  /** Null while it runs or waits. */
  ended_at: z.string().nullable(),
});
export type AttemptRow = z.infer<typeof AttemptRow>;

/** A work tree that is made together with a new conversation. */
export const NewWorktree = z.object({
  /** The same for every attempt at one conversation: an attempt after a lost answer makes no second work tree. */
  request_id: z.uuid(),
  branch: z.string().min(1).max(250),
  /** Of a new branch: where it begins. Default: the base branch. */
  from: z.string().min(1).max(400).optional(),
  /** The branch exists already. */
  existing: z.boolean().default(false),
  /** Which attempt at a task the conversation is. */
  attempt: Attempt.optional(),
  /** The set-up command as the person saw it: it runs only while it is still the one of the repository. */
  setup: z.string().max(4000).optional(),
});
export type NewWorktree = z.infer<typeof NewWorktree>;

/** The work tree that was made for a conversation. */
export const MadeWorktree = z.object({ path: z.string(), branch: z.string(), copied: z.array(z.string()) });
export type MadeWorktree = z.infer<typeof MadeWorktree>;

/** What is kept of a work tree that Signalbox made. */
export const WorktreeRecord = z.object({
  path: z.string(),
  branch: z.string(),
  /** The git directory of its repository. */
  common_dir: z.string(),
  /** Where the branch was when the work tree was made. */
  commit: z.string(),
  is_new_branch: z.boolean(),
  /** Made with the files of a checkpoint: one that is half made is never taken for a whole one. */
  has_files: z.boolean().default(false),
  request_id: z.string().nullable(),
  conversation_id: ConversationId.nullable(),
  made_at: z.string(),
  /** making: the server was killed before all of it was there. */
  state: z.enum(['making', 'made']),
  /** The first 200. */
  copied: z.array(z.string()),
  warnings: z.array(z.string()),
});
export type WorktreeRecord = z.infer<typeof WorktreeRecord>;

/** `changes/worktrees.json`: the one that was made last is the last one. */
export const WorktreeRecordFile = z.object({ worktrees: z.array(WorktreeRecord) });
export type WorktreeRecordFile = z.infer<typeof WorktreeRecordFile>;

/** What runs in each new work tree of a repository. */
export const SetupCommand = z
  .string()
  .trim()
  .min(1)
  .max(4000)
  .regex(/^[^\0]*$/, 'must not hold a NUL');

/** `worktree_setup.json`: by git directory, the one that was written last is the last one. */
export const WorktreeSetupFile = z.object({
  repositories: z.array(z.object({ repository: z.string(), command: SetupCommand })),
});
export type WorktreeSetupFile = z.infer<typeof WorktreeSetupFile>;
