/** Changes of a conversation's thread, one at a time: Codex refuses, in its own words, what meets a turn or another change half-way. */
import type { ConversationId } from '../../contract/ids.ts';
import { fail, type Result } from '../../contract/result.ts';
import type { OutboxState } from '../../core/outbox/state.ts';
import { createKeyedQueue } from '../../node/keyed-queue.ts';
import type { Conversation } from './conversation.ts';
import type { Registry } from './registry.ts';

export interface Changes {
  /** Runs the task after all earlier ones of the conversation. */
  inOrder<T>(id: ConversationId, task: () => Promise<T>): Promise<T>;
  /**
   * The same, with the open conversation. Messages that are sent meanwhile wait in the queue. Refused while a turn, a review, a compaction or
   * a shell command runs, also one that is just being started.
   */
  alone<T>(id: ConversationId, change: (conversation: Conversation) => Promise<Result<T>>): Promise<Result<T>>;
}

const TURN_RUNS = fail('conflict', 'a turn is running: stop it first, or wait for its end');
const REQUEST_RUNS = fail(
  'conflict',
  'a review, compaction or shell command is running: wait for its end, or stop it first',
);

export function createChanges(registry: Pick<Registry, 'open'>): Changes {
  // A task that throws tells its own caller.
  const queue = createKeyedQueue<ConversationId>(() => undefined);
  const inOrder = <T>(id: ConversationId, task: () => Promise<T>): Promise<T> =>
    new Promise((done, failed) => void queue.add(id, () => task().then(done, failed)));

  return {
    inOrder,
    alone: (id, change) =>
      inOrder(id, async () => {
        const opened = await registry.open(id);
        if (!opened.ok) return opened;
        const { session, reservation, outbox } = opened.value;
        if (session.state().turn !== null) return TURN_RUNS;
        if (reservation.hasTurn()) return REQUEST_RUNS;
        return reservation.hold(async () => {
          // What was on its way goes to the queue now, or has reached Codex.
          await outbox.whenStill();
          if (session.state().turn !== null || isStarting(outbox.state())) return TURN_RUNS;
          return change(opened.value);
        });
      }),
  };
}

/** Codex said yes to a message, and its turn has not begun. */
const isStarting = ({ pending }: OutboxState): boolean =>
  pending.some((one) => one.kind === 'message' && one.mode !== 'steer' && one.stage === 'accepted');
