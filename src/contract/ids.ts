/** Ids that cross a boundary. Ours carry a prefix; Codex's are opaque strings that we only hand back. */
import { z } from 'zod';

/** 32 hex digits after the prefix: the id of a Codex thread without dashes, or 128 random bits for a draft. */
export const ConversationId = z.string().regex(/^conv_[0-9a-f]{32}$/, 'expected conv_ and 32 hex digits');
export type ConversationId = z.infer<typeof ConversationId>;

export const ApprovalId = z.string().regex(/^apr_[0-9a-f]{32}$/, 'expected apr_ and 32 hex digits');
export type ApprovalId = z.infer<typeof ApprovalId>;

/** Chosen by the client, so that a repeated send is one message. */
export const ClientMessageId = z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/, 'expected 1-128 of A-Z a-z 0-9 . _ : -');
export type ClientMessageId = z.infer<typeof ClientMessageId>;

/** Codex names threads by UUID. */
export const ThreadId = z.string().regex(/^[0-9a-fA-F-]{8,64}$/, 'expected the UUID of a Codex thread');
export type ThreadId = z.infer<typeof ThreadId>;

/** The id of a JSON-RPC request. */
export const RpcId = z.union([z.string(), z.number()]);
export type RpcId = z.infer<typeof RpcId>;

/** The conversation that stands for a Codex thread has an id that follows from the thread's. */
export function conversationIdOfThread(threadId: string): ConversationId {
  return `conv_${threadId.replaceAll('-', '').toLowerCase().padStart(32, '0').slice(-32)}`;
}

/** The inverse, for a conversation that was never opened here. */
export function threadIdOfConversation(conversationId: ConversationId): ThreadId {
  const hex = conversationId.slice('conv_'.length);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
