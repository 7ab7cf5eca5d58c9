/** What the conversations need of the link to Codex. */
import type { Fragment } from '../../contract/context.ts';
import type { Result } from '../../contract/result.ts';
import type { Dialect } from '../../core/codex/normalize.ts';

/** What goes along with one message. */
interface Along {
  readonly additionalContext?: Readonly<Record<string, unknown>>;
  /** Goes in front of the person's text, where nobody sees it. */
  readonly textPrefix?: string;
  readonly carried: readonly Fragment[];
  accepted(turnId: string | null): Promise<void>;
  /** `isKnown`: Codex said no, rather than nothing. */
  refused(isKnown: boolean): Promise<void>;
}

export interface ContextPort {
  /** Called inside the send lock, when the thread is there. */
  prepare(conversationId: string, clientMessageId: string): Promise<Along>;
}

export interface CodexPort {
  request(
    method: string,
    params: Record<string, unknown>,
    options?: { readonly timeoutMs?: number; readonly onResult?: (result: unknown) => void },
  ): Promise<Result<unknown>>;
  dialect(): Dialect;
}
