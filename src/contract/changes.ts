/** What crosses a boundary about changes of files: checkpoints, what a turn changed, the plan of an undo. Also the files they are kept in. */
import { z } from 'zod';
import { ConversationId } from './ids.ts';

export const CheckpointId = z.string().regex(/^chk_[0-9a-f]{16}$/, 'expected chk_ and 16 hex digits');

/** The name of an object of git: SHA-1 or SHA-256. */
const ObjectId = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);

/** A file that a checkpoint does not have, and why. */
export const LeftOut = z.object({
  path: z.string(),
  /** too_large: above the limit of one file, or of all new files together · repository: a folder with a repository of its own. */
  reason: z.enum(['too_large', 'unreadable', 'repository']),
});
export type LeftOut = z.infer<typeof LeftOut>;

/** The files of a work tree at one moment. */
export const Snapshot = z.object({
  commit: ObjectId,
  tree: ObjectId,
  at: z.string(),
  /** Files that changed after the turn had begun and before the snapshot had read them: their state before the turn is not known. */
  late: z.array(z.string()),
  left_out: z.array(LeftOut),
  /** The commit that was checked out; null before the first one. Absent in older files. */
  head: ObjectId.nullable().optional(),
  /** Of the files that this snapshot read into the repository: new ones and changed ones. */
  stored_bytes: z.number().int().nonnegative().default(0),
});
export type Snapshot = z.infer<typeof Snapshot>;

export const Checkpoint = z.object({
  id: CheckpointId,
  conversation_id: ConversationId,
  /** Counts the checkpoints of a conversation from 1. */
  number: z.number().int().positive(),
  /** What the files were kept around: a turn, or a change that a person made with undo, restore or discard. */
  kind: z.enum(['turn', 'undo', 'restore', 'discard']),
  turn_id: z.string().nullable(),
  /** The checkpoint that was undone or restored; null for a turn and a discard. */
  of: CheckpointId.nullable(),
  /** The top of the work tree. */
  root: z.string(),
  before: Snapshot,
  /** Null while the turn runs, and if the server ended before the turn did. */
  after: Snapshot.nullable(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** `changes/<conversation>.json` in the home. */
export const CheckpointFile = z.object({ next_number: z.number().int().positive(), checkpoints: z.array(Checkpoint) });
export type CheckpointFile = z.infer<typeof CheckpointFile>;

/** One side of a file: its mode as git writes it (100644, 100755, 120000, 160000) and its content. */
export const FileSide = z.object({ mode: z.string().regex(/^[0-7]{6}$/), oid: ObjectId });
export type FileSide = z.infer<typeof FileSide>;

export const ChangedFile = z.object({
  /** Valid UTF-8 as it is; other names as git quotes them. */
  path: z.string(),
  /** Where a renamed file was before. */
  old_path: z.string().nullable(),
  status: z.enum(['added', 'changed', 'deleted', 'renamed', 'mode_changed', 'type_changed']),
  before: FileSide.nullable(),
  after: FileSide.nullable(),
  /** Lines; null for a binary file and a submodule. */
  added: z.number().int().nullable(),
  removed: z.number().int().nullable(),
  /** The file changed before the checkpoint had read it, so its content before the turn is not known. */
  is_late: z.boolean(),
  /** Other conversations with a turn at the same time that changed the file too. */
  also_changed_by: z.array(ConversationId),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

export const UndoChoice = z.enum(['keep', 'older', 'both']);
export type UndoChoice = z.infer<typeof UndoChoice>;

/** What an undo does to one file. */
export const UndoStep = z.object({
  path: z.string(),
  /**
   * restore: gets its older content · already: has it already · conflict: was changed since, so a person chooses · keep: stays as it is ·
   * both: stays, and the older content is written beside it as `beside` · not_kept: the checkpoint does not have it.
   */
  action: z.enum(['restore', 'already', 'conflict', 'keep', 'both', 'not_kept']),
  from: FileSide.nullable(),
  to: FileSide.nullable(),
  beside: z.string().nullable(),
});
export type UndoStep = z.infer<typeof UndoStep>;

/** One write of a journal: the file at `path` goes from one content to another. */
export const JournalWrite = UndoStep.pick({ path: true, from: true, to: true });
export type JournalWrite = z.infer<typeof JournalWrite>;

/** `changes/journal/<id>.json`: an undo or a restore that has begun. Deleted when it is done. */
export const Journal = z.object({
  checkpoint: Checkpoint,
  git_dir: z.string(),
  writes: z.array(JournalWrite),
});
export type Journal = z.infer<typeof Journal>;

/** One file of a status: what `git status` says about the index and about the work tree. */
export const StatusFile = z.object({
  path: z.string(),
  old_path: z.string().nullable(),
  /** One letter of git's porcelain format each: M, T, A, D, R, C, U; `.` for unchanged, `?` for untracked. */
  staged: z.string().length(1),
  unstaged: z.string().length(1),
});
export type StatusFile = z.infer<typeof StatusFile>;

export const RepositoryStatus = z.object({
  root: z.string(),
  /** Null when HEAD is detached. */
  branch: z.string().nullable(),
  /** Null before the first commit. */
  head: z.string().nullable(),
  upstream: z.string().nullable(),
  ahead: z.number().int().nullable(),
  behind: z.number().int().nullable(),
  counts: z.object({
    staged: z.number().int(),
    unstaged: z.number().int(),
    untracked: z.number().int(),
    conflicted: z.number().int(),
  }),
  /** The first 2,000. */
  files: z.array(StatusFile),
});
export type RepositoryStatus = z.infer<typeof RepositoryStatus>;
