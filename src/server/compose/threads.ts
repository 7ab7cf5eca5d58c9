/** What External Events may do to a thread: find it, see how it stands, and put words of theirs into it. */
import type { ConversationMeta } from '../../contract/conversation.ts';
import { type ConversationId, conversationIdOfThread, ThreadId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ThreadOperations } from '../../core/codex/operations.ts';
import { fragmentOf } from '../../core/context/fragment.ts';
import { pack } from '../../core/context/pack.ts';
import { EVENTS } from '../../core/context/specs.ts';
import { capabilitiesOf } from '../../core/events/capabilities.ts';
import { fileHolds } from '../../node/file-holds.ts';
import type { CodexControl } from '../codex/codex-control.ts';
import type { Conversation } from '../conversations/conversation.ts';
import type { Registry } from '../conversations/registry.ts';
import type { FoundThread, OwnWords, ThreadsPort } from '../events/ports.ts';

export function composeThreads(
  registry: Registry,
  codex: Pick<ThreadOperations, 'injectFragments'>,
  link: Pick<CodexControl, 'status'>,
): ThreadsPort {
  const withOpen = async <T>(
    id: ConversationId,
    use: (one: Conversation) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const opened = await registry.open(id);
    return opened.ok ? use(opened.value) : opened;
  };
  const send = (id: ConversationId, message: OwnWords, mode: 'send' | 'steer', isUnattended: boolean) =>
    withOpen(id, async ({ messages, session, meta }) => {
      const isIdle = session.state().turn === null && meta().queue.length === 0;
      if (mode === 'send' && !isIdle) return fail('conflict', 'something else goes first');
      const sent = await messages.send({ ...message, images: [], isUnattended }, mode);
      if (!sent.ok) return sent;
      if (sent.value.outcome !== 'queued') return ok({ turnId: sent.value.turnId });
      // Somebody began a turn in between. Words of ours never wait in a person's queue.
      const others = meta().queue.filter((one) => one.client_message_id !== message.clientMessageId);
      await messages.rewriteQueue(others.map((one) => ({ clientMessageId: one.client_message_id, text: null })));
      return fail('conflict', 'something else goes first');
    });
  return {
    async find(threadId) {
      const known = registry.metas().find((meta) => meta.thread_id === threadId);
      if (known !== undefined) return foundIn(known);
      if (!ThreadId.safeParse(threadId).success) return null;
      const opened = await registry.open(conversationIdOfThread(threadId));
      if (!opened.ok) return null;
      const meta = opened.value.meta();
      return meta.thread_id === threadId ? foundIn(meta) : null;
    },
    status(id) {
      const open = registry.peek(id);
      const turnId = open?.session.state().turn?.id ?? null;
      const meta = registry.metaOf(id);
      return {
        turnId,
        isLoaded: open?.thread.isLoaded() ?? false,
        isArchived: meta?.archived ?? false,
        areEventsOn: meta?.context.events ?? true,
      };
    },
    capabilities: () => capabilitiesOf(link.status().version),
    isAnyTurnRunning: () => registry.loaded().some(({ session }) => session.state().turn !== null),
    append: (id, entry) => withOpen(id, async ({ session }) => ok(await session.append(entry))),
    inject: (id, { deliveryId, text }) =>
      withOpen(id, async ({ meta }) => {
        const { context } = meta();
        const note = { carrier: 'additional_context', deliveryId: context.policy ? deliveryId : null } as const;
        const { carried } = pack([fragmentOf(EVENTS, text)], note);
        const threadId = meta().thread_id;
        if (threadId === null) return fail('unknown_thread', `nothing to put ${deliveryId} into`);
        return codex.injectFragments(threadId, carried);
      }),
    steer: (id, message) => send(id, message, 'steer', false),
    startTurn: async (id, message) =>
      registry.metaOf(id)?.archived === true
        ? fail('conflict', 'the conversation is archived')
        : send(id, message, 'send', true),
    async hasKept(id, text) {
      const path = registry.metaOf(id)?.rollout_path ?? null;
      return path !== null && fileHolds(path, text);
    },
  };
}

function foundIn({ conversation_id: conversationId, label, lost_threads: lostThreads }: ConversationMeta): FoundThread {
  return { conversationId, label, lostThreads };
}
