/** What External Events need of the rest of the server; `compose/threads.ts` provides it. */
import type { NewEntry } from '../../contract/entry.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { ServerEvent } from '../../contract/ui-event.ts';
import type { Capabilities } from '../../core/events/plan-delivery.ts';

export interface ThreadTarget {
  readonly conversationId: ConversationId;
  readonly label: string | null;
}

export interface FoundThread extends ThreadTarget {
  /** Threads the conversation had before, which Codex lost. */
  readonly lostThreads: readonly string[];
}

export interface ThreadsPort {
  /** The conversation of a thread, also of one that only Codex knows; null when nobody knows it. */
  find(threadId: string): Promise<FoundThread | null>;
  status(conversationId: ConversationId): {
    readonly turnId: string | null;
    /** Codex has the thread in memory. */
    readonly isLoaded: boolean;
    readonly isArchived: boolean;
    /** A person lets the model be told of events here. */
    readonly areEventsOn: boolean;
  };
  capabilities(): Capabilities;
  /** In whichever conversation: somebody may be reading along. */
  isAnyTurnRunning(): boolean;
  /** Into the transcript; resolves when it is on disk. */
  append(conversationId: ConversationId, entry: NewEntry): Promise<Result<number>>;
  /** Into the thread's history, where the model reads it with its next request. */
  inject(
    conversationId: ConversationId,
    telling: { readonly deliveryId: string; readonly text: string },
  ): Promise<Result<null>>;
  /** Words of ours into the running turn; what waits in the context goes with them. */
  steer(conversationId: ConversationId, message: OwnWords): Promise<Result<{ readonly turnId: string | null }>>;
  /** A turn that nobody asked for: never freer than the conversation, and never without asking. */
  startTurn(conversationId: ConversationId, message: OwnWords): Promise<Result<{ readonly turnId: string | null }>>;
  /** Whether Codex has kept this text in the thread's history. */
  hasKept(conversationId: ConversationId, text: string): Promise<boolean>;
}

export interface OwnWords {
  readonly text: string;
  readonly clientMessageId: string;
}

/** What a message carries of ours; `ids` are places in the ledger. */
export interface EventFragment {
  readonly value: string;
  readonly ids: readonly string[];
}

export interface HubPort {
  broadcast(event: ServerEvent): void;
}
