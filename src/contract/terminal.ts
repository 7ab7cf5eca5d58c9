/** The shared terminal as it crosses boundaries: blocks, what a viewer is told and may say, screens, the state of a conversation's terminal. */
import { z } from 'zod';

export const BlockId = z.string().regex(/^blk_[0-9a-f]{32}$/, 'expected blk_ and 32 hex digits');
export type BlockId = z.infer<typeof BlockId>;

export const ShellId = z.string().regex(/^shl_[0-9a-f]{32}$/, 'expected shl_ and 32 hex digits');
export type ShellId = z.infer<typeof ShellId>;

/** Of one conversation, with the shared one. More tabs are not told apart, and each is a process. */
export const MAX_TERMINALS = 9;

/** `conv_…` is the shared terminal of a conversation; `conv_…~2` to `conv_…~9` are further ones, which are the person's alone. */
export const TerminalKey = z
  .string()
  .regex(/^conv_[0-9a-f]{32}(?:~[2-9])?$/, 'expected conv_ and 32 hex digits, and for a further terminal ~2 to ~9');
export type TerminalKey = z.infer<typeof TerminalKey>;

/** `own_terminals.json`. */
export const OwnTerminals = z.object({ numbers: z.array(z.number().int().min(2).max(MAX_TERMINALS)) });

/** One terminal of a conversation as a list shows it. */
export const TerminalTab = z.object({
  /** What the routes of a terminal and its socket take as `id`. */
  key: TerminalKey,
  number: z.number().int(),
  is_running: z.boolean(),
  /** The command that runs in it; null while its shell waits, or tells of no commands. */
  command: z.string().nullable(),
});
export type TerminalTab = z.infer<typeof TerminalTab>;

/** running · completed: the shell told its exit code · interrupted: ended by Ctrl-C · shell_exited: the shell ended first · lost: nobody saw its end. */
const BLOCK_STATES = ['running', 'completed', 'interrupted', 'shell_exited', 'lost'] as const;

/** One command of a shell with what it printed. Byte counts are of the PTY's bytes. */
export const Block = z.object({
  block_id: BlockId,
  /** Dense per terminal, from 1. */
  seq: z.number().int(),
  cmd: z.string(),
  cwd: z.string(),
  exit_code: z.number().int().nullable(),
  /** Unix milliseconds. */
  ts_begin: z.number(),
  ts_end: z.number().nullable(),
  output_bytes: z.number().int(),
  output_lines: z.number().int(),
  /** It took the whole screen (vim, less): its output is not text. */
  alt_screen: z.boolean(),
  status: z.enum(BLOCK_STATES),
  actor: z.enum(['user', 'agent']),
});
export type Block = z.infer<typeof Block>;

/** What a terminal's host and everybody else say of it in the same words. */
export const TerminalFacts = z.object({
  has_blocks: z.boolean(),
  cwd: z.string(),
  cols: z.number().int(),
  rows: z.number().int(),
  /** Absolute offset behind the last byte the terminal printed. */
  cursor: z.number().int(),
  /** True while the shell waits for a command. */
  at_prompt: z.boolean(),
  last_exit_code: z.number().int().nullable(),
  last_block_seq: z.number().int(),
});

/** What is known of a conversation's terminal. */
export const TerminalState = z.object({
  /** Null until the first use. */
  shell_id: ShellId.nullable(),
  is_running: z.boolean(),
  /** `bash`, `zsh`, `fish`, or the name of a shell we have no marks for; null while none runs. */
  shell: z.string().nullable(),
  ...TerminalFacts.shape,
});
export type TerminalState = z.infer<typeof TerminalState>;

/** `screen.snapshot.json` and `scrollback.snapshot.json`, and what the screen routes answer. Plain text, no colors. */
export const ScreenSnapshot = z.object({
  shell_id: ShellId,
  cols: z.number().int(),
  rows: z.array(z.string()),
  cursor_row: z.number().int(),
  cursor_col: z.number().int(),
  alt_screen: z.boolean(),
  title: z.string(),
  /** The journal's offset this is a picture of. */
  cursor: z.number().int(),
});
export type ScreenSnapshot = z.infer<typeof ScreenSnapshot>;

export const ScrollbackSnapshot = z.object({
  shell_id: ShellId,
  lines: z.array(z.string()),
  /** Lines above the first of these are gone. */
  truncated: z.boolean(),
  cursor: z.number().int(),
});
export type ScrollbackSnapshot = z.infer<typeof ScrollbackSnapshot>;

/**
 * `WS /ws/pty/{conversation_id}?cursor=N`. Text frames are JSON of this union; a binary frame is eight bytes of big-endian offset and the
 * PTY's bytes from there. A viewer that gives a cursor the journal still holds gets the bytes after it, else a `screen` first.
 */
export const PtyServerFrame = z.discriminatedUnion('type', [
  /** Reset the terminal and write `data`: the screen with colors and scrollback, as of `cursor`. `line`s of blocks count from its top. */
  z.object({
    type: z.literal('screen'),
    cursor: z.number().int(),
    cols: z.number().int(),
    rows: z.number().int(),
    data: z.string(),
    marks: z.array(z.object({ block_id: BlockId, line: z.number().int() })),
  }),
  /** Bytes follow from `cursor` on: nothing was missed. */
  z.object({ type: z.literal('resume'), cursor: z.number().int(), cols: z.number().int(), rows: z.number().int() }),
  z.object({ type: z.literal('state'), state: TerminalState }),
  /** A block began, changed (at most every 250 ms while it runs) or ended. `at`: the offset where its output begins. */
  z.object({ type: z.literal('block'), block: Block, at: z.number().int() }),
  z.object({ type: z.literal('size'), cols: z.number().int(), rows: z.number().int() }),
  z.object({ type: z.literal('exit'), exit_code: z.number().int().nullable(), signal: z.string().nullable() }),
  z.object({ type: z.literal('refused'), code: z.string(), message: z.string() }),
]);
export type PtyServerFrame = z.infer<typeof PtyServerFrame>;

export const PtySize = z.object({ cols: z.number().int().min(2).max(1000), rows: z.number().int().min(1).max(1000) });
export type PtySize = z.infer<typeof PtySize>;

export const PtyClientFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('input'), data: z.string().max(1024 * 1024) }),
  z.object({ type: z.literal('resize'), ...PtySize.shape }),
  /** Everything up to here has been drawn; more than MAX_UNACKED_BYTES unacknowledged pauses this viewer. */
  z.object({ type: z.literal('ack'), cursor: z.number().int() }),
]);
export type PtyClientFrame = z.infer<typeof PtyClientFrame>;

/** What a viewer may be behind before it gets no more bytes. */
export const MAX_UNACKED_BYTES = 1024 * 1024;
