/** What a tool is to the server: a function from checked input and a known caller to an answer a model reads. */
import type { ConversationId } from '../../contract/ids.ts';
import type { ToolInput, ToolName } from '../../contract/mcp.ts';
import type { Result } from '../../contract/result.ts';

/** Who calls, by token and thread; never by an argument. */
export type ToolCaller =
  | { readonly kind: 'conversation'; readonly conversationId: ConversationId }
  | { readonly kind: 'agent'; readonly name: string };

export interface ToolCall {
  readonly caller: ToolCaller;
  /** Aborted when the caller gives up. */
  readonly signal: AbortSignal;
}

/** `facts` are ours; `text` is what somebody or something else wrote, and is labeled so. */
export interface ToolAnswer {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly text?: { readonly from: 'terminal' | 'board' | 'event' | 'repository'; readonly body: string };
}

export type ToolGroup<Name extends ToolName> = {
  readonly [One in Name]: (input: ToolInput<One>, call: ToolCall) => Promise<Result<ToolAnswer>>;
};
