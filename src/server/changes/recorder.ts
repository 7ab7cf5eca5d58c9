/**
 * Makes a checkpoint around each turn. The snapshot before a turn begins when the turn is given to Codex, which waits for it at most
 * `MAX_WAIT_MS`. A longer snapshot goes on beside the turn; files that changed meanwhile are marked as late, never as what was before.
 */
import type { Checkpoint } from '../../contract/changes.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { Lifecycle } from '../../core/conversations/lifecycle.ts';
import { type Clock, within } from '../../node/clock.ts';
import type { Git } from '../../node/git.ts';
import { createKeyedQueue } from '../../node/keyed-queue.ts';
import type { Logger } from '../../node/logger.ts';
import type { CheckpointStore } from './checkpoint-store.ts';
import type { ReadTree } from './snapshot.ts';
import { refName, updateRefs } from './trees.ts';
import type { OpenTree, WorkTrees } from './work-trees.ts';

export interface RecorderOptions {
  readonly trees: WorkTrees;
  readonly store: CheckpointStore;
  readonly git: Git;
  readonly cwdOf: (id: ConversationId) => string | null;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Recorder {
  /** Resolves when the files were read, or after `MAX_WAIT_MS`. Never rejects: a turn does not fail for its checkpoint. */
  beforeTurn(id: ConversationId): Promise<void>;
  note(id: ConversationId, event: Lifecycle): void;
  /** Resolves when the checkpoints of what was noted so far are stored. */
  idle(): Promise<void>;
}

/** What a person does not notice after pressing Enter. */
const MAX_WAIT_MS = 100;
/** A turn that was given to Codex starts within seconds. A snapshot that no turn followed is not used for a later one. */
const MAX_HELD_MS = 30_000;

interface Held {
  readonly atMs: number;
  /** When Codex could begin; null while it cannot. */
  begunAtMs: number | null;
  readonly read: Promise<Result<{ readonly open: OpenTree; readonly read: ReadTree }>>;
}

export function createRecorder({ trees, store, git, cwdOf, clock, log }: RecorderOptions): Recorder {
  const held = new Map<ConversationId, Held>();
  const queue = createKeyedQueue<ConversationId>((error, id) => log.error({ error, id }, 'a checkpoint was not made'));
  const told = new Set<string>();

  const begin = (id: ConversationId, begunAtMs: number | null): Held | null => {
    const cwd = cwdOf(id);
    if (cwd === null) return null;
    const one: Held = {
      atMs: clock.now(),
      begunAtMs,
      read: trees
        .use(cwd, async (open) => {
          const read = await open.read(() => one.begunAtMs);
          return read.ok ? ok({ open, read: read.value }) : read;
        })
        .catch((error: unknown) => {
          log.error({ error, id }, 'the files of a conversation could not be read');
          return { ok: false, error: { code: 'internal', message: String(error) } };
        }),
    };
    return one;
  };

  /** Once per directory: outside a repository every turn would say it. */
  const explain = (id: ConversationId, message: string) => {
    if (told.has(message)) return;
    told.add(message);
    log.info({ id, reason: message }, 'no checkpoints are made for this conversation');
  };

  const keep = async (
    { open, read }: { readonly open: OpenTree; readonly read: ReadTree },
    id: ConversationId,
    turnId: string,
    side: 'before' | 'after',
  ) => {
    const snapshot = await open.commit(read, `${side} the turn ${turnId} of ${id}\n`);
    if (!snapshot.ok) return snapshot;
    const ref = refName(id, turnId, side);
    const named = await updateRefs(git, open.tree, [{ ref, oid: snapshot.value.commit }]);
    return named.ok ? snapshot : named;
  };

  const recordStart = async (id: ConversationId, turnId: string, one: Held): Promise<void> => {
    const read = await one.read;
    if (!read.ok) return explain(id, read.error.message);
    const before = await keep(read.value, id, turnId, 'before');
    if (!before.ok) return log.warn({ id, message: before.error.message }, 'the start of a turn was not kept');
    const { root } = read.value.open.tree;
    await store.add({
      conversation_id: id,
      kind: 'turn',
      turn_id: turnId,
      of: null,
      root,
      before: before.value,
      after: null,
    });
  };

  const recordEnd = async (id: ConversationId, turnId: string): Promise<void> => {
    const checkpoint = store.list(id).findLast((one) => one.turn_id === turnId && one.after === null);
    if (checkpoint === undefined) return;
    const after = await trees.use(checkpoint.root, async (open) => {
      const read = await open.read();
      return read.ok ? keep({ open, read: read.value }, id, turnId, 'after') : read;
    });
    if (after.ok) await store.update({ ...checkpoint, after: after.value });
    else log.warn({ id, message: after.error.message }, 'the end of a turn was not kept');
  };

  return {
    async beforeTurn(id) {
      const one = begin(id, null);
      if (one === null) return;
      held.set(id, one);
      const isRead = await within(clock, MAX_WAIT_MS, one.read);
      if (!isRead) one.begunAtMs = clock.now();
    },
    note(id, event) {
      if (event.type === 'turn_started') {
        const waiting = held.get(id);
        held.delete(id);
        const isFresh = waiting !== undefined && clock.now() - waiting.atMs < MAX_HELD_MS;
        // A turn that another program of Codex started may have changed files already.
        const one = isFresh ? waiting : begin(id, clock.now());
        if (one !== null) void queue.add(id, () => recordStart(id, event.turnId, one));
      } else if (event.type === 'turn_ended') void queue.add(id, () => recordEnd(id, event.turnId));
    },
    async idle() {
      await queue.allIdle();
      await trees.idle();
    },
  };
}

/** Also deletes the refs; git then collects the objects by its own rules. */
export async function dropCheckpoints(
  git: Git,
  store: CheckpointStore,
  id: ConversationId,
  checkpoints: readonly Checkpoint[],
): Promise<void> {
  const roots = new Set(checkpoints.map(({ root }) => root));
  for (const root of roots) {
    const refs = checkpoints
      .filter((one) => one.root === root)
      .flatMap(({ turn_id, id: own }) => [
        { ref: refName(id, turn_id ?? own, 'before'), oid: null },
        { ref: refName(id, turn_id ?? own, 'after'), oid: null },
      ]);
    // A repository that is gone has no refs to delete.
    await updateRefs(git, { root }, refs).catch(() => undefined);
  }
  await store.drop(id, checkpoints);
}
