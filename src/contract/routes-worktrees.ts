/** Routes about linked work trees. Whoever may run commands can do all of this with git, so the scope is `run`; agents have no part in it. */
import { z } from 'zod';
import { ConversationId } from './ids.ts';
import { base, conversationParam, type RouteDef } from './route.ts';
import {
  AttemptRow,
  BranchName,
  FinishMode,
  IncludedFiles,
  KeptWorktree,
  SetupCommand,
  Worktree,
  WorktreeLosses,
} from './worktrees.ts';

const directory = z.string().min(1).max(4096);
const revision = z.string().min(1).max(400);
const FAULTS = ['missing_cwd', 'not_found', 'conflict', 'no_answer', 'too_large', 'storage_full'] as const;

/** What removing a work tree needs to know. */
const removal = {
  /** A directory in the work tree. */
  path: directory,
  /** Remove it although something goes with it that git does not keep elsewhere. */
  lose: z.boolean().default(false),
  /** Answers what would be done, and does nothing. */
  is_trial: z.boolean().default(false),
};

export const WORKTREE_ROUTES = {
  listWorktrees: {
    method: 'GET',
    path: `${base}/worktrees`,
    scope: 'run',
    summary: 'The work trees of the repository that a directory is in, and the branches a new one can have',
    query: z.object({ cwd: directory }),
    output: z.object({
      worktrees: z.array(Worktree),
      /** The one that the directory is in. */
      root: z.string().nullable(),
      /** The first 200, the newest first. */
      branches: z.array(BranchName),
      /** What new branches begin at and finished ones go into; null where nothing says so. */
      base: z.string().nullable(),
      /** What `.worktreeinclude` copies into a new one. */
      included: IncludedFiles,
      /** What runs in each new one, as a person wrote it; null: nothing. */
      setup: z.string().nullable(),
      /** Why there is nothing to list: no repository, say. */
      reason: z.string().nullable(),
    }),
    errors: [...FAULTS],
  },
  worktreeBranches: {
    method: 'GET',
    path: `${base}/worktrees/branches`,
    scope: 'read',
    summary:
      'The branch of each conversation that works in a linked work tree; conversations in main work trees are left out',
    output: z.object({ branches: z.array(z.object({ id: ConversationId, branch: z.string() })) }),
    errors: [],
  },
  listAttempts: {
    method: 'GET',
    path: `${base}/conversations/{id}/attempts`,
    scope: 'read',
    summary:
      'The attempts at the task of a conversation, with state, last answer and changes; none if it is not one of several',
    params: conversationParam,
    output: z.object({ attempts: z.array(AttemptRow) }),
    errors: ['unknown_conversation'],
  },
  writeWorktreeSetup: {
    method: 'POST',
    path: `${base}/worktrees/setup`,
    scope: 'owner',
    summary:
      'The command that runs in each new work tree that a conversation of this repository begins in; null for none',
    body: z.object({ cwd: directory, command: SetupCommand.nullable() }),
    output: z.object({ setup: z.string().nullable() }),
    errors: [...FAULTS],
  },
  addWorktree: {
    method: 'POST',
    path: `${base}/worktrees`,
    scope: 'run',
    summary:
      'A new work tree beside the repository, on a new branch or on one that exists, with the files that .worktreeinclude names',
    body: z.object({
      cwd: directory,
      branch: z.string().min(1).max(250),
      /** Of a new branch: where it begins. Default: the base branch. */
      from: revision.optional(),
      /** The branch exists already. */
      existing: z.boolean().default(false),
    }),
    output: z.object({
      worktree: Worktree,
      /** Ignored files that were copied. */
      copied: z.array(z.string()),
      warnings: z.array(z.string()),
    }),
    errors: [...FAULTS],
  },
  finishWorktree: {
    method: 'POST',
    path: `${base}/worktrees/finish`,
    scope: 'run',
    summary:
      'Brings the branch of a work tree into its base, then removes work tree and branch unless something would be lost',
    body: z.object({
      ...removal,
      mode: FinishMode.default('merge'),
      /** Default: the base branch. */
      into: revision.optional(),
      /** Keep work tree and branch. */
      keep: z.boolean().default(false),
    }),
    output: z.object({
      into: z.string(),
      branch: z.string(),
      /** Commits that the base gets. */
      commits: z.number().int(),
      /** nothing: the base has them all · fast_forward: the base is set forward · merge, rebase: as asked. */
      how: z.enum(['nothing', 'fast_forward', 'merge', 'rebase']),
      /** Files that both sides changed; while there are any, nothing is done. */
      conflicts: z.array(z.string()),
      losses: WorktreeLosses,
      is_brought: z.boolean(),
      is_removed: z.boolean(),
      kept: KeptWorktree.nullable(),
    }),
    errors: [...FAULTS],
  },
  removeWorktree: {
    method: 'POST',
    path: `${base}/worktrees/remove`,
    scope: 'run',
    summary:
      'Removes a work tree, and its branch if asked; what git does not keep elsewhere is named first and kept for 90 days',
    body: z.object({ ...removal, with_branch: z.boolean().default(false) }),
    output: z.object({ losses: WorktreeLosses, is_removed: z.boolean(), kept: KeptWorktree.nullable() }),
    errors: [...FAULTS],
  },
} as const satisfies Record<string, RouteDef>;
