/** Routes about the files a conversation works on: the picker behind `@`, and choosing a directory. */
import { z } from 'zod';
import { ConversationId } from './ids.ts';
import { base, conversationParam, integerQuery, type RouteDef } from './route.ts';

/** Absolute, with `~/`, or relative to the conversation's directory. */
const filePath = z.string().min(1).max(4096);

export const FILE_ROUTES = {
  mention: {
    method: 'POST',
    path: `${base}/mention`,
    scope: 'read',
    summary: 'Files and directories below a directory whose path matches, best first, files before directories',
    body: z.object({
      conversation_id: ConversationId.optional(),
      /** Instead of a conversation, before there is one: a directory, absolute or with `~`. */
      cwd: z.string().min(1).max(4096).optional(),
      query: z.string().max(400).default(''),
      limit: z.number().int().min(1).max(200).default(30),
      /** Names one open picker: when its next query comes before this one is answered, this one is given up. */
      picker: z.string().min(1).max(64).optional(),
    }),
    output: z.object({
      /** The path of a directory ends in a slash. */
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
  readFile: {
    method: 'GET',
    path: `${base}/conversations/{id}/file`,
    scope: 'read',
    summary: 'Lines of a file in the directory of the conversation; links that lead out of it are not followed',
    params: conversationParam,
    query: z.object({
      path: filePath,
      from_line: integerQuery.min(1).max(1_000_000_000).default(1),
      limit: integerQuery.min(1).max(2_000).default(1_000),
    }),
    output: z.object({
      /** Absolute, without symbolic links. */
      path: z.string(),
      relative_path: z.string(),
      size: z.number().int(),
      /** Judged by the first bytes. Only text has lines. */
      kind: z.enum(['text', 'image', 'binary']),
      from_line: z.number().int(),
      lines: z.array(z.string()),
      /** Null: the file is too long to be counted. */
      total_lines: z.number().int().nullable(),
      /** A line, or the page, is longer than one answer holds: its rest is missing. */
      is_cut: z.boolean(),
    }),
    errors: ['unknown_conversation', 'not_found'],
  },
  readImage: {
    method: 'GET',
    path: `${base}/conversations/{id}/image`,
    scope: 'read',
    summary: 'A PNG, JPEG, GIF or WebP image in the directory of the conversation, known by its first bytes, as base64',
    params: conversationParam,
    query: z.object({ path: filePath }),
    output: z.object({
      /** Null: there is no image to show, for the `reason`. An answer may name anything, so that is no failed request. */
      media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']).nullable(),
      data: z.string(),
      reason: z.string().nullable(),
    }),
    errors: ['unknown_conversation'],
  },
} as const satisfies Record<string, RouteDef>;
