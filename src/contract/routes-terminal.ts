/** Routes of a conversation's terminals: which there are, and of each its state, its blocks, its screen, and acting on it. */
import { z } from 'zod';
import { ConversationId } from './ids.ts';
import { integerQuery, Ok, type RouteDef } from './route.ts';
import {
  Block,
  BlockId,
  MAX_TERMINALS,
  PtySize,
  ScreenSnapshot,
  ScrollbackSnapshot,
  TerminalKey,
  TerminalState,
  TerminalTab,
} from './terminal.ts';

const base = '/api/terminal/{id}';
/** A conversation stands for its shared terminal. */
const byId = z.object({ id: TerminalKey });
const byBlock = z.object({ id: TerminalKey, block_id: BlockId });
const listBase = '/api/terminals/{id}';

/** One answer of output or scrollback: enough to read on with, little enough for one look. */
const MAX_OUTPUT_PAGE_BYTES = 1024 * 1024;
const DEFAULT_OUTPUT_PAGE_BYTES = 64 * 1024;
/** As many lines as the screen model keeps. */
const MAX_SCROLLBACK_LINES = 5_000;
/** A paste, not a file. */
const MAX_INPUT_CHARS = 1024 * 1024;

/** Offsets count the PTY's bytes from the beginning of the block's output; the text is without escape sequences, except for colors where they are asked for. */
const OutputPage = z.object({
  text: z.string(),
  offset: z.number().int(),
  next_offset: z.number().int(),
  total_bytes: z.number().int(),
  /** Bytes of the middle that were not kept. */
  omitted_bytes: z.number().int(),
});
export type OutputPage = z.infer<typeof OutputPage>;

export const TERMINAL_ROUTES = {
  listTerminals: {
    method: 'GET',
    path: listBase,
    scope: 'read',
    summary: 'The terminals of a conversation: the shared one first, then the further ones of the person',
    params: z.object({ id: ConversationId }),
    output: z.object({ terminals: z.array(TerminalTab) }),
    errors: ['unknown_conversation'],
  },
  addTerminal: {
    method: 'POST',
    path: listBase,
    scope: 'run',
    summary:
      "Adds a terminal that is the person's alone: no agent reads it or types into it. Its shell starts with `open`",
    params: z.object({ id: ConversationId }),
    output: z.object({ terminal: TerminalTab }),
    errors: ['unknown_conversation', 'conflict', 'storage_full'],
  },
  removeTerminal: {
    method: 'DELETE',
    path: '/api/terminals/{id}/{number}',
    scope: 'run',
    summary:
      'Ends a further terminal and forgets its commands; refused while a command runs in it, unless that is to end too',
    params: z.object({ id: ConversationId, number: z.coerce.number().int().min(2).max(MAX_TERMINALS) }),
    query: z.object({
      end_command: z
        .enum(['true', 'false'])
        .default('false')
        .transform((word) => word === 'true'),
    }),
    output: Ok,
    errors: ['unknown_conversation', 'not_found', 'conflict', 'storage_full'],
  },
  terminalState: {
    method: 'GET',
    path: base,
    scope: 'read',
    summary: "What is known of a conversation's shared terminal; starts nothing",
    params: byId,
    output: TerminalState,
    errors: ['unknown_conversation', 'not_found'],
  },
  terminalOpen: {
    method: 'POST',
    path: `${base}/open`,
    scope: 'run',
    summary: 'Starts the terminal in the directory of the conversation, unless it runs already',
    params: byId,
    output: TerminalState,
    errors: ['unknown_conversation', 'not_found', 'missing_cwd', 'not_running'],
  },
  terminalBlocks: {
    method: 'GET',
    path: `${base}/blocks`,
    scope: 'read',
    summary: 'Commands with what became of them, oldest first; the newest ones when neither after nor before is given',
    params: byId,
    query: z.object({
      after: integerQuery.min(0).optional(),
      before: integerQuery.min(0).optional(),
      limit: integerQuery.min(1).max(500).default(50),
      /** Text in the command or in its output; case is ignored. */
      q: z.string().max(400).optional(),
    }),
    output: z.object({ blocks: z.array(Block), last_seq: z.number().int() }),
    errors: ['unknown_conversation', 'not_found'],
  },
  terminalBlock: {
    method: 'GET',
    path: `${base}/blocks/{block_id}`,
    scope: 'read',
    summary: 'One command',
    params: byBlock,
    output: Block,
    errors: ['unknown_conversation', 'not_found'],
  },
  terminalOutput: {
    method: 'GET',
    path: `${base}/blocks/{block_id}/output`,
    scope: 'read',
    summary: 'What a command printed, as text, in pages; of a long one the head and the tail',
    params: byBlock,
    query: z.object({
      offset: integerQuery.min(0).default(0),
      max_bytes: integerQuery.min(1).max(MAX_OUTPUT_PAGE_BYTES).default(DEFAULT_OUTPUT_PAGE_BYTES),
      /** Keeps the sequences for colors and weight, and no others. */
      colors: z
        .enum(['true', 'false'])
        .default('false')
        .transform((word) => word === 'true'),
    }),
    output: OutputPage,
    errors: ['unknown_conversation', 'not_found'],
  },
  terminalScreen: {
    method: 'GET',
    path: `${base}/screen`,
    scope: 'read',
    summary: 'What the screen shows now, as plain text',
    params: byId,
    output: ScreenSnapshot,
    errors: ['unknown_conversation', 'not_found', 'not_running'],
  },
  terminalScrollback: {
    method: 'GET',
    path: `${base}/scrollback`,
    scope: 'read',
    summary: 'The newest lines, those above the screen included, as plain text',
    params: byId,
    query: z.object({
      lines: integerQuery.min(1).max(MAX_SCROLLBACK_LINES).default(500),
      max_bytes: integerQuery.min(1).max(MAX_OUTPUT_PAGE_BYTES).default(MAX_OUTPUT_PAGE_BYTES),
    }),
    output: ScrollbackSnapshot,
    errors: ['unknown_conversation', 'not_found', 'not_running'],
  },
  terminalInput: {
    method: 'POST',
    path: `${base}/input`,
    scope: 'run',
    summary: 'Types into the terminal',
    params: byId,
    body: z.object({ data: z.string().min(1).max(MAX_INPUT_CHARS) }),
    output: Ok,
    errors: ['unknown_conversation', 'not_found', 'not_running'],
    maxBodyBytes: 8 * MAX_INPUT_CHARS,
  },
  terminalInterrupt: {
    method: 'POST',
    path: `${base}/interrupt`,
    scope: 'run',
    summary: 'Ctrl-C',
    params: byId,
    output: Ok,
    errors: ['unknown_conversation', 'not_found', 'not_running'],
  },
  terminalResize: {
    method: 'POST',
    path: `${base}/resize`,
    scope: 'run',
    summary: 'Gives the terminal another size',
    params: byId,
    body: PtySize,
    output: Ok,
    errors: ['unknown_conversation', 'not_found', 'not_running'],
  },
  terminalClose: {
    method: 'POST',
    path: `${base}/close`,
    scope: 'run',
    summary: 'Ends the shell and everything it runs; its blocks stay',
    params: byId,
    output: Ok,
    errors: ['unknown_conversation', 'not_found'],
  },
} as const satisfies Record<string, RouteDef>;
