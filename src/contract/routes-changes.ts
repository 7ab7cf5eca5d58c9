/** Routes about what happened to the files of a conversation: status, checkpoints, differences, undo and restore. */
import { z } from 'zod';
import { Confirm } from './access.ts';
import { ChangedFile, Checkpoint, CheckpointId, RepositoryStatus, UndoChoice, UndoStep } from './changes.ts';
import { ReviewChoices } from './review.ts';
import { base, conversationParam, type RouteDef } from './route.ts';

const checkpointParam = conversationParam.extend({ checkpoint_id: CheckpointId });
/** `head`, `index`, `work_tree`, `base` (where the work left the base branch), or a checkpoint and its side: `chk_…:before`, `chk_…:after`. */
const diffEnd = z
  .string()
  .regex(
    /^(head|index|work_tree|base|chk_[0-9a-f]{16}:(before|after))$/,
    'expected head, index, work_tree, base or chk_…:before|after',
  );
const path = z.string().min(1).max(4096);

const Undone = z.object({
  steps: z.array(UndoStep),
  /** The checkpoint of this change, by which it can be undone; null if nothing was written. */
  checkpoint: Checkpoint.nullable(),
  /** Files that stayed as they were: changed in the same moment, or something was in the way. */
  skipped: z.array(z.object({ path: z.string(), outcome: z.enum(['changed', 'blocked']) })),
});

const shared = {
  /** Answers what would be done, and does nothing. */
  is_trial: z.boolean().default(false),
  /** For a token: the confirmation of a person at a terminal. */
  confirm: Confirm.optional(),
};

/** Files of one request: as many as a status lists. */
const MAX_SELECTED = 2_000;
/** Hunks of one file. */
const MAX_HUNKS = 1_000;

const selection = z
  .object({
    paths: z.array(path).min(1).max(MAX_SELECTED),
    /** Keys of hunks, from `changesDiff`; without them whole files. */
    hunks: z.array(z.string().min(1).max(100)).min(1).max(MAX_HUNKS).optional(),
    confirm: Confirm.optional(),
  })
  .refine(({ paths, hunks }) => hunks === undefined || paths.length === 1, 'hunks are of one file');

const FAULTS = ['unknown_conversation', 'not_found', 'conflict', 'missing_cwd', 'no_answer', 'storage_full'] as const;

export const CHANGE_ROUTES = {
  changesStatus: {
    method: 'GET',
    path: `${base}/conversations/{id}/changes`,
    scope: 'read',
    agents: 'own',
    summary:
      'The status of the repository that a conversation works in, and why there are no checkpoints if there are none',
    params: conversationParam,
    output: z.object({
      repository: RepositoryStatus.nullable(),
      /** Why there is no repository; null if there is one. */
      reason: z.string().nullable(),
      checkpoints: z.number().int(),
    }),
    errors: [...FAULTS],
  },
  changesDiff: {
    method: 'GET',
    path: `${base}/conversations/{id}/changes/diff`,
    scope: 'read',
    agents: 'own',
    summary:
      'The difference between two of HEAD, the index, the work tree, the base branch and the sides of checkpoints, of all files or of one',
    params: conversationParam,
    query: z.object({ from: diffEnd, to: diffEnd, path: path.optional() }),
    output: z.object({
      diff: z.string(),
      /** The difference is longer than what is answered, 4 MiB. */
      is_cut: z.boolean(),
      /** Of one file between `head` and `index` or `index` and `work_tree`: a key for each hunk in order, by which it is staged, unstaged or discarded. */
      hunks: z.array(z.string()),
    }),
    errors: [...FAULTS, 'too_large'],
  },
  reviewChoices: {
    method: 'GET',
    path: `${base}/conversations/{id}/review`,
    scope: 'read',
    agents: 'own',
    summary: 'What of the repository can be reviewed: branches, recent commits, and how many files are not committed',
    params: conversationParam,
    output: ReviewChoices,
    errors: [...FAULTS, 'too_large'],
  },
  listCheckpoints: {
    method: 'GET',
    path: `${base}/conversations/{id}/checkpoints`,
    scope: 'read',
    agents: 'own',
    summary: 'The checkpoints of a conversation, the oldest first',
    params: conversationParam,
    output: z.object({ checkpoints: z.array(Checkpoint) }),
    errors: ['unknown_conversation'],
  },
  readCheckpoint: {
    method: 'GET',
    path: `${base}/conversations/{id}/checkpoints/{checkpoint_id}`,
    scope: 'read',
    agents: 'own',
    summary: 'What a turn, an undo or a restore changed: each file with its lines; while a turn runs, up to now',
    params: checkpointParam,
    output: z.object({ checkpoint: Checkpoint, files: z.array(ChangedFile) }),
    errors: [...FAULTS],
  },
  undoCheckpoint: {
    method: 'POST',
    path: `${base}/conversations/{id}/checkpoints/{checkpoint_id}/undo`,
    scope: 'operate',
    summary:
      'Gives the files that a checkpoint changed their earlier content. A person only: a token needs a confirmation at a terminal',
    params: checkpointParam,
    body: z.object({
      /** For each file that was changed since. */
      choices: z.record(path, UndoChoice).default({}),
      ...shared,
    }),
    output: Undone,
    errors: [...FAULTS, 'storage_failed', 'confirmation_required'],
  },
  restoreCheckpoint: {
    method: 'POST',
    path: `${base}/conversations/{id}/checkpoints/{checkpoint_id}/restore`,
    scope: 'operate',
    summary:
      'Gives all files the content of one side of a checkpoint. A person only: a token needs a confirmation at a terminal',
    params: checkpointParam,
    body: z.object({ side: z.enum(['before', 'after']).default('before'), ...shared }),
    output: Undone,
    errors: [...FAULTS, 'storage_failed', 'confirmation_required'],
  },
  watchChanges: {
    method: 'POST',
    path: `${base}/conversations/{id}/changes/watch`,
    scope: 'read',
    summary:
      'Watches the work tree of a conversation for 90 seconds from now: each change is told by the live event `changes` of its stream',
    params: conversationParam,
    output: z.object({
      /** all: every change is told · part: the work tree has more folders than are watched · none: there is no repository. */
      coverage: z.enum(['all', 'part', 'none']),
    }),
    errors: ['unknown_conversation', 'no_answer'],
  },
  stageChanges: {
    method: 'POST',
    path: `${base}/conversations/{id}/changes/stage`,
    scope: 'operate',
    summary:
      'Puts changes of files, or hunks of one file, into the index. A person only: a token needs a confirmation at a terminal',
    params: conversationParam,
    body: selection,
    output: z.object({}),
    errors: [...FAULTS, 'too_large', 'confirmation_required'],
  },
  unstageChanges: {
    method: 'POST',
    path: `${base}/conversations/{id}/changes/unstage`,
    scope: 'operate',
    summary:
      'Gives files of the index, or hunks of one, what HEAD has. A person only: a token needs a confirmation at a terminal',
    params: conversationParam,
    body: selection,
    output: z.object({}),
    errors: [...FAULTS, 'too_large', 'confirmation_required'],
  },
  discardChanges: {
    method: 'POST',
    path: `${base}/conversations/{id}/changes/discard`,
    scope: 'operate',
    summary:
      'Gives files, or hunks of one file, what the index has, behind a checkpoint that brings them back. A person only: a token needs a confirmation at a terminal',
    params: conversationParam,
    body: selection,
    output: Undone,
    errors: [...FAULTS, 'too_large', 'storage_failed', 'confirmation_required'],
  },
} as const satisfies Record<string, RouteDef>;
