/** Where every conversation emits its lifecycle; whoever acts on it subscribes. Created before conversations and subscribers. */
import type { ConversationId } from '../../contract/ids.ts';
import type { Lifecycle } from '../../core/conversations/lifecycle.ts';
import { createBus } from '../../node/bus.ts';
import type { Logger } from '../../node/logger.ts';

export type LifecycleListener = (conversationId: ConversationId, event: Lifecycle) => void;

export interface LifecycleBus {
  emit(conversationId: ConversationId, event: Lifecycle): void;
  /** Returns how to unsubscribe. */
  subscribe(listener: LifecycleListener): () => void;
}

export function createLifecycleBus(log: Logger): LifecycleBus {
  const bus = createBus<{ readonly id: ConversationId; readonly event: Lifecycle }>((error) =>
    log.error({ error }, 'a subscriber to the lifecycle of conversations failed'),
  );
  return {
    emit: (id, event) => bus.emit({ id, event }),
    subscribe: (listener) => bus.subscribe(({ id, event }) => listener(id, event)),
  };
}
