/** What the conversations need of others: the operations of Codex, the context of a message, and the ledger of external events. */
import type { Fragment } from '../../contract/context.ts';
import type { EventStanding } from '../../contract/external-event.ts';
import type { Result } from '../../contract/result.ts';
import type { CodexOperations } from '../../core/codex/operations.ts';
import type { OutgoingContext } from '../../core/context/carriers.ts';
import type { Capabilities } from '../../core/events/plan-delivery.ts';
import type { ProjectAccess } from '../../core/trust/project-levels.ts';

/** What goes along with one message. */
export interface Along extends OutgoingContext {
  readonly carried: readonly Fragment[];
}

export interface ContextPort {
  /** `events`: places in the ledger of those that go along. */
  prepare(conversationId: string, clientMessageId: string, events: readonly number[]): Promise<Along>;
  settle(conversationId: string, clientMessageId: string, isDelivered: boolean): Promise<void>;
  /** The events a message carried, as its record tells. */
  eventsOf(conversationId: string, clientMessageId: string): Promise<readonly number[]>;
}

export interface EventPort {
  /** Everything that arrived before, in whatever way, is known to the outbox. */
  catchUp(conversationId: string): Promise<void>;
  note(conversationId: string, events: readonly number[], standing: EventStanding): Promise<void>;
  /** Notes in the ledger that they are being put into the history under this id, and returns them as text for the model. */
  beginInjection(
    conversationId: string,
    events: readonly number[],
    deliveryId: string,
  ): Promise<readonly Fragment[] | null>;
}

/** Keeps the files of a conversation as they are before a turn. Waits a moment at most, and never fails a turn. */
export type CheckpointPort = (conversationId: string) => Promise<void>;

/** What the running Codex can do with a message or an event. */
export type CapabilitiesPort = () => Capabilities;

export type CodexPort = CodexOperations;

/** What Codex may load of the project of a directory, as it was when its files were read. */
export interface Project extends ProjectAccess {
  /** Whether no file of it, and no decision about it, has changed since. Much cheaper than reading it again. */
  isCurrent(): Promise<boolean>;
}

/** Reads every file of the project. Fails with `conflict` if this Codex would load what must stay off. */
export type ProjectPort = (cwd: string) => Promise<Result<Project>>;
