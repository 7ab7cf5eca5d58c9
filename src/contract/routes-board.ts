/** Routes of the board: a message board that people, conversations, scripts and other agents share. */
import { z } from 'zod';
import { BoardMatch, BoardMessage, MAX_AWAIT_MS, MAX_BOARD_PAGE, NewPost } from './board.ts';
import { integerQuery, Ok, type RouteDef } from './route.ts';

const messages = '/api/messages';
const numParam = z.object({ num: integerQuery.min(1) });
const reader = z.string().trim().min(1).max(120);

const Page = z.object({
  /** Oldest first. */
  messages: z.array(BoardMessage),
  /** Of the board, not of this page. */
  last_num: z.number().int(),
  has_more: z.boolean(),
  /** For the reader that was named, or the person at the page. */
  unread: z.number().int(),
  read_num: z.number().int(),
});

export const BOARD_ROUTES = {
  boardPost: {
    method: 'POST',
    path: messages,
    scope: 'operate',
    agents: 'any',
    summary: 'Writes on the board; answered when it is on disk',
    body: NewPost,
    output: BoardMessage,
    errors: ['too_large', 'unknown_conversation', 'not_found', 'conflict', 'storage_full'],
  },
  boardList: {
    method: 'GET',
    path: messages,
    scope: 'read',
    agents: 'any',
    summary: 'The newest messages, oldest first; `after` and `before` page, `topic` and `q` choose',
    query: z.object({
      limit: integerQuery.min(1).max(MAX_BOARD_PAGE).default(50),
      after: integerQuery.min(0).optional(),
      before: integerQuery.min(1).optional(),
      topic: z.string().min(1).max(120).optional(),
      /** Plain text; case does not matter. */
      q: z.string().min(1).max(400).optional(),
      reader: reader.optional(),
    }),
    output: Page,
    errors: [],
  },
  boardTopics: {
    method: 'GET',
    path: `${messages}/topics`,
    scope: 'read',
    agents: 'any',
    summary: 'Topics, the one used last first',
    output: z.object({
      topics: z.array(z.object({ topic: z.string(), messages: z.number().int(), last_num: z.number().int() })),
    }),
    errors: [],
  },
  boardGet: {
    method: 'GET',
    path: `${messages}/{num}`,
    scope: 'read',
    agents: 'any',
    summary: 'One message and the replies to it',
    params: numParam,
    output: z.object({ message: BoardMessage, replies: z.array(BoardMessage) }),
    errors: ['not_found'],
  },
  boardDelete: {
    method: 'DELETE',
    path: `${messages}/{num}`,
    scope: 'operate',
    summary: 'Takes a message off the board; its number is not used again',
    params: numParam,
    output: Ok,
    errors: ['not_found', 'storage_full'],
  },
  boardAwait: {
    method: 'POST',
    path: `${messages}/await`,
    scope: 'read',
    agents: 'any',
    summary: 'Waits for messages after `after` that fit; answers at once when there are some already',
    body: z.object({
      /** The newest message now, when absent. */
      after: z.number().int().min(0).optional(),
      match: BoardMatch.optional(),
      timeout_ms: z.number().int().min(0).max(MAX_AWAIT_MS).default(30_000),
    }),
    output: z.object({
      messages: z.array(BoardMessage),
      timed_out: z.boolean(),
      /** Where to go on waiting. */
      after: z.number().int(),
    }),
    errors: ['rate_limited'],
  },
  boardMarkRead: {
    method: 'POST',
    path: `${messages}/read`,
    scope: 'operate',
    agents: 'any',
    summary: 'Notes how far a reader has read; it never goes back',
    body: z.object({ reader: reader.optional(), num: z.number().int().min(0) }),
    output: z.object({ unread: z.number().int(), read_num: z.number().int() }),
    errors: ['storage_full'],
  },
} as const satisfies Record<string, RouteDef>;
