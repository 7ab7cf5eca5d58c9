/** What the conversations need of others: the operations of Codex, and the context of a message. */
import type { Fragment } from '../../contract/context.ts';
import type { CodexOperations } from '../../core/codex/operations.ts';
import type { OutgoingContext } from '../../core/context/carriers.ts';

/** What goes along with one message. */
interface Along extends OutgoingContext {
  readonly carried: readonly Fragment[];
  accepted(turnId: string | null): Promise<void>;
  /** `isKnown`: Codex said no, rather than nothing. */
  refused(isKnown: boolean): Promise<void>;
}

export interface ContextPort {
  /** Called inside the send lock, when the thread is there. */
  prepare(conversationId: string, clientMessageId: string): Promise<Along>;
}

export type CodexPort = CodexOperations;
