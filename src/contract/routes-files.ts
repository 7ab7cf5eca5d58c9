/** Routes about the files a conversation works on: the picker behind `@`, and choosing a directory. */
import { z } from 'zod';
import { ConversationId } from './ids.ts';
import { base, integerQuery, type RouteDef } from './route.ts';

export const FILE_ROUTES = {
  mention: {
    method: 'POST',
    path: `${base}/mention`,
    scope: 'read',
    summary: 'Files and directories below a directory whose path matches, best first, files before directories',
    body: z.object({
      conversation_id: ConversationId.optional(),
      /** Instead of a conversation, before there is one: an absolute directory. */
      cwd: z.string().min(1).max(4096).optional(),
      query: z.string().max(400).default(''),
      limit: z.number().int().min(1).max(200).default(30),
      /** Names one open picker: when its next query comes before this one is answered, this one is given up. */
      picker: z.string().min(1).max(64).optional(),
    }),
    output: z.object({
      files: z.array(z.object({ path: z.string(), type: z.enum(['file', 'directory']) })),
      /** False while the tree is still being listed: asking again finds more. */
      is_complete: z.boolean().optional(),
      /** A newer query of the same picker took its place; `files` is empty. */
      is_stale: z.boolean().optional(),
      /** Files known so far. */
      indexed: z.number().int().optional(),
    }),
    errors: ['unknown_conversation', 'missing_cwd'],
  },
  directories: {
    method: 'GET',
    path: `${base}/directories`,
    scope: 'read',
    summary: 'The directories in a directory, hidden ones last, and those conversations have worked in',
    query: z.object({
      /** Absolute, or with `~`; the home directory when absent. */
      path: z.string().max(4096).default(''),
      limit: integerQuery.min(1).max(1000).default(200),
    }),
    output: z.object({
      path: z.string(),
      /** Null at the top. */
      parent: z.string().nullable(),
      directories: z.array(z.object({ name: z.string(), path: z.string(), is_hidden: z.boolean() })),
      is_complete: z.boolean(),
      /** Newest first; existing ones only. */
      recent: z.array(z.string()),
    }),
    errors: ['missing_cwd'],
  },
} as const satisfies Record<string, RouteDef>;
