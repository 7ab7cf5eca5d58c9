/** What External Events need of the rest of the server; `compose/threads.ts` provides it. */
import type { NewEntry } from '../../contract/entry.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { ServerEvent } from '../../contract/ui-event.ts';
import type { Capabilities } from '../../core/events/plan-delivery.ts';
import type { OutboxInput } from '../../core/outbox/state.ts';

export interface ThreadTarget {
  readonly conversationId: ConversationId;
  readonly label: string | null;
}

export interface FoundThread extends ThreadTarget {
  /** Threads the conversation had before, which Codex lost. */
  readonly lostThreads: readonly string[];
}

export interface ThreadsPort {
  /**
   * Where events for this id go: the thread of a conversation that is named by its own id, and that id while it has no thread yet. Any other
   * id is its own address.
   */
  addressOf(id: string): string;
  /** The conversation of a thread, also of one that only Codex knows; null when nobody knows it. */
  find(threadId: string): Promise<FoundThread | null>;
  status(conversationId: ConversationId): {
    readonly turnId: string | null;
    /** Codex has the thread in memory. */
    readonly isLoaded: boolean;
    readonly isArchived: boolean;
    /** A person lets the model be told of events here. */
    readonly areEventsOn: boolean;
    /** Automatic turns since a person last spoke. */
    readonly autoTurnsInARow: number;
  };
  capabilities(): Capabilities;
  /** In whichever conversation: somebody may be reading along. */
  isAnyTurnRunning(): boolean;
  /** Into the transcript; resolves when it is on disk. */
  append(conversationId: ConversationId, entry: NewEntry): Promise<Result<number>>;
  /** Tells the outbox of the conversation what waits for it; opens the conversation. */
  deliver(
    conversationId: ConversationId,
    input: Extract<OutboxInput, { type: 'events_arrived' | 'injections_recovered' }>,
  ): Promise<Result<null>>;
  /** The most hops of the automatic turns that run now, in whichever conversation. */
  runningHops(): number;
  /** Whether Codex has kept this text in the thread's history. */
  hasKept(conversationId: ConversationId, text: string): Promise<boolean>;
}

export interface HubPort {
  broadcast(event: ServerEvent): void;
}
