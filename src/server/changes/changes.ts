/** What happened to the files of conversations: status, checkpoints, differences, undo. The one entry to this folder. */
import type { ChangedFile, Checkpoint, RepositoryStatus, Snapshot } from '../../contract/changes.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ReviewChoices } from '../../contract/review.ts';
import { alsoChangedBy, doOverlap, type Span } from '../../core/changes/attribute.ts';
import { expiredCheckpoints, isForgotten } from '../../core/changes/retention.ts';
import type { Clock } from '../../node/clock.ts';
import type { Git } from '../../node/git.ts';
import type { Logger } from '../../node/logger.ts';
import { type CheckpointStore, openCheckpointStore } from './checkpoint-store.ts';
import { type ChangeCount, countSinceBase, type DiffEnd, type Difference, diffEnds } from './diff-ends.ts';
import { createDiscard } from './discard.ts';
import { placeSnapshot } from './place-snapshot.ts';
import { readReviewChoices } from './read-review-choices.ts';
import { createRecorder, dropCheckpoints, type Recorder } from './recorder.ts';
import { changeIndex, type Selection } from './stage.ts';
import { readStatus } from './status.ts';
import { diffTrees } from './trees.ts';
import { createUndo, type Undo, type UndoRequest, type UndoResult } from './undo.ts';
import { removeOldViews } from './view.ts';
import { type Coverage, createWatches } from './watch.ts';
import { createWorkTrees, type WorkTrees } from './work-trees.ts';

export interface ChangesOptions {
  /** `changes` in the home. */
  readonly folder: string;
  readonly git: Git;
  /** Real paths of the folders of Signalbox and Codex, whose files are never kept or shown. */
  readonly ownFolders: readonly string[];
  /** Null for a conversation that is not known. */
  readonly cwdOf: (id: ConversationId) => string | null;
  readonly isBusy: (id: ConversationId) => boolean;
  /** A checkpoint of the conversation was stored, finished or dropped. */
  readonly onCheckpoints?: (id: ConversationId) => void;
  /** The watched work tree of the conversation changed. */
  readonly onFiles?: (id: ConversationId) => void;
  readonly clock: Clock;
  readonly log: Logger;
  /** A test ends the process at a point of its choice. */
  readonly at?: (point: string) => void;
}

const BUSY = 'a turn of this conversation is running: stop it first';

interface CheckpointChanges {
  readonly checkpoint: Checkpoint;
  readonly files: readonly ChangedFile[];
}

export interface Changes extends Pick<Recorder, 'beforeTurn' | 'note'> {
  /** The status of the repository, or why there is none. */
  status(id: ConversationId): Promise<Result<RepositoryStatus>>;
  /** What of the repository can be reviewed. Fails outside a repository. */
  reviewChoices(id: ConversationId): Promise<Result<ReviewChoices>>;
  list(id: ConversationId): Result<readonly Checkpoint[]>;
  find(id: ConversationId, checkpointId: string): Result<Checkpoint>;
  /** The files that a turn, an undo or a restore changed; while a turn runs, up to now. */
  show(id: ConversationId, checkpoint: Checkpoint): Promise<Result<CheckpointChanges>>;
  diff(id: ConversationId, from: DiffEnd, to: DiffEnd, path?: string): Promise<Result<Difference>>;
  /** What the work of the conversation changed since it left the base branch, with what is not committed. */
  countSinceBase(id: ConversationId): Promise<Result<ChangeCount>>;
  undo(request: Omit<UndoRequest, 'checkpoint'> & { readonly checkpointId: string }): Promise<Result<UndoResult>>;
  restore(
    request: Omit<Parameters<Undo['restore']>[0], 'checkpoint'> & { readonly checkpointId: string },
  ): Promise<Result<UndoResult>>;
  /** Of whole files, or of hunks of one. */
  changeIndex(id: ConversationId, act: 'stage' | 'unstage', selection: Selection): Promise<Result<null>>;
  discard(id: ConversationId, selection: Selection): Promise<Result<UndoResult>>;
  /** Tells `onFiles` of changes of the files and of the index, until it is not asked for a while. */
  watch(id: ConversationId): Promise<Result<Coverage>>;
  /** The files of a work tree as they are now, as a commit without a ref. */
  keep(cwd: string, message: string): Promise<Result<string>>;
  /** Writes the files of a snapshot of another work tree of the same repository; answers what was not written, in words. */
  place(root: string, snapshot: Snapshot): Promise<Result<readonly string[]>>;
  /** Finishes interrupted undos and drops what is too old. */
  boot(): Promise<void>;
  close(): Promise<void>;
}

export async function createChanges(options: ChangesOptions): Promise<Changes> {
  const { folder, git, ownFolders, cwdOf, isBusy, clock, log, at } = options;
  const store = await openCheckpointStore(folder, options.onCheckpoints);
  const trees = createWorkTrees({ git, folder, ownFolders, now: clock.now });
  const recorder = createRecorder({ trees, store, git, cwdOf, clock, log });
  const undo = createUndo({ trees, store, git, log, at });
  const repo = { git, folder };
  const discard = createDiscard({ repo, trees, undo });
  const watches = createWatches({ git, ownFolders, onChange: options.onFiles ?? (() => undefined), clock });

  const find = (id: ConversationId, checkpointId: string): Result<Checkpoint> => {
    const found = store.list(id).find((one) => one.id === checkpointId);
    return found === undefined ? fail('not_found', `this conversation has no checkpoint ${checkpointId}`) : ok(found);
  };

  /** A person's undo and an agent's work would overwrite each other's files in turns. */
  const findIdle = (id: ConversationId, checkpointId: string): Result<Checkpoint> =>
    isBusy(id) ? fail('conflict', BUSY) : find(id, checkpointId);

  const cwdIn = (id: ConversationId): Result<string> => {
    const cwd = cwdOf(id);
    return cwd === null ? fail('unknown_conversation', `there is no conversation ${id}`) : ok(cwd);
  };

  return {
    beforeTurn: recorder.beforeTurn,
    note: recorder.note,
    async status(id) {
      const cwd = cwdIn(id);
      return cwd.ok ? trees.look(cwd.value, ({ tree }) => readStatus(git, folder, tree)) : cwd;
    },
    async reviewChoices(id) {
      const cwd = cwdIn(id);
      return cwd.ok ? trees.look(cwd.value, ({ tree }) => readReviewChoices(git, folder, tree)) : cwd;
    },
    list: (id) =>
      cwdOf(id) === null ? fail('unknown_conversation', `there is no conversation ${id}`) : ok(store.list(id)),
    find,
    show: (_id, checkpoint) => showChanges(store, trees, checkpoint),
    async diff(id, from, to, path) {
      const cwd = [from, to].flatMap((end) => (end.kind === 'checkpoint' ? [end.checkpoint.root] : []))[0];
      const where = cwd === undefined ? cwdIn(id) : ok(cwd);
      return where.ok ? trees.use(where.value, (open) => diffEnds(repo, open, from, to, path)) : where;
    },
    async countSinceBase(id) {
      const cwd = cwdIn(id);
      return cwd.ok ? trees.use(cwd.value, (open) => countSinceBase(repo, open)) : cwd;
    },
    async changeIndex(id, act, selection) {
      const cwd = cwdIn(id);
      return cwd.ok ? trees.use(cwd.value, ({ tree }) => changeIndex(repo, tree, act, selection)) : cwd;
    },
    async discard(id, selection) {
      const cwd = cwdIn(id);
      if (!cwd.ok) return cwd;
      if (isBusy(id)) return fail('conflict', BUSY);
      return discard({ conversationId: id, cwd: cwd.value, ...selection });
    },
    async watch(id) {
      const cwd = cwdIn(id);
      return cwd.ok ? watches.renew(id, cwd.value) : cwd;
    },
    async undo({ checkpointId, ...request }) {
      const checkpoint = findIdle(request.conversationId, checkpointId);
      return checkpoint.ok ? undo.undo({ ...request, checkpoint: checkpoint.value }) : checkpoint;
    },
    async restore({ checkpointId, ...request }) {
      const checkpoint = findIdle(request.conversationId, checkpointId);
      return checkpoint.ok ? undo.restore({ ...request, checkpoint: checkpoint.value }) : checkpoint;
    },
    keep: (cwd, message) =>
      trees.use(cwd, async (open) => {
        const read = await open.read();
        const commit = read.ok ? await open.commit(read.value, message) : read;
        return commit.ok ? ok(commit.value.commit) : commit;
      }),
    place: (root, snapshot) => placeSnapshot(trees, root, snapshot),
    async boot() {
      await removeOldViews(folder);
      await undo.recover();
      for (const id of store.conversations()) {
        const all = store.list(id);
        const isOver = isForgotten(all, cwdOf(id) !== null, clock.now());
        const dropped = isOver ? all : expiredCheckpoints(all, clock.now());
        if (dropped.length > 0) await dropCheckpoints(git, store, id, dropped);
      }
    },
    close() {
      watches.close();
      return recorder.idle();
    },
  };
}

async function showChanges(
  store: CheckpointStore,
  trees: WorkTrees,
  checkpoint: Checkpoint,
): Promise<Result<CheckpointChanges>> {
  // Two kept trees need no look at the files, so reading a finished checkpoint does not wait for a snapshot.
  const enter = checkpoint.after === null ? trees.use : trees.look;
  return enter(checkpoint.root, async (open) => {
    const { before, after } = checkpoint;
    const read = after === null ? await open.read() : ok(after);
    if (!read.ok) return read;
    const changed = await diffTrees(open.own, before.tree, read.value.tree, { renames: true });
    if (!changed.ok) return changed;
    const others: Parameters<typeof alsoChangedBy>[1][number][] = [];
    for (const other of overlapping(store, checkpoint)) {
      if (other.after === null) continue;
      const theirs = await diffTrees(open.own, other.before.tree, other.after.tree, { renames: false });
      if (theirs.ok)
        others.push({ conversationId: other.conversation_id, paths: new Set(theirs.value.map(({ path }) => path)) });
    }
    const files = changed.value.map((file) => ({
      ...file,
      is_late: before.late.includes(file.path),
      also_changed_by: alsoChangedBy(file.path, others),
    }));
    return ok({ checkpoint, files });
  });
}

/** More would be a machine, not people; each costs one git process. */
const MAX_OTHERS = 20;

function overlapping(store: CheckpointStore, checkpoint: Checkpoint): Checkpoint[] {
  const own = spanOf(checkpoint);
  return store
    .conversations()
    .flatMap((id) => store.list(id).filter((other) => doOverlap(own, spanOf(other))))
    .slice(-MAX_OTHERS);
}

const spanOf = ({ conversation_id, root, before, after }: Checkpoint): Span => ({
  conversationId: conversation_id,
  root,
  startMs: Date.parse(before.at),
  endMs: after === null ? null : Date.parse(after.at),
});
