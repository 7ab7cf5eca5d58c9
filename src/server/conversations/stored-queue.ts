/** The queue of a conversation as its sidecar has it: what waits is added, what was given is taken off, also after a disk was full. */
import type { ConversationMeta, QueuedMessage } from '../../contract/conversation.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { cleanText } from '../../core/text/clean.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { MetaChange } from './stored-meta.ts';

export interface StoredQueue {
  add(message: QueuedMessage, isFirst: boolean): Promise<Result<null>>;
  /** Its entry is in the transcript: it goes from the queue as soon as the disk takes that. */
  remove(messageId: string): void;
  close(): void;
}

export interface StoredQueueOptions {
  readonly meta: () => ConversationMeta;
  readonly changeMeta: (change: MetaChange) => Promise<Result<null>>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A person who frees a full disk does not do so faster. */
const AGAIN_MS = 1_000;

export function createStoredQueue({ meta, changeMeta, clock, log }: StoredQueueOptions): StoredQueue {
  const { conversation_id: id } = meta();
  /** Given already, and still in the stored queue. */
  const given = new Set<string>();
  let again: Timer | null = null;
  let isClosed = false;

  const store = (change: (queue: readonly QueuedMessage[]) => QueuedMessage[]): Promise<Result<null>> =>
    changeMeta((now) => ({ ...now, queue: change(now.queue) }));

  const storeGiven = async (): Promise<void> => {
    const ids = [...given];
    const done = await store((queue) => queue.filter((one) => !given.has(one.client_message_id)));
    if (done.ok) {
      for (const one of ids) given.delete(one);
      return;
    }
    log.warn({ id, message: done.error.message }, 'the queue was not stored');
    // Or the message is shown as waiting for ever.
    tryAgain();
  };

  const tryAgain = (): void => {
    again?.cancel();
    if (!isClosed) again = clock.setTimer(AGAIN_MS, storeLater);
  };

  const storeLater = (): void =>
    void storeGiven().catch((error: unknown) => {
      log.error({ error, id }, 'the queue was not stored');
      tryAgain();
    });

  return {
    add: (message, isFirst) => store((queue) => (isFirst ? [message, ...queue] : [...queue, message])),
    remove(messageId) {
      given.add(messageId);
      storeLater();
    },
    close() {
      isClosed = true;
      again?.cancel();
    },
  };
}

/** A message can leave the queue, or be refused by the disk, before the new order is written. */
export function stillQueued(order: readonly QueuedMessage[], { queue }: ConversationMeta): QueuedMessage[] {
  return order.filter((one) => queue.some((other) => other.client_message_id === one.client_message_id));
}

/** The queue that a person wants; a conflict when a message of it has left the queue meanwhile. */
export function rewritten(
  { queue }: ConversationMeta,
  list: readonly { readonly clientMessageId: string; readonly text: string | null }[],
): Result<ConversationMeta['queue']> {
  const known = new Map(queue.map((one) => [one.client_message_id, one]));
  const next: ConversationMeta['queue'] = [];
  for (const { clientMessageId, text } of list) {
    const old = known.get(clientMessageId);
    if (old === undefined) return fail('conflict', `${clientMessageId} is not in the queue any more`);
    known.delete(clientMessageId);
    next.push(text === null ? old : { ...old, text: cleanText(text).toWellFormed() });
  }
  return ok(next);
}
