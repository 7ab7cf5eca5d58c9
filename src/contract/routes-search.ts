/** Routes that look through transcripts: finding text, and the use of tokens over the turns. */
import { z } from 'zod';
import { ROLES } from './entry.ts';
import { ConversationId } from './ids.ts';
import { base, integerQuery, type RouteDef } from './route.ts';

const Hit = z.object({
  conversation_id: ConversationId,
  /** What the conversation is called: its label, or its first words. */
  name: z.string(),
  seq: z.number().int(),
  ts: z.string(),
  role: z.enum(ROLES),
  /** How often the text occurs in the entry. */
  count: z.number().int(),
  snippet: z.object({ before: z.string(), match: z.string(), after: z.string() }),
});
export type Hit = z.infer<typeof Hit>;

const UsagePoint = z.object({
  seq: z.number().int(),
  ts: z.string(),
  turn_id: z.string().nullable(),
  total_tokens: z.number(),
  input_tokens: z.number(),
  cached_input_tokens: z.number(),
  output_tokens: z.number(),
  context_window: z.number().nullable(),
});
export type UsagePoint = z.infer<typeof UsagePoint>;

export const SEARCH_ROUTES = {
  search: {
    method: 'GET',
    path: `${base}/search`,
    scope: 'read',
    summary: 'Entries that hold a text, newest first, in one conversation or in all; plain text, case ignored',
    query: z.object({
      q: z.string().min(1).max(400),
      conversation_id: ConversationId.optional(),
      /** `next_before` of the answer before. */
      before: z.string().max(200).optional(),
      limit: integerQuery.min(1).max(200).default(50),
    }),
    output: z.object({
      hits: z.array(Hit),
      /** Where to go on; null when there is no more. */
      next_before: z.string().nullable(),
      /** Everything has been looked through; false also when the time for one answer was over. */
      is_complete: z.boolean(),
      /** What Codex kept from before the conversation was opened here has not all been fetched, so not searched. */
      has_unread_past: z.boolean(),
    }),
    errors: ['unknown_conversation'],
  },
  usage: {
    method: 'GET',
    path: `${base}/usage`,
    scope: 'read',
    summary: 'The tokens of each of the newest 500 turns, oldest first',
    query: z.object({ conversation_id: ConversationId }),
    output: z.object({ points: z.array(UsagePoint) }),
    errors: ['unknown_conversation'],
  },
} as const satisfies Record<string, RouteDef>;
