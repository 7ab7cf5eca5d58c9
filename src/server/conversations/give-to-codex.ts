/** The four requests by which the outbox reaches Codex: a turn, a steer, an injection, an interrupt. */
import type { ConversationMeta } from '../../contract/conversation.ts';
import { type ErrorCode, type Failure, fail, ok, type Result } from '../../contract/result.ts';
import { isRefusal } from '../../core/codex/refusal.ts';
import { unattended } from '../../core/conversations/settings.ts';
import type { Give, OutboxInput } from '../../core/outbox/state.ts';
import type { Logger } from '../../node/logger.ts';
import type { Along, CheckpointPort, CodexPort, EventPort } from './ports.ts';
import type { SentMessages } from './sent-messages.ts';
import type { Session } from './session.ts';
import type { Thread } from './thread.ts';

interface GiverOptions {
  readonly codex: CodexPort;
  readonly events: EventPort;
  readonly beforeTurn: CheckpointPort;
  readonly session: Session;
  readonly thread: Thread;
  readonly sent: SentMessages;
  /** What goes along with a message, and the thread it was collected for. */
  readonly prepared: (messageId: string) => Prepared;
  readonly meta: () => ConversationMeta;
  /** A turn was stopped: its id, and those of the turns inside it. */
  readonly onInterrupted: (turnIds: readonly string[]) => void;
  readonly log: Logger;
}

export interface Prepared {
  readonly along: Along;
  readonly threadId: string | null;
}

/** Failures of ours from before anything goes to Codex. */
const NEVER_SENT: ReadonlySet<ErrorCode> = new Set(['too_large', 'missing_cwd', 'thread_unreadable']);

type Reply = (input: OutboxInput) => void;

/** `ended`: resolves when the turn of an interrupt has ended, with whether it was stopped. */
export type Giver = (give: Give, reply: Reply, ended: (turnId: string) => Promise<boolean>) => Promise<void>;

export function createGiver(options: GiverOptions): Giver {
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
    await options.beforeTurn(id);
    const settings = give.isUnattended ? unattended(meta()) : meta();
    const request = { threadId: threadId.value, message, settings, applied: thread.applied() };
    return codex.startTurn(request, (turnId) =>
      session.accept({ type: 'turn.started', threadId: threadId.value, turnId, startedAtMs: null }),
    );
  };

  /** Codex does not know the thread any more. Loading it again tells whether it was deleted: then the person can go on in a new one. */
  const explainStale = async (failure: Failure): Promise<Failure> => {
    if (failure.code !== 'stale') return failure;
    thread.forget();
    const loaded = await thread.ensure();
    return !loaded.ok && loaded.error.code === 'thread_unreadable' ? loaded.error : failure;
  };

  const inject = async ({ id: deliveryId, events }: Extract<Give, { kind: 'inject' }>): Promise<Result<null>> => {
    const { thread_id: threadId } = meta();
    const fragments = threadId === null ? null : await options.events.beginInjection(id, events, deliveryId);
    if (threadId === null || fragments === null) return fail('unknown_thread', `nothing to put ${deliveryId} into`);
    const done = await codex.injectFragments(threadId, fragments);
    return done.ok ? ok(null) : done;
  };

  /** Codex does not answer an interrupt that meets the end of its turn: then the end of the turn is the answer. */
  const interrupt = async (turnId: string, reply: Reply, ended: Promise<boolean>): Promise<void> => {
    const { thread_id: threadId } = meta();
    const { turn } = session.state();
    const turnIds = turn?.id === turnId ? [turnId, ...turn.nested] : [turnId];
    if (threadId === null) return reply({ type: 'interrupted', outcome: false });
    const asked = codex.interruptTurn(threadId, turnId).then((answer) => {
      if (answer.ok) return true;
      return answer.error.code === 'no_active_turn' ? false : answer.error;
    });
    const outcome = await Promise.race([asked, ended]);
    if (outcome === true) options.onInterrupted(turnIds);
    reply({ type: 'interrupted', outcome });
  };

  return async (give, reply, ended) => {
    if (give.kind === 'interrupt') return interrupt(give.turnId, reply, ended(give.turnId));
    const answer = give.kind === 'inject' ? await inject(give) : await giveMessage(give);
    if (answer === 'replaced') return reply({ type: 'not_given', id: give.id });
    if (answer.ok) return reply({ type: 'accepted', id: give.id, turnId: answer.value });
    const failure = await explainStale(answer.error);
    const isCertain = isRefusal(failure.code) || NEVER_SENT.has(failure.code);
    if (isCertain) log.warn({ id, message: give.id, failure }, 'Codex refused a delivery');
    reply({ type: 'refused', id: give.id, failure, isCertain });
  };
}
