/** What a person can do to a conversation beside talking: create, change, archive, fork, revert, review, compact, run a shell command. */
import type { ConversationMeta, Model, Preferences, SettingsPatch } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { EndedCommand } from '../../core/context/command-buffer.ts';
import { forgetTold } from '../../core/context/in-flight.ts';
import type { Lifecycle } from '../../core/conversations/lifecycle.ts';
import { draftMeta, metaOfFork } from '../../core/conversations/new-meta.ts';
import { applyPatch, isLooser } from '../../core/conversations/settings.ts';
import type { Logger } from '../../node/logger.ts';
import { isDirectory } from '../../node/path-kind.ts';
import type { Conversation } from './conversation.ts';
import { boundCwd, isInsideAny, notChosen, tooLoose } from './loosening.ts';
import type { CodexPort, ProjectPort } from './ports.ts';
import type { Registry } from './registry.ts';
import { type ConversationStore, storageFailure } from './store.ts';

export interface Actions {
  create(patch: SettingsPatch, may: CreateRights): Promise<Result<Conversation>>;
  change(
    id: ConversationId,
    patch: SettingsPatch,
    guard: { readonly loosen: boolean; readonly revision: number | undefined },
  ): Promise<Result<ConversationMeta>>;
  trash(id: ConversationId): Promise<Result<null>>;
  restore(id: ConversationId): Promise<Result<ConversationMeta>>;
  /** Deletes for good what has been in the trash for a day, in Codex too. */
  emptyTrash(): Promise<void>;
  setArchived(id: ConversationId, archived: boolean): Promise<Result<ConversationMeta>>;
  fork(id: ConversationId, turnId: string | undefined): Promise<Result<Conversation>>;
  revert(id: ConversationId, beforeTurnId: string): Promise<Result<ConversationMeta>>;
  review(id: ConversationId, target: Record<string, unknown>): Promise<Result<string>>;
  compact(id: ConversationId): Promise<Result<null>>;
  shell(id: ConversationId, command: string): Promise<Result<ShellResult>>;
}

interface CreateRights {
  readonly loosen: boolean;
  /** Whether a directory may be chosen that no person has chosen before. */
  readonly anywhere: boolean;
}

interface ShellResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

export interface ActionsOptions {
  readonly registry: Registry;
  readonly store: ConversationStore;
  readonly codex: CodexPort;
  readonly project: ProjectPort;
  readonly preferences: () => Preferences;
  readonly models: () => Promise<readonly Model[]>;
  readonly newId: () => ConversationId;
  readonly log: Logger;
  readonly now: () => string;
  /** Before its files are moved: nobody else may write there any more. */
  readonly release: (id: ConversationId) => Promise<void>;
  /** What an open conversation cannot emit itself: it is closed before it is deleted, and opened after it is restored. */
  readonly onLifecycle: (id: ConversationId, event: Lifecycle) => void;
  /** A command of the person's has ended. */
  readonly onCommand: (id: ConversationId, ended: EndedCommand) => Promise<void>;
}

/** A deleted conversation can be restored for a day. */
const TRASH_MS = 24 * 3600_000;

export function createActions(options: ActionsOptions): Actions {
  const { codex, registry, store } = options;

  /** An open conversation that nothing runs in: what changes a thread's history must not race a turn. */
  const openIdle = async (id: ConversationId): Promise<Result<Conversation>> => {
    const opened = await registry.open(id);
    if (!opened.ok) return opened;
    const { session, reservation } = opened.value;
    if (session.state().turn !== null) return fail('conflict', 'a turn is running: stop it first');
    if (reservation.isHeld())
      return fail('conflict', 'a review, compaction or shell command is running: wait for its end, or stop it');
    return opened;
  };

  const threadOf = async (conversation: Conversation): Promise<Result<string>> => {
    if (conversation.meta().thread_id === null) return fail('conflict', 'the conversation has no messages yet');
    return conversation.thread.ensure();
  };

  const checkCwd = async (cwd: string | undefined): Promise<Result<null>> => {
    if (cwd === undefined) return ok(null);
    return (await isDirectory(cwd)) ? ok(null) : fail('missing_cwd', `the directory ${cwd} does not exist`);
  };

  return {
    async create(patch, may) {
      const preferences = options.preferences();
      if (!may.loosen && isLooser(preferences, patch)) return tooLoose();
      const cwd = patch.cwd ?? preferences.cwd ?? process.cwd();
      const checked = await checkCwd(cwd);
      if (!checked.ok) return checked;
      if (!may.anywhere) {
        const chosen = [preferences.cwd ?? process.cwd(), ...registry.metas().map((meta) => meta.cwd)];
        if (!(await isInsideAny(chosen, cwd))) return notChosen(cwd);
      }
      const bare = { ...draftMeta(options.newId(), preferences, options.now()), cwd };
      const models = patch.reasoning_effort ? await options.models() : [];
      const meta = { ...applyPatch(bare, { ...patch, cwd }, models, options.now()), revision: 0 };
      return registry.add(meta);
    },
    async change(id, patch, guard) {
      const opened = await registry.open(id);
      if (!opened.ok) return opened;
      const conversation = opened.value;
      const meta = conversation.meta();
      if (guard.revision !== undefined && guard.revision !== meta.revision) {
        return fail('stale', 'the conversation was changed elsewhere: reload it and try again', {
          revision: meta.revision,
        });
      }
      const checked = await checkCwd(patch.cwd);
      if (!checked.ok) return checked;
      const needsModels = patch.model !== undefined || patch.reasoning_effort !== undefined;
      const models = needsModels ? await options.models() : [];
      const bounded = guard.loosen ? ok(patch) : await boundCwd(meta.cwd, patch);
      if (!bounded.ok) return bounded;
      // Compared with what is set now: it may have been tightened while the lines above waited.
      const now = conversation.meta();
      if (!guard.loosen && (isLooser(now, patch) || now.cwd !== meta.cwd)) return tooLoose();
      const next = applyPatch(now, bounded.value, models, options.now());
      const saved = await conversation.saveMeta(next);
      if (!saved.ok) return saved;
      if (patch.label !== undefined && next.thread_id !== null && next.label !== null) {
        await codex.nameThread(next.thread_id, next.label);
      }
      return ok(conversation.meta());
    },
    async trash(id) {
      const opened = await openIdle(id);
      if (!opened.ok) return opened;
      const { thread_id } = opened.value.meta();
      await options.release(id);
      await registry.drop(id);
      try {
        await store.trash(id);
      } catch (error) {
        return storageFailure(error);
      }
      // Codex keeps an archived thread; it is deleted for good when the trash is emptied.
      if (thread_id !== null) await codex.archiveThread(thread_id);
      options.onLifecycle(id, { type: 'deleted', threadId: thread_id });
      return ok(null);
    },
    async restore(id) {
      const meta = await store.restore(id);
      if (meta === null) return fail('unknown_conversation', `there is no conversation ${id} in the trash`);
      if (meta.thread_id !== null && !meta.archived) await codex.unarchiveThread(meta.thread_id);
      const added = await registry.add(meta);
      if (!added.ok) return added;
      options.onLifecycle(id, { type: 'restored' });
      return ok(added.value.meta());
    },
    async emptyTrash() {
      for (const { conversation_id: id, thread_id } of await store.emptyTrash(Date.parse(options.now()) - TRASH_MS)) {
        if (thread_id === null) continue;
        const deleted = await codex.deleteThread(thread_id);
        if (!deleted.ok) options.log.warn({ id, message: deleted.error.message }, 'the thread was not deleted');
      }
    },
    async setArchived(id, archived) {
      const opened = await openIdle(id);
      if (!opened.ok) return opened;
      const { thread_id } = opened.value.meta();
      if (thread_id !== null) {
        const moved = await (archived ? codex.archiveThread(thread_id) : codex.unarchiveThread(thread_id));
        if (!moved.ok) return moved;
        opened.value.thread.forget();
      }
      const saved = await opened.value.saveMeta({ ...opened.value.meta(), archived });
      return saved.ok ? ok(opened.value.meta()) : saved;
    },
    async fork(id, turnId) {
      const opened = await openIdle(id);
      if (!opened.ok) return opened;
      const threadId = await threadOf(opened.value);
      if (!threadId.ok) return threadId;
      const { cwd } = opened.value.meta();
      const project = await options.project(cwd);
      if (!project.ok) return project;
      const { levels } = project.value;
      const forked = await codex.forkThread({ threadId: threadId.value, lastTurnId: turnId, cwd, levels });
      return forked.ok ? registry.add(metaOfFork(opened.value.meta(), forked.value)) : forked;
    },
    async revert(id, beforeTurnId) {
      const opened = await openIdle(id);
      if (!opened.ok) return opened;
      const threadId = await threadOf(opened.value);
      if (!threadId.ok) return threadId;
      const reverted = await codex.revertThread(threadId.value, beforeTurnId);
      if (!reverted.ok) return reverted;
      opened.value.thread.forget();
      const { context_memory } = opened.value.meta();
      await opened.value.saveMeta({ ...opened.value.meta(), context_memory: forgetTold(context_memory) });
      await opened.value.session.append({
        role: 'note',
        kind: 'reverted',
        text: 'Reverted to before this turn. Files on disk were not changed.',
        turn_id: beforeTurnId,
      });
      return ok(opened.value.meta());
    },
    async review(id, target) {
      const opened = await openIdle(id);
      if (!opened.ok) return opened;
      const threadId = await opened.value.thread.ensure();
      if (!threadId.ok) return threadId;
      return opened.value.reservation.during(() => codex.startReview(threadId.value, target));
    },
    async compact(id) {
      const opened = await openIdle(id);
      if (!opened.ok) return opened;
      const threadId = await threadOf(opened.value);
      if (!threadId.ok) return threadId;
      return opened.value.reservation.during(() => codex.compactThread(threadId.value));
    },
    async shell(id, command) {
      const opened = await registry.open(id);
      if (!opened.ok) return opened;
      const checked = await checkCwd(opened.value.meta().cwd);
      if (!checked.ok) return checked;
      const threadId = await opened.value.thread.ensure();
      if (!threadId.ok) return threadId;
      const ended = opened.value.onceShellOutput(command);
      const run = () => codex.runShellCommand(threadId.value, command);
      const taken = await opened.value.reservation.during(run);
      if (!taken.ok) return taken;
      const { stdout, stderr, exit_code, item_id, ts, output_omitted } = await ended;
      await options.onCommand(id, {
        blockId: item_id ?? `cmd_${ts}`,
        shellId: null,
        cmd: command,
        cwd: opened.value.meta().cwd,
        exitCode: exit_code,
        ts: Date.parse(ts),
        end: exit_code === null ? 'lost' : 'completed',
        output: stdout,
        isOutputCut: output_omitted !== undefined,
      });
      return ok({ stdout, stderr, exitCode: exit_code });
    },
  };
}
