/** What External Events may do to a thread: find it, see how it stands, and tell its outbox what waits. */
import type { ConversationMeta } from '../../contract/conversation.ts';
import { ConversationId, conversationIdOfThread, ThreadId } from '../../contract/ids.ts';
import { ok, type Result } from '../../contract/result.ts';
import { capabilitiesOf } from '../../core/events/capabilities.ts';
import { fileHolds } from '../../node/file-holds.ts';
import type { CodexControl } from '../codex/codex-control.ts';
import type { Conversation } from '../conversations/conversation.ts';
import type { Registry } from '../conversations/registry.ts';
import type { FoundThread, ThreadsPort } from '../events/ports.ts';

export function composeThreads(registry: Registry, link: Pick<CodexControl, 'status'>): ThreadsPort {
  const withOpen = async <T>(
    id: ConversationId,
    use: (one: Conversation) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const opened = await registry.open(id);
    return opened.ok ? use(opened.value) : opened;
  };
  return {
    addressOf(id) {
      const meta = ConversationId.safeParse(id).success ? registry.metaOf(id) : null;
      return meta === null ? id : (meta.thread_id ?? id);
    },
    async find(threadId) {
      const draft = ConversationId.safeParse(threadId).success ? registry.metaOf(threadId) : null;
      if (draft !== null) return draft.thread_id === null ? foundIn(draft) : null;
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
      const meta = registry.metaOf(id);
      return {
        turnId: open?.session.state().turn?.id ?? null,
        isLoaded: open?.thread.isLoaded() ?? false,
        isArchived: meta?.archived ?? false,
        areEventsOn: meta?.context.events ?? true,
        autoTurnsInARow: open?.outbox.state().autoTurnsInARow ?? 0,
      };
    },
    capabilities: () => capabilitiesOf(link.status().version),
    isAnyTurnRunning: () => registry.loaded().some(({ session }) => session.state().turn !== null),
    runningHops: () => Math.max(0, ...registry.loaded().map(({ outbox }) => outbox.state().runningHops)),
    append: (id, entry) => withOpen(id, async ({ session }) => ok(await session.append(entry))),
    deliver: (id, input) =>
      withOpen(id, async ({ outbox }) => {
        outbox.accept(input);
        return ok(null);
      }),
    async hasKept(id, text) {
      const path = registry.metaOf(id)?.rollout_path ?? null;
      return path !== null && fileHolds(path, text);
    },
  };
}

function foundIn({ conversation_id: conversationId, label, lost_threads: lostThreads }: ConversationMeta): FoundThread {
  return { conversationId, label, lostThreads };
}
