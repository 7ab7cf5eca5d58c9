/** Route id → service call, for conversations as a whole. No logic. */
import { type ConversationId, conversationIdOfThread } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { RouteInput, RouteOutput } from '../../contract/routes.ts';
import type { CONVERSATION_ROUTES } from '../../contract/routes-conversations.ts';
import type { MadeWorktree } from '../../contract/worktrees.ts';
import { refuseCall } from '../../core/access/refuse-call.ts';
import { stepsOfNew, stepsOfSettings } from '../../core/access/step-up.ts';
import { visiblePreview } from '../../core/context/carriers.ts';
import { pickSettings } from '../../core/conversations/project-settings.ts';
import { expandPath } from '../../node/path-kind.ts';
import type { Caller } from '../caller.ts';
import { confirmChange, type HandlersFor, mayLoosen, type Services } from './services.ts';

export function conversationHandlers(services: Services): HandlersFor<typeof CONVERSATION_ROUTES> {
  const { registry, actions, selection } = services;
  type Change = Omit<RouteInput<'patchConversation'>, 'id'>;
  const change = async (id: ConversationId, { revision, confirm, ...patch }: Change, caller: Caller) => {
    const opened = await registry.open(id);
    if (!opened.ok) return opened;
    const steps = stepsOfSettings(opened.value.meta(), patch);
    const confirmed = await confirmChange(services, { caller, steps, change: ['patch', id, patch], confirm });
    if (!confirmed.ok) return confirmed;
    const changed = await actions.change(id, patch, { loosen: mayLoosen(caller), revision });
    return changed.ok ? ok({ conversation: changed.value.meta, ...told(changed.value.warnings) }) : changed;
  };
  return {
    async listConversations(query, caller) {
      const { rows, nextCursor } = await registry.rows(query);
      // A command of an agent sees its own conversation only.
      const seen = caller.kind === 'agent' ? rows.filter(({ id }) => id === caller.conversationId) : rows;
      return ok({ conversations: seen, next_cursor: nextCursor });
    },
    async createConversation({ confirm, rollout_path, remember = [], worktree, ...patch }, caller) {
      const mayRun = refuseCall(caller, 'run');
      if (worktree !== undefined && mayRun !== null) return { ok: false, error: mayRun };
      if (worktree !== undefined && rollout_path !== undefined)
        return fail(
          'invalid_request',
          'a thread that Codex has cannot begin in a new work tree: leave one of the two out',
        );
      if (rollout_path !== undefined) {
        const imported = await actions.importRollout(rollout_path);
        if (!imported.ok) return imported;
        const { conversation_id: id } = imported.value.conversation.meta();
        const isChanged = Object.values(patch).some((value) => value !== undefined);
        const changed = isChanged ? await change(id, { ...patch, confirm }, caller) : null;
        if (changed?.ok === false) return changed;
        return ok({ id, conversation: imported.value.conversation.meta(), ...told(changed?.value.warnings ?? []) });
      }
      const { preferences } = services;
      const cwd = expandPath(patch.cwd ?? preferences.current().cwd ?? process.cwd()) ?? '';
      const kept = pickSettings(patch, remember);
      if (remember.length > 0 && !mayLoosen(caller))
        return fail('forbidden', 'only the page sets what a project remembers');
      const remembered = await preferences.projects.of(cwd);
      const steps = stepsOfNew(await preferences.inProject(cwd), patch, { cwd, kept, remembered });
      const confirmed = await confirmChange(services, {
        caller,
        steps,
        change: ['createConversation', patch, remember, ...(worktree === undefined ? [] : [worktree])],
        confirm,
      });
      if (!confirmed.ok) return confirmed;
      // Whoever may run commands anywhere gains nothing by it.
      const rights = { loosen: mayLoosen(caller), anywhere: mayRun === null };
      const begun: Result<Begun> =
        worktree === undefined
          ? await actions.create(patch, rights)
          : await services.beginInWorktree(cwd, worktree, (path) =>
              actions.create({ ...patch, cwd: path }, rights, worktree.attempt),
            );
      if (!begun.ok) return begun;
      const stored = remember.length === 0 ? ok(null) : await preferences.projects.remember(cwd, kept);
      const warnings = [...begun.value.warnings, ...(stored.ok ? [] : [stored.error.message])];
      return ok(begunAnswer({ ...begun.value, warnings }));
    },
    async selectConversation({ id }, caller) {
      const opened = await registry.open(id);
      if (!opened.ok) return opened;
      selection.set(caller, id);
      return ok({ conversation: opened.value.meta() });
    },
    async readConversation({ id }) {
      const opened = await registry.open(id);
      return opened.ok ? ok({ conversation: opened.value.meta(), row: opened.value.row() }) : opened;
    },
    readSubAgent: ({ id, thread_id, entries }) => actions.subAgent(id, thread_id, entries ?? false),
    async conversationNetwork({ id }) {
      const network = await actions.network(id);
      return network.ok ? ok({ network: network.value }) : network;
    },
    patchConversation: ({ id, ...patch }, caller) => change(id, patch, caller),
    async currentConversation({ conversation_id }, caller) {
      const id = conversation_id ?? selection.of(caller);
      if (id === undefined) return noSelection();
      const opened = await registry.open(id);
      return opened.ok ? ok({ conversation: opened.value.meta(), row: opened.value.row() }) : opened;
    },
    async patchCurrentConversation({ conversation_id, ...patch }, caller) {
      const id = conversation_id ?? selection.of(caller);
      return id === undefined ? noSelection() : change(id, patch, caller);
    },
    async deleteConversation({ id }) {
      const trashed = await actions.trash(id);
      return trashed.ok ? ok({ ok: true, ended_commands: trashed.value }) : trashed;
    },
    async listDeleted() {
      return ok({ conversations: [...(await actions.listTrash())] });
    },
    async restoreConversation({ id }) {
      const restored = await actions.restore(id);
      return restored.ok ? ok({ conversation: restored.value }) : restored;
    },
    async archiveConversation({ id }) {
      const archived = await actions.setArchived(id, true);
      return archived.ok ? ok({ conversation: archived.value }) : archived;
    },
    async unarchiveConversation({ id }) {
      const unarchived = await actions.setArchived(id, false);
      return unarchived.ok ? ok({ conversation: unarchived.value }) : unarchived;
    },
    async forkConversation({ id, turn_id, worktree }, caller) {
      const mayRun = refuseCall(caller, 'run');
      if (worktree !== undefined && mayRun !== null) return { ok: false, error: mayRun };
      const forked: Result<Begun> =
        worktree === undefined ? await actions.fork(id, turn_id) : await services.forkInWorktree(id, turn_id, worktree);
      return forked.ok ? ok(begunAnswer(forked.value)) : forked;
    },
    async revertConversation({ id, before_turn_id }) {
      const reverted = await actions.revert(id, before_turn_id);
      return reverted.ok ? ok({ conversation: reverted.value }) : reverted;
    },
    async recoverConversation({ id }) {
      const recovered = await actions.recover(id);
      return recovered.ok ? ok({ conversation: recovered.value }) : recovered;
    },
    async reviewConversation({ id, target }) {
      const started = await actions.review(id, target);
      return started.ok ? ok({ turn_id: started.value }) : started;
    },
    async markRead({ id, seq }) {
      const opened = await registry.open(id);
      if (!opened.ok) return opened;
      const meta = opened.value.meta();
      const lastSeq = opened.value.session.publishedSeq();
      const readSeq = Math.min(seq, lastSeq);
      if (readSeq <= meta.read_seq) return ok({ ok: true });
      const saved = await opened.value.changeMeta((now) => ({
        ...now,
        read_seq: Math.max(now.read_seq, readSeq),
        unread: readSeq < lastSeq ? now.unread : 0,
      }));
      return saved.ok ? ok({ ok: true }) : saved;
    },
    async rollouts(query) {
      const page = await registry.threads(query);
      if (!page.ok) return page;
      const rollouts = page.value.threads.map((thread) => ({
        thread_id: thread.threadId,
        conversation_id: registry.resolve(conversationIdOfThread(thread.threadId)),
        preview: visiblePreview(thread.preview),
        cwd: thread.cwd,
        path: thread.rolloutPath,
        updated_at: thread.updatedAt,
      }));
      return ok({ rollouts, next_cursor: page.value.nextCursor });
    },
  };
}

type Begun = Extract<Awaited<ReturnType<Services['actions']['create']>>, { readonly ok: true }>['value'] & {
  readonly worktree?: MadeWorktree | undefined;
};

function begunAnswer({ conversation, warnings, worktree }: Begun): RouteOutput<'createConversation'> {
  const meta = conversation.meta();
  const made = worktree === undefined ? {} : { worktree };
  return { id: meta.conversation_id, conversation: meta, ...told(warnings), ...made };
}

/** Absent where there is nothing to warn about. */
const told = (warnings: string[]) => (warnings.length === 0 ? {} : { warnings });

function noSelection() {
  return fail('unknown_conversation', 'no conversation is selected: give conversation_id');
}
