/** What a person can do to a conversation beside talking: create, change, archive, fork, revert, review, compact, run a shell command. */
import type { ConversationMeta, DeletedRow, Model, Preferences, SettingsPatch } from '../../contract/conversation.ts';
import { type ConversationId, conversationIdOfThread } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { SubAgentRecord } from '../../contract/sub-agent.ts';
import type { Attempt } from '../../contract/worktrees.ts';
import { threadIdOfRollout } from '../../core/codex/rollout-line.ts';
import type { ThreadRecord } from '../../core/codex/signal.ts';
import type { EndedCommand } from '../../core/context/command-buffer.ts';
import { forgetTold } from '../../core/context/in-flight.ts';
import type { Lifecycle } from '../../core/conversations/lifecycle.ts';
import { networkOf } from '../../core/conversations/network.ts';
import { draftMeta, metaOfFork } from '../../core/conversations/new-meta.ts';
import { applyPatch, isLooser } from '../../core/conversations/settings.ts';
import type { Logger } from '../../node/logger.ts';
import { expandPath, isDirectory, realPathOf, resolveDirectory } from '../../node/path-kind.ts';
import { storageFailure } from '../storage-failure.ts';
import { createChanges } from './change-alone.ts';
import type { Conversation } from './conversation.ts';
import { type ExposurePort, warnOfExposure } from './exposure.ts';
import { boundCwd, isInsideAny, notChosen, tooLoose } from './loosening.ts';
import type { CodexPort, ProjectPort } from './ports.ts';
import { readSubAgent } from './read-sub-agent.ts';
import type { Registry } from './registry.ts';
import type { ConversationStore } from './store.ts';

export interface Actions {
  create(patch: SettingsPatch, may: CreateRights, attempt?: Attempt | null): Promise<Result<Created>>;
  change(
    id: ConversationId,
    patch: SettingsPatch,
    guard: { readonly loosen: boolean; readonly revision: number | undefined },
  ): Promise<Result<{ readonly meta: ConversationMeta; readonly warnings: string[] }>>;
  /** The conversation of the thread that Codex keeps in this file. Fails with `unknown_thread` if Codex keeps it elsewhere, or not at all. */
  importRollout(path: string): Promise<Result<Created>>;
  /** Its thread in Codex, started or resumed with the settings of the conversation. */
  loadThread(id: ConversationId): Promise<Result<ConversationMeta>>;
  /** Whether a command in its sandbox reaches the network; null if Codex does not say. */
  network(id: ConversationId): Promise<Result<boolean | null>>;
  /** The thread of one of its sub-agents. Fails with `unknown_thread` for any other thread. */
  subAgent(id: ConversationId, threadId: string, withEntries: boolean): Promise<Result<SubAgentRecord>>;
  /** Ends what runs for it first; says how many commands that were. */
  trash(id: ConversationId): Promise<Result<number>>;
  restore(id: ConversationId): Promise<Result<ConversationMeta>>;
  listTrash(): Promise<readonly DeletedRow[]>;
  /** Deletes for good what has been in the trash for a day, in Codex too. */
  emptyTrash(): Promise<void>;
  setArchived(id: ConversationId, archived: boolean): Promise<Result<ConversationMeta>>;
  /** `cwd`: where the new one works; without it, where this one does. */
  fork(id: ConversationId, turnId: string | undefined, cwd?: string): Promise<Result<Created>>;
  revert(id: ConversationId, beforeTurnId: string): Promise<Result<ConversationMeta>>;
  review(id: ConversationId, target: Record<string, unknown>): Promise<Result<string>>;
  compact(id: ConversationId): Promise<Result<null>>;
  /** Goes on in a new thread, with a short history for the model; only where Codex cannot read the thread any more. */
  recover(id: ConversationId): Promise<Result<ConversationMeta>>;
  shell(id: ConversationId, command: string): Promise<Result<ShellResult>>;
}

interface Created {
  readonly conversation: Conversation;
  /** What the person should know about the directory; it is in the transcript too. */
  readonly warnings: string[];
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
  readonly exposureOf: ExposurePort;
  readonly preferences: () => Preferences;
  /** What new conversations in a directory start with. */
  readonly inProject: (cwd: string) => Promise<Preferences>;
  readonly models: () => Promise<readonly Model[]>;
  readonly newId: () => ConversationId;
  readonly log: Logger;
  readonly now: () => string;
  /** Ends every command that runs for the conversation, also in its terminal; answers how many ended. */
  readonly endCommands: (id: ConversationId) => Promise<number>;
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

  const { alone, inOrder } = createChanges(registry);

  const threadOf = async (conversation: Conversation): Promise<Result<string>> => {
    if (conversation.meta().thread_id === null) return fail('conflict', 'the conversation has no messages yet');
    return conversation.thread.ensure();
  };

  /** `typed`: as the person wrote it, for the message. */
  const checkCwd = async (cwd: string, typed = cwd): Promise<Result<null>> =>
    (await isDirectory(cwd)) ? ok(null) : fail('missing_cwd', `the directory ${typed} does not exist`);

  /** Two clients that ask at once get one new thread. */
  const recoveries = new Map<ConversationId, Promise<Result<ConversationMeta>>>();
  const recover = async (conversation: Conversation): Promise<Result<ConversationMeta>> => {
    const { thread_id: lost } = conversation.meta();
    const loaded = await threadOf(conversation);
    if (loaded.ok || lost === null) return loaded.ok ? nothingToRecover() : loaded;
    if (loaded.error.code !== 'thread_unreadable') return loaded;
    const replaced = await conversation.thread.replace();
    if (!replaced.ok) return replaced;
    await conversation.session.append({
      role: 'note',
      kind: 'recovered',
      text: `Codex could not read its record of this conversation (thread ${lost}). It goes on in the new thread ${replaced.value}; the model was given a short history made from this transcript.`,
    });
    return ok(conversation.meta());
  };

  const forkThread = async (threadId: string, cwd: string, lastTurnId?: string): Promise<Result<ThreadRecord>> => {
    const project = await options.project(cwd);
    if (!project.ok) return project;
    return codex.forkThread({ threadId, lastTurnId, cwd, levels: project.value.levels });
  };

  /** The way back from a revert: an archived fork with everything. Without it nothing is reverted. */
  const keepCopy = async (meta: ConversationMeta, threadId: string): Promise<Result<ConversationId>> => {
    const forked = await forkThread(threadId, meta.cwd);
    if (!forked.ok) return forked;
    const archived = (await codex.archiveThread(forked.value.threadId)).ok;
    const copy = { ...metaOfFork(meta, forked.value, options.now(), 'before an edit'), archived };
    const added = await registry.add(copy);
    return added.ok ? ok(copy.conversation_id) : added;
  };

  const addWithWarning = async (meta: ConversationMeta): Promise<Result<Created>> => {
    const added = await registry.add(meta);
    if (!added.ok) return added;
    return ok({ conversation: added.value, warnings: await warnOfExposure(added.value, options.exposureOf) });
  };

  return {
    async create(patch, may, attempt = null) {
      const usual = options.preferences().cwd ?? process.cwd();
      const cwd = expandPath(patch.cwd ?? usual) ?? '';
      const checked = await checkCwd(cwd, patch.cwd);
      if (!checked.ok) return checked;
      const preferences = await options.inProject(cwd);
      if (!may.loosen && isLooser(preferences, patch)) return tooLoose();
      if (!may.anywhere) {
        const chosen = [usual, ...registry.metas().map((meta) => meta.cwd)];
        if (!(await isInsideAny(chosen, cwd))) return notChosen(cwd);
      }
      const bare = { ...draftMeta(options.newId(), preferences, options.now()), cwd };
      const models = patch.reasoning_effort ? await options.models() : [];
      const meta = { ...applyPatch(bare, { ...patch, cwd }, models, options.now()), revision: 0, attempt };
      return addWithWarning(meta);
    },
    change: (id, given, guard) =>
      inOrder(id, async () => {
        const patch = given.cwd === undefined ? given : { ...given, cwd: expandPath(given.cwd) ?? '' };
        const opened = await registry.open(id);
        if (!opened.ok) return opened;
        const conversation = opened.value;
        const meta = conversation.meta();
        if (guard.revision !== undefined && guard.revision !== meta.revision) {
          return fail('stale', 'the conversation was changed elsewhere: reload it and try again', {
            revision: meta.revision,
          });
        }
        const checked = patch.cwd === undefined ? ok(null) : await checkCwd(patch.cwd, given.cwd);
        if (!checked.ok) return checked;
        const needsModels = patch.model !== undefined || patch.reasoning_effort !== undefined;
        const models = needsModels ? await options.models() : [];
        const bounded = guard.loosen ? ok(patch) : await boundCwd(meta.cwd, patch);
        if (!bounded.ok) return bounded;
        // Compared with what is set now: it may have been tightened while the lines above waited.
        const now = conversation.meta();
        if (!guard.loosen && (isLooser(now, patch) || now.cwd !== meta.cwd)) return tooLoose();
        const at = options.now();
        const { cwd } = bounded.value;
        const placed = cwd === undefined ? {} : { real_cwd: await resolveDirectory(cwd) };
        const saved = await conversation.changeMeta((meta) => ({
          ...applyPatch(meta, bounded.value, models, at),
          ...placed,
        }));
        if (!saved.ok) return saved;
        const next = conversation.meta();
        if (patch.label !== undefined && next.thread_id !== null && next.label !== null) {
          await codex.nameThread(next.thread_id, next.label);
        }
        const warnings = next.cwd === now.cwd ? [] : await warnOfExposure(conversation, options.exposureOf);
        return ok({ meta: conversation.meta(), warnings });
      }),
    async importRollout(path) {
      const threadId = threadIdOfRollout(path);
      const opened = threadId === null ? null : await registry.open(conversationIdOfThread(threadId));
      if (opened === null || (!opened.ok && opened.error.code === 'unknown_conversation')) return noRollout(path);
      if (!opened.ok) return opened;
      const { rollout_path: kept } = opened.value.meta();
      // By the name alone a copy would pass for the file that Codex reads and writes.
      const isKept = kept !== null && (await realPathOf(kept)) === (await realPathOf(path));
      return isKept ? ok({ conversation: opened.value, warnings: [] }) : noRollout(path);
    },
    loadThread: (id) =>
      inOrder(id, async () => {
        const opened = await registry.open(id);
        if (!opened.ok) return opened;
        const checked = await checkCwd(opened.value.meta().cwd);
        if (!checked.ok) return checked;
        const loaded = await opened.value.thread.ensure();
        if (!loaded.ok) return loaded;
        // Events may have waited for the thread.
        opened.value.outbox.refresh();
        return ok(opened.value.meta());
      }),
    async network(id) {
      const opened = await registry.open(id);
      if (!opened.ok) return opened;
      const allowed = await codex.readNetworkAccess();
      // Read now: the settings may have changed while Codex was asked.
      const { thread, meta } = opened.value;
      const applied = thread.isLoaded() ? thread.applied() : null;
      return ok(networkOf(meta().sandbox, applied, allowed.ok ? allowed.value : null));
    },
    async subAgent(id, threadId, withEntries) {
      const opened = await registry.open(id);
      return opened.ok ? readSubAgent(codex, opened.value, threadId, withEntries) : opened;
    },
    trash: (id) =>
      alone(id, async (conversation) => {
        const { thread_id } = conversation.meta();
        // Nobody could see or end them once the conversation is gone.
        const ended = await options.endCommands(id);
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
        return ok(ended);
      }),
    restore: (id) =>
      inOrder(id, async () => {
        const stored = await store.restore(id);
        if (stored === null) return fail('unknown_conversation', `there is no conversation ${id} in the trash`);
        const { meta, isForged } = stored;
        if (meta.thread_id !== null && !meta.archived) await codex.unarchiveThread(meta.thread_id);
        const added = await registry.add(meta, isForged);
        if (!added.ok) return added;
        options.onLifecycle(id, { type: 'restored' });
        return ok(added.value.meta());
      }),
    listTrash: () => store.listTrash(),
    async emptyTrash() {
      await store.emptyTrash(Date.parse(options.now()) - TRASH_MS, async ({ conversation_id: id, thread_id }) => {
        // Another conversation may have the thread since: it is that one's now.
        if (thread_id === null || registry.ownerOf(thread_id) !== null) return true;
        const deleted = await codex.deleteThread(thread_id);
        // Kept in the trash until Codex has deleted it: otherwise Codex would list the thread as an archived one of its own.
        if (!deleted.ok) options.log.warn({ id, message: deleted.error.message }, 'the thread was not deleted');
        return deleted.ok;
      });
    },
    setArchived: (id, archived) =>
      alone(id, async ({ meta, thread, changeMeta }) => {
        const { thread_id } = meta();
        if (thread_id !== null) {
          const moved = await (archived ? codex.archiveThread(thread_id) : codex.unarchiveThread(thread_id));
          if (!moved.ok) return moved;
          thread.forget();
        }
        const saved = await changeMeta((now) => ({ ...now, archived }));
        return saved.ok ? ok(meta()) : saved;
      }),
    async fork(id, turnId, cwd) {
      const opened = await registry.open(id);
      if (!opened.ok) return opened;
      const copy = async (conversation: Conversation, threadId: string, lastTurnId: string | undefined) => {
        const place = cwd === undefined ? {} : { cwd, real_cwd: await resolveDirectory(cwd) };
        const parent = { ...conversation.meta(), ...place };
        const forked = await forkThread(threadId, parent.cwd, lastTurnId);
        return forked.ok ? addWithWarning(metaOfFork(parent, forked.value, options.now())) : forked;
      };
      const { thread, meta, session } = opened.value;
      const { thread_id } = meta();
      // A thread that another process has open can be read: the fork has everything up to its last finished turn.
      if (thread_id !== null && thread.holder() !== null) {
        const { turn, endedTurns } = session.state();
        return copy(opened.value, thread_id, turnId ?? (turn === null ? undefined : endedTurns.at(-1)));
      }
      return alone(id, async (conversation) => {
        const threadId = await threadOf(conversation);
        return threadId.ok ? copy(conversation, threadId.value, turnId) : threadId;
      });
    },
    revert: (id, beforeTurnId) =>
      alone(id, async (conversation) => {
        const { meta, thread, session, changeMeta } = conversation;
        const threadId = await threadOf(conversation);
        if (!threadId.ok) return threadId;
        const kept = await keepCopy(meta(), threadId.value);
        if (!kept.ok) return kept;
        const reverted = await codex.revertThread(threadId.value, beforeTurnId);
        if (!reverted.ok) return reverted;
        thread.forget();
        await changeMeta((now) => ({ ...now, context_memory: forgetTold(now.context_memory) }));
        await session.append({
          role: 'note',
          kind: 'reverted',
          text: 'Codex has forgotten these turns. Files on disk were not changed. A copy with them is in the archive.',
          kept_in: kept.value,
          turn_id: beforeTurnId,
        });
        return ok(meta());
      }),
    review: (id, target) =>
      alone(id, async ({ thread, reservation }) => {
        const threadId = await thread.ensure();
        if (!threadId.ok) return threadId;
        return reservation.during(() => codex.startReview(threadId.value, target));
      }),
    compact: (id) =>
      alone(id, async (conversation) => {
        const threadId = await threadOf(conversation);
        if (!threadId.ok) return threadId;
        return conversation.reservation.during(() => codex.compactThread(threadId.value));
      }),
    recover(id) {
      const running = recoveries.get(id) ?? alone(id, recover).finally(() => recoveries.delete(id));
      recoveries.set(id, running);
      return running;
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
      const { stdout, stderr, exit_code, duration_ms, item_id, ts, output_omitted } = await ended;
      await options.onCommand(id, {
        blockId: item_id ?? `cmd_${ts}`,
        shellId: null,
        cmd: command,
        cwd: opened.value.meta().cwd,
        exitCode: exit_code,
        ts: Date.parse(ts),
        durationMs: duration_ms,
        end: exit_code === null ? 'lost' : 'completed',
        output: stdout,
        isOutputCut: output_omitted !== undefined,
      });
      return ok({ stdout, stderr, exitCode: exit_code });
    },
  };
}

function noRollout(path: string): Result<never> {
  return fail('unknown_thread', `Codex keeps no thread in ${path}: give a rollout file below sessions in CODEX_HOME`);
}

function nothingToRecover(): Result<never> {
  return fail('conflict', 'Codex can read this conversation: there is nothing to recover');
}
