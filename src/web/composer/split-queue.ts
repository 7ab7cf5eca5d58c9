/** Which queued messages still wait, and which the transcript shows already because they are being handed to Codex. */
import type { QueuedMessage } from '../../contract/conversation.ts';
import type { Entry } from '../../contract/entry.ts';

export interface SplitQueue {
  /** Shown in the transcript; still part of the queue, so that a change of the queue must keep them. */
  readonly leaving: readonly QueuedMessage[];
  readonly waiting: readonly QueuedMessage[];
}

export function splitQueue(queue: readonly QueuedMessage[], entries: readonly Entry[]): SplitQueue {
  const shown = new Set(entries.map((entry) => (entry.role === 'user' ? entry.client_message_id : undefined)));
  return {
    leaving: queue.filter((one) => shown.has(one.client_message_id)),
    waiting: queue.filter((one) => !shown.has(one.client_message_id)),
  };
}
