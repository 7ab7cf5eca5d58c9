/** The four requests by which the outbox reaches Codex: a turn, a steer, an injection, an interrupt. */
import type { ConversationMeta } from '../../contract/conversation.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { isRefusal } from '../../core/codex/refusal.ts';
import { unattended } from '../../core/conversations/settings.ts';
import type { Give, OutboxInput } from '../../core/outbox/state.ts';
import type { Logger } from '../../node/logger.ts';
import type { Along, CodexPort, EventPort } from './ports.ts';
import type { SentMessages } from './sent-messages.ts';
import type { Session } from './session.ts';
import type { Thread } from './thread.ts';

interface GiverOptions {
  readonly codex: CodexPort;
  readonly events: EventPort;
  readonly session: Session;
  readonly thread: Thread;
  readonly sent: SentMessages;
  /** What goes along with a message, and the thread it was collected for. */
  readonly prepared: (messageId: string) => Prepared;
  readonly meta: () => ConversationMeta;
  readonly log: Logger;
}

export interface Prepared {
  readonly along: Along;
  readonly threadId: string | null;
}

type Reply = (input: OutboxInput) => void;

export function createGiver(options: GiverOptions): (give: Give, reply: Reply) => Promise<void> {
  const { codex, session, thread, meta, log } = options;
  const { conversation_id: id } = meta();

  const giveMessage = async (
    give: Extract<Give, { kind: 'turn' | 'steer' }>,
  ): Promise<Result<string | null> | 'replaced'> => {
    // Loaded a moment ago; Codex may have been replaced since.
    const threadId = await thread.ensure();
    if (!threadId.ok) return threadId;
    const { text, images } = options.sent.body(give.id) ?? { text: '', images: [] };
    const { along, threadId: preparedFor } = options.prepared(give.id);
    if (preparedFor !== threadId.value) return 'replaced';
    const message = { ...along, text, images, clientMessageId: give.id };
    if (give.kind === 'steer') return codex.steerTurn(threadId.value, give.turnId, message);
    const settings = give.isUnattended ? unattended(meta()) : meta();
    const request = { threadId: threadId.value, message, settings, applied: thread.applied() };
    return codex.startTurn(request, (turnId) =>
      session.accept({ type: 'turn.started', threadId: threadId.value, turnId, startedAtMs: null }),
    );
  };

  const inject = async ({ id: deliveryId, events }: Extract<Give, { kind: 'inject' }>): Promise<Result<null>> => {
    const { thread_id: threadId } = meta();
    const fragments = threadId === null ? null : await options.events.beginInjection(id, events, deliveryId);
    if (threadId === null || fragments === null) return fail('unknown_thread', `nothing to put ${deliveryId} into`);
    const done = await codex.injectFragments(threadId, fragments);
    return done.ok ? ok(null) : done;
  };

  const interrupt = async (turnId: string, reply: Reply): Promise<void> => {
    const { thread_id: threadId } = meta();
    const answer = threadId === null ? ok(null) : await codex.interruptTurn(threadId, turnId);
    if (answer.ok) return reply({ type: 'interrupted', outcome: threadId !== null });
    reply({ type: 'interrupted', outcome: answer.error.code === 'no_active_turn' ? false : answer.error });
  };

  return async (give, reply) => {
    if (give.kind === 'interrupt') return interrupt(give.turnId, reply);
    const answer = give.kind === 'inject' ? await inject(give) : await giveMessage(give);
    if (answer === 'replaced') return reply({ type: 'not_given', id: give.id });
    if (answer.ok) return reply({ type: 'accepted', id: give.id, turnId: answer.value });
    const { error: failure } = answer;
    const isCertain = isRefusal(failure.code) || failure.code === 'too_large' || failure.code === 'missing_cwd';
    if (isCertain) log.warn({ id, message: give.id, failure }, 'Codex refused a delivery');
    reply({ type: 'refused', id: give.id, failure, isCertain });
  };
}
