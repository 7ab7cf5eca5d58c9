/** What a client says on `POST /rpc` and in an `rpc` frame of the event stream: a call of a method, or the answer to an open request. */
import { z } from 'zod';
import { Confirm } from './access.ts';
import { MAX_MESSAGE_CHARS } from './conversation.ts';
import { ClientMessageId, ConversationId, ThreadId } from './ids.ts';

/** With `method` it is a call. With `result` or `error` it answers the request whose `approval_id` is `id`. */
export const rpcFields = {
  jsonrpc: z.literal('2.0').optional(),
  /** The conversation a call is about; a stale tab that names another one than the thread's is refused. */
  conversation_id: ConversationId.optional(),
  method: z.string().max(100).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
  /** The second confirmation, where the call or the answer needs one. */
  confirm: Confirm.optional(),
};

/** Long enough for a message of the largest size, JSON-escaped. */
export const RPC_BODY_BYTES = 20 * 1024 * 1024;

export const RpcInput = z.object({ ...rpcFields, id: z.union([z.string().max(100), z.number()]).optional() });
export type RpcInput = z.infer<typeof RpcInput>;

const TurnId = z.string().min(1).max(200);

/** Settings of a conversation that the call makes, under Codex's names. */
export const StartParams = z.object({
  cwd: z.string().optional(),
  model: z.string().nullish(),
  approvalPolicy: z.string().optional(),
  sandbox: z.string().optional(),
  effort: z.string().nullish(),
  reasoningEffort: z.string().nullish(),
});

export const ResumeParams = z.object({ threadId: ThreadId });
export const InterruptParams = z.object({ threadId: ThreadId.optional(), turnId: TurnId.optional() });

const InputItem = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().max(MAX_MESSAGE_CHARS) }),
  z.object({ type: z.literal('image'), url: z.string() }),
  z.object({ type: z.literal('localImage'), path: z.string() }),
]);

export const MessageParams = z.object({
  threadId: ThreadId.optional(),
  input: z.array(InputItem).max(100).optional(),
  /** The text of a message from an older client. */
  message: z.string().max(MAX_MESSAGE_CHARS).optional(),
  clientUserMessageId: ClientMessageId.nullish(),
  expectedTurnId: TurnId.optional(),
});
export type MessageParams = z.infer<typeof MessageParams>;
