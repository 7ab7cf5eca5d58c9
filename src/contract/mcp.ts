/** What the MCP tools look like from outside: names, words for the model, inputs and bounds. Used by the server alone; a snapshot test guards it. */
import { z } from 'zod';
import { BoardMatch, MAX_POST_BYTES } from './board.ts';
import { Artifact, EventId, EventType, Severity } from './external-event.ts';
import { MAX_TOOL_TEXT_BYTES, MAX_TOOL_WAIT_MS } from './mcp-bounds.ts';
import { BlockId, PtySize } from './terminal.ts';

export interface ToolShape {
  readonly title: string;
  readonly description: string;
  /** reads: changes nothing · adds: changes nothing that was there · acts: may do anything; Codex asks before, by its own rules. */
  readonly effect: 'reads' | 'adds' | 'acts';
  readonly input: z.ZodObject;
}

const waitMs = (fallback: number) =>
  z.number().int().min(0).max(MAX_TOOL_WAIT_MS).default(fallback).describe('How long to wait, in milliseconds.');
const maxBytes = z.number().int().min(256).max(MAX_TOOL_TEXT_BYTES).default(8_192).describe('Most bytes of text.');
const cursor = z.number().int().min(0);
const block_id = BlockId.describe('The id of a block: blk_ and 32 hex digits.');
const data = z.string().min(1).max(65_536);

/** The person's terminal in this conversation, which both see. */
const PTY_TOOLS = {
  pty_status: {
    title: 'Terminal status',
    description:
      'State of the terminal this conversation shares with the user: whether it runs, which shell, its directory, whether it waits at a prompt, the last exit code, and the cursor behind the last byte it printed.',
    effect: 'reads',
    input: z.object({}),
  },
  pty_read_screen: {
    title: 'Read the terminal screen',
    description: 'What the shared terminal shows now, as plain text: rows, where the cursor is, and the title.',
    effect: 'reads',
    input: z.object({ max_bytes: maxBytes }),
  },
  pty_read_scrollback: {
    title: 'Read the scrollback',
    description: 'The last lines of the shared terminal, those that scrolled away too.',
    effect: 'reads',
    input: z.object({ lines: z.number().int().min(1).max(2_000).default(200), max_bytes: maxBytes }),
  },
  blocks_since: {
    title: 'Commands since',
    description:
      'Commands run in the shared terminal after a sequence number (the newest ones without it): command, directory, exit code, duration, size of the output. Go on with `after` = the last `seq` you have seen.',
    effect: 'reads',
    input: z.object({ after: z.number().int().min(0).optional(), limit: z.number().int().min(1).max(100).default(20) }),
  },
  blocks_get: {
    title: 'One command',
    description: 'One command of the shared terminal by its block id, without its output.',
    effect: 'reads',
    input: z.object({ block_id }),
  },
  blocks_read: {
    title: 'Output of a command',
    description: 'What a command printed, from a byte offset on. Go on with `offset` = `next_offset`.',
    effect: 'reads',
    input: z.object({ block_id, offset: cursor.default(0), max_bytes: maxBytes }),
  },
  blocks_search: {
    title: 'Search commands',
    description: 'Commands whose text or output contains a text, newest last. Page back with `before`.',
    effect: 'reads',
    input: z.object({
      query: z.string().min(1).max(400),
      before: z.number().int().min(1).optional(),
      limit: z.number().int().min(1).max(50).default(10),
    }),
  },
  pty_exec: {
    title: 'Run a command in the terminal',
    description:
      "Types a command into the user's shared terminal and waits for it to end. The user sees it. Answers with exit code and output; a command that still runs when the time is over goes on, and is answered as running.",
    effect: 'acts',
    input: z.object({ command: z.string().min(1).max(65_536), timeout_ms: waitMs(30_000), max_bytes: maxBytes }),
  },
  pty_exec_interactive: {
    title: 'Start an interactive program',
    description:
      'Types a command that will ask for input or take the screen, and answers as soon as it shows something, or `wait_for` appears. Go on with pty_send, pty_wait_for and pty_read_screen.',
    effect: 'acts',
    input: z.object({
      command: z.string().min(1).max(65_536),
      wait_for: z.string().min(1).max(400).optional().describe('Literal text, or /a regular expression/flags.'),
      timeout_ms: waitMs(10_000),
    }),
  },
  pty_send: {
    title: 'Type into the terminal',
    description: 'Types text into the shared terminal as it is; `enter` presses Enter after it.',
    effect: 'acts',
    input: z.object({ data, enter: z.boolean().default(false) }),
  },
  pty_wait_for: {
    title: 'Wait for output',
    description:
      'Waits until the terminal prints a text (literal, or /a regular expression/flags) from `from` on (now, when absent). Wakes on output, never by a clock.',
    effect: 'adds',
    input: z.object({ pattern: z.string().min(1).max(400), from: cursor.optional(), timeout_ms: waitMs(30_000) }),
  },
  pty_wait_prompt: {
    title: 'Wait for the prompt',
    description: 'Waits until the shell waits for a command again.',
    effect: 'adds',
    input: z.object({ timeout_ms: waitMs(30_000) }),
  },
  pty_expect_send: {
    title: 'Wait, then type',
    description: 'Waits for a text, then types: one step of a dialogue. Types nothing when the text does not come.',
    effect: 'acts',
    input: z.object({
      expect: z.string().min(1).max(400),
      data,
      enter: z.boolean().default(true),
      from: cursor.optional(),
      timeout_ms: waitMs(30_000),
    }),
  },
  pty_ctrl_c: {
    title: 'Press Ctrl-C',
    description: 'Interrupts what runs in the shared terminal.',
    effect: 'acts',
    input: z.object({}),
  },
  pty_resize: {
    title: 'Resize the terminal',
    description: 'Changes the size of the shared terminal, for the user too.',
    effect: 'acts',
    input: PtySize,
  },
  pty_close: {
    title: 'Close the terminal',
    description: 'Ends the shell of the shared terminal and everything that runs in it. The next use starts a new one.',
    effect: 'acts',
    input: z.object({}),
  },
} as const satisfies Record<string, ToolShape>;

const message = z.string().min(1).max(MAX_POST_BYTES);
const topic = z.string().trim().min(1).max(120).optional();
const to = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .describe('Label or id of a conversation, or the name of somebody who writes on the board.');
const after = z.number().int().min(0).optional();
const limit = z.number().int().min(1).max(100).default(20);

/** The board. The author is the caller's conversation; there is no argument for it. */
const BOARD_TOOLS = {
  agent_log_post: {
    title: 'Write on the board',
    description:
      'Writes a message on the board that people, conversations, scripts and other agents share. @label mentions a conversation, which is told. You are named as the author by your conversation.',
    effect: 'adds',
    input: z.object({ message, topic, reply_to: z.number().int().min(1).optional() }),
  },
  agent_log_read: {
    title: 'Read the board',
    description:
      'Messages of the board, oldest first: the newest, or those after a number. Go on with `after` = `next_after`.',
    effect: 'reads',
    input: z.object({ after, topic, text: z.string().min(1).max(400).optional(), limit }),
  },
  agent_log_inbox: {
    title: 'Read your inbox',
    description:
      'Messages that mention, address or answer this conversation and that it has not read yet. Reading marks them read; `peek` does not.',
    effect: 'adds',
    input: z.object({ limit, peek: z.boolean().default(false) }),
  },
  agent_log_get: {
    title: 'One message',
    description: 'One message of the board by its number, with the replies to it.',
    effect: 'reads',
    input: z.object({ num: z.number().int().min(1) }),
  },
  agent_log_await: {
    title: 'Wait for a message',
    description:
      'Waits for a message of the board that fits. Every condition given must hold. When the time is over it answers with `after`: call again with it and nothing is missed.',
    effect: 'reads',
    input: z.object({ after, match: BoardMatch.optional(), timeout_ms: waitMs(60_000) }),
  },
  agent_log_post_await: {
    title: 'Write and wait for a reply',
    description: 'Writes a message and waits for replies to it.',
    effect: 'adds',
    input: z.object({
      message,
      topic,
      reply_to: z.number().int().min(1).optional(),
      timeout_ms: waitMs(60_000),
    }),
  },
  agent_send_message: {
    title: 'Send a message to an agent',
    description:
      'Sends a message to one conversation (or another agent) by label or id. It gets it as an event and acts on it by its own rules.',
    effect: 'adds',
    input: z.object({ to, message, topic, reply_to: z.number().int().min(1).optional() }),
  },
  agent_send_message_await: {
    title: 'Send a message and wait for the answer',
    description: 'Sends a message to one conversation and waits for a reply to it.',
    effect: 'adds',
    input: z.object({
      to,
      message,
      topic,
      reply_to: z.number().int().min(1).optional(),
      timeout_ms: waitMs(60_000),
    }),
  },
} as const satisfies Record<string, ToolShape>;

const event_seq = z.number().int().min(0);

/** External Events of the caller's own conversation. No tool reaches another conversation's. */
const EVENT_TOOLS = {
  events_list: {
    title: 'List events',
    description:
      'Events that CI, scripts and other programs sent to this conversation: the newest, or those before or after an event_seq. Page on with `before` (or `after`) = `next`. events_read shows one whole.',
    effect: 'reads',
    input: z.object({
      before: event_seq.optional(),
      after: event_seq.optional(),
      unread: z.boolean().default(false).describe('Only those that nobody has read.'),
      min_severity: Severity.optional(),
      limit,
    }),
  },
  events_read: {
    title: 'Read one event',
    description:
      'One event of this conversation whole, as JSON: payload, artifacts and suggested actions too. Go on with `offset` = `next_offset`.',
    effect: 'reads',
    input: z.object({ event_seq, offset: cursor.default(0), max_bytes: maxBytes }),
  },
  events_ack: {
    title: 'Mark events as read',
    description: 'Marks events of this conversation as read, for the user too: do so when they are dealt with.',
    effect: 'adds',
    input: z.object({ event_seqs: z.array(event_seq).min(1).max(100) }),
  },
  events_send: {
    title: 'Send an event',
    description:
      'Records an event in this conversation: the user sees it, and you are told of it with a later message. For another conversation use agent_send_message. The same `event_id` twice is one event.',
    effect: 'adds',
    input: z.object({
      type: EventType.max(128).describe('Dot-separated words, such as build.completed.'),
      severity: Severity.default('info'),
      title: z.string().min(1).max(1_000),
      summary: z.string().max(8_000).default(''),
      payload: z.record(z.string(), z.unknown()).optional(),
      artifacts: z.array(Artifact).max(20).optional(),
      event_id: EventId.optional(),
    }),
  },
} as const satisfies Record<string, ToolShape>;

/** What happened to the files of this conversation. Undo is no tool: that is the user's. */
const CHANGE_TOOLS = {
  changes_status: {
    title: 'Status of the repository',
    description:
      'The git status of the work tree of this conversation: branch, how far it is from its upstream, staged, changed and untracked files, and how many turns were kept. Nothing is run and nothing is changed.',
    effect: 'reads',
    input: z.object({}),
  },
  changes_diff: {
    title: 'Difference of a turn',
    description:
      'What a turn of this conversation changed in the files, as a diff: also changes by commands, formatters and the shared terminal. Without `turn`, the work tree against HEAD. Go on with `offset` = `next_offset`.',
    effect: 'reads',
    input: z.object({
      turn: z.number().int().positive().optional().describe('The number of a kept turn, from 1 on.'),
      path: z.string().min(1).max(4_096).optional().describe('One file, from the top of the work tree.'),
      offset: cursor.default(0),
      max_bytes: maxBytes,
    }),
  },
} as const satisfies Record<string, ToolShape>;

export const MCP_TOOLS = { ...PTY_TOOLS, ...BOARD_TOOLS, ...EVENT_TOOLS, ...CHANGE_TOOLS } as const;
export type PtyToolName = keyof typeof PTY_TOOLS;
export type BoardToolName = keyof typeof BOARD_TOOLS;
export type EventToolName = keyof typeof EVENT_TOOLS;
export type ChangeToolName = keyof typeof CHANGE_TOOLS;
export type ToolName = keyof typeof MCP_TOOLS;
export type ToolInput<Name extends ToolName> = z.output<(typeof MCP_TOOLS)[Name]['input']>;
