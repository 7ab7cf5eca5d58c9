/** The board as it crosses boundaries: messages, what to wait for, and what live readers hear. */
import { z } from 'zod';
import { ClientMessageId, ConversationId } from './ids.ts';

/** A post is a message, not a document: longer things belong into a file that the post names. */
export const MAX_POST_BYTES = 64 * 1024;
/** Waiting longer than any proxy or model turn does is polling under another name. */
export const MAX_AWAIT_MS = 5 * 60_000;
export const MAX_BOARD_PAGE = 500;

/** person: at the page · script: with the API token · conversation: through its tools · agent: another MCP client. */
const AUTHOR_KINDS = ['person', 'script', 'conversation', 'agent'] as const;
export type AuthorKind = (typeof AUTHOR_KINDS)[number];

const num = z.number().int().min(1);

const Mention = z.object({ label: z.string(), conversation_id: ConversationId.nullable() });

export const BoardMessage = z.object({
  /** Dense from 1, never reused. */
  num,
  ts: z.iso.datetime(),
  who: z.string(),
  kind: z.enum(AUTHOR_KINDS),
  /** The conversation that wrote it. */
  conversation_id: ConversationId.nullable(),
  message: z.string(),
  topic: z.string().nullable(),
  reply_to: num.nullable(),
  /** Whom it is addressed to, as a name. */
  to: z.string().nullable(),
  mentions: z.array(Mention),
  /** Everybody it concerns (addressed, mentioned, replied to): ids of conversations, and names of others. */
  for: z.array(z.string()),
  /** How many agents have passed the matter on since a person last had a hand in it; 0 for people and scripts. */
  hops: z.number().int(),
});
export type BoardMessage = z.infer<typeof BoardMessage>;

/** Every condition given must hold. */
export const BoardMatch = z.strictObject({
  /** Contained in the text; case does not matter. */
  text: z.string().min(1).max(400).optional(),
  topic: z.string().min(1).max(120).optional(),
  who: z.string().min(1).max(120).optional(),
  reply_to: num.optional(),
  /** The id of a conversation, or a name: only what concerns it. */
  for: z.string().min(1).max(120).optional(),
});
export type BoardMatch = z.infer<typeof BoardMatch>;

/** One line, since it is shown in one. */
const oneLine = (max: number) => z.string().trim().min(1).max(max);

export const NewPost = z.object({
  who: oneLine(120),
  message: z.string().min(1).max(MAX_POST_BYTES),
  topic: oneLine(120).nullish(),
  reply_to: num.nullish(),
  /** A conversation by label or id, or somebody who has written here, by name. */
  to: oneLine(200).nullish(),
  /** A repeated post with the same one is one post. */
  client_message_id: ClientMessageId.nullish(),
});
export type NewPost = z.infer<typeof NewPost>;

/** `WS /ws`: one JSON text a frame. `after=N` replays what came since. */
export type BoardFrame =
  | { readonly type: 'hello'; readonly last_num: number }
  | { readonly type: 'message'; readonly message: BoardMessage }
  | { readonly type: 'deleted'; readonly num: number };

/** One line of `messages.jsonl`. */
export const BoardRecord = z.union([
  z.object({ seq: z.number().int(), deleted: num, ts: z.string() }),
  BoardMessage.extend({ seq: z.number().int(), client_message_id: z.string().optional() }),
]);
export type BoardRecord = z.infer<typeof BoardRecord>;

const PendingAwait = z.object({
  id: z.string(),
  conversation_id: ConversationId,
  after: z.number().int(),
  match: BoardMatch,
  /** Unix milliseconds. */
  until: z.number(),
});
export type PendingAwait = z.infer<typeof PendingAwait>;
/** `board/awaits.json`: conversations that wait, for the case that we are killed. */
export const PendingAwaits = z.object({ awaits: z.array(PendingAwait) });

/** `board/readers.json`: how far each reader has read. */
export const ReadersFile = z.object({ readers: z.record(z.string(), z.number().int()) });
/** `board/delivered.json`: every message up to here has reached the conversations it concerns. */
export const DeliveredFile = z.object({ num: z.number().int() });
