/**
 * Undoes a checkpoint or restores one, and finishes at the next start what a crash interrupted. Each undo and restore is a checkpoint of its
 * own, made before the first file is written, so it can be undone in the same way.
 */
import type {
  Checkpoint,
  FileSide,
  Journal,
  JournalWrite,
  Snapshot,
  UndoChoice,
  UndoStep,
} from '../../contract/changes.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { TreeChange } from '../../core/changes/parse-git.ts';
import { planRestore, planUndo, writesOf } from '../../core/changes/plan-undo.ts';
import { errorCode } from '../../node/atomic-file.ts';
import type { Git } from '../../node/git.ts';
import type { Logger } from '../../node/logger.ts';
import { openBlobs } from './blobs.ts';
import { type CheckpointStore, newCheckpointId } from './checkpoint-store.ts';
import type { ReadTree } from './snapshot.ts';
import { diffTrees, refName, updateRefs } from './trees.ts';
import type { OpenTree, WorkTrees } from './work-trees.ts';
import { performWrite, type WriteOutcome } from './write-files.ts';

export interface UndoOptions {
  readonly trees: WorkTrees;
  readonly store: CheckpointStore;
  readonly git: Git;
  readonly log: Logger;
  /** Called after each write and between its steps; a test kills the process here. */
  readonly at?: ((point: string) => void) | undefined;
}

export interface UndoRequest {
  readonly conversationId: ConversationId;
  readonly checkpoint: Checkpoint;
  readonly choices: Readonly<Record<string, UndoChoice>>;
  /** Only the plan is wanted. */
  readonly isTrial: boolean;
}

export interface UndoResult {
  readonly steps: readonly UndoStep[];
  /** The checkpoint of the undo itself; null if nothing was written. */
  readonly checkpoint: Checkpoint | null;
  /** Files that were changed in the moment of the undo, or that something was in the way of; they are as they were. */
  readonly skipped: readonly { readonly path: string; readonly outcome: Exclude<WriteOutcome, 'done'> }[];
}

interface Written {
  readonly conversationId: ConversationId;
  readonly kind: 'undo' | 'restore' | 'discard';
  readonly of: string | null;
}

export interface Undo {
  undo(request: UndoRequest): Promise<Result<UndoResult>>;
  restore(request: Omit<UndoRequest, 'choices'> & { readonly side: 'before' | 'after' }): Promise<Result<UndoResult>>;
  /** Performs steps that were planned elsewhere, behind a checkpoint of their own. `read`: the files as the plan saw them. */
  write(open: OpenTree, what: Written, steps: readonly UndoStep[], read: ReadTree): Promise<Result<UndoResult>>;
  /** Finishes what was interrupted. Before anything else uses the work trees. */
  recover(): Promise<void>;
}

export function createUndo({ trees, store, git, log, at = () => undefined }: UndoOptions): Undo {
  const undo = ({ conversationId, checkpoint, choices, isTrial }: UndoRequest): Promise<Result<UndoResult>> =>
    trees.use(checkpoint.root, async (open) => {
      const { before, after } = checkpoint;
      if (after === null) return fail('conflict', 'the end of this turn was not kept: restore its beginning instead');
      const [files, read] = [await diffTrees(open.own, before.tree, after.tree, { renames: false }), await open.read()];
      if (!files.ok) return files;
      if (!read.ok) return read;
      const since = await diffTrees(open.own, after.tree, read.value.tree, { renames: false });
      if (!since.ok) return since;
      const steps = planUndo({
        files: files.value.map((file) => ({ ...file, isLate: before.late.includes(file.path) })),
        now: contentNow(files.value, since.value),
        notKept: leftOutOf(before, after, read.value),
        choices,
        mark: checkpoint.id.slice(-4),
      });
      if (isTrial) return ok({ steps, checkpoint: null, skipped: [] });
      const conflicts = steps.filter(({ action }) => action === 'conflict');
      if (conflicts.length > 0)
        return fail('conflict', describeConflicts(conflicts), {
          files: conflicts.slice(0, 200).map(({ path }) => path),
        });
      return perform(open, { conversationId, kind: 'undo', of: checkpoint.id }, steps, read.value);
    });

  const restore: Undo['restore'] = ({ conversationId, checkpoint, side, isTrial }) =>
    trees.use(checkpoint.root, async (open) => {
      const target = side === 'before' ? checkpoint.before : checkpoint.after;
      if (target === null) return fail('conflict', 'the end of this turn was not kept');
      const read = await open.read();
      if (!read.ok) return read;
      const files = await diffTrees(open.own, read.value.tree, target.tree, { renames: false });
      if (!files.ok) return files;
      const steps = planRestore(files.value, leftOutOf(target, read.value));
      if (isTrial) return ok({ steps, checkpoint: null, skipped: [] });
      return perform(open, { conversationId, kind: 'restore', of: checkpoint.id }, steps, read.value);
    });

  const perform = async (
    open: OpenTree,
    what: Written,
    steps: readonly UndoStep[],
    read: ReadTree,
  ): Promise<Result<UndoResult>> => {
    const writes = writesOf(steps);
    if (writes.length === 0) return ok({ steps, checkpoint: null, skipped: [] });
    const { conversationId, kind, of } = what;
    const id = newCheckpointId();
    const before = await keep(open, read, conversationId, id, 'before');
    if (!before.ok) return before;
    const { root, gitDir } = open.tree;
    const checkpoint = await store.add({
      id,
      conversation_id: conversationId,
      kind,
      turn_id: null,
      of,
      root,
      before: before.value,
      after: null,
    });
    const journal: Journal = { checkpoint, git_dir: gitDir, writes };
    await store.beginJournal(journal);
    const done = await write(open, journal);
    if (!done.ok) {
      await rollBack(open, journal);
      await finish(open, journal);
      return done;
    }
    const finished = await finish(open, journal);
    return finished.ok ? ok({ steps, checkpoint: finished.value, skipped: done.value }) : finished;
  };

  const write = async (
    open: OpenTree,
    { checkpoint, writes }: Pick<Journal, 'checkpoint' | 'writes'>,
  ): Promise<Result<UndoResult['skipped']>> => {
    const blobs = await openBlobs(
      open.own,
      writes.flatMap(({ to }) => (to === null ? [] : [to.oid])),
    );
    if (!blobs.ok) return blobs;
    const { root, objectFormat } = open.tree;
    const context = { root, objectFormat, mark: checkpoint.id.slice(-8), contentOf: blobs.value.contentOf, at };
    const skipped: UndoResult['skipped'][number][] = [];
    for (const [index, one] of writes.entries()) {
      try {
        const outcome = await performWrite(context, one, index);
        if (outcome !== 'done') skipped.push({ path: one.path, outcome });
      } catch (error) {
        // Without a code of the system it is a bug: the journal stays, and the next start goes on from here.
        if (errorCode(error) === 'unknown') throw error;
        log.error({ error, path: one.path }, 'a file could not be written; what was written is rolled back');
        return fail(
          'storage_failed',
          `${one.path} could not be written, and everything is as it was: ${String(error)}`,
        );
      }
      at('undo_write');
    }
    return ok(skipped);
  };

  /** The same writes the other way round; files that were not written are found unchanged and skipped. */
  const rollBack = async (open: OpenTree, { checkpoint, writes }: Journal): Promise<void> => {
    const back: JournalWrite[] = writes.map(({ path, from, to }) => ({ path, from: to, to: from })).reverse();
    const done = await write(open, { checkpoint, writes: back });
    if (!done.ok) log.error({ message: done.error.message, id: checkpoint.id }, 'an undo could not be rolled back');
  };

  const keep = async (
    open: OpenTree,
    read: Omit<Snapshot, 'commit'>,
    conversationId: ConversationId,
    id: string,
    side: 'before' | 'after',
  ): Promise<Result<Snapshot>> => {
    const snapshot = await open.commit(read, `${side} the change ${id} of ${conversationId}\n`);
    if (!snapshot.ok) return snapshot;
    const ref = refName(conversationId, id, side);
    const named = await updateRefs(git, open.tree, [{ ref, oid: snapshot.value.commit }]);
    return named.ok ? snapshot : named;
  };

  const finish = async (open: OpenTree, journal: Journal): Promise<Result<Checkpoint>> => {
    const { checkpoint } = journal;
    const read = await open.read();
    if (!read.ok) return read;
    const after = await keep(open, read.value, checkpoint.conversation_id, checkpoint.id, 'after');
    if (!after.ok) return after;
    const finished = { ...checkpoint, after: after.value };
    await store.update(finished);
    await store.endJournal(journal);
    return ok(finished);
  };

  return {
    undo,
    restore,
    write: perform,
    async recover() {
      for (const journal of await store.journals()) {
        const { checkpoint } = journal;
        const recovered = await trees.use(checkpoint.root, async (open) => {
          const done = await write(open, journal);
          if (!done.ok) await rollBack(open, journal);
          return finish(open, journal);
        });
        if (recovered.ok) log.warn({ id: checkpoint.id, root: checkpoint.root }, 'an interrupted undo was finished');
        else log.error({ id: checkpoint.id, message: recovered.error.message }, 'an interrupted undo is not finished');
      }
    },
  };
}

/** The content of a path that the checkpoint changed. */
function contentNow(files: readonly TreeChange[], since: readonly TreeChange[]): (path: string) => FileSide | null {
  const sides = new Map(files.map(({ path, after }) => [path, after]));
  for (const { path, after } of since) sides.set(path, after);
  return (path) => sides.get(path) ?? null;
}

function leftOutOf(...snapshots: readonly Pick<Snapshot, 'left_out'>[]): ReadonlySet<string> {
  return new Set(snapshots.flatMap(({ left_out }) => left_out.map(({ path }) => path)));
}

function describeConflicts(conflicts: readonly UndoStep[]): string {
  const [first] = conflicts;
  const which = conflicts.length === 1 ? `${first?.path} was` : `${conflicts.length} files were`;
  return `${which} changed since, so nothing was undone: choose for each whether to keep it, take the older content, or have both`;
}
