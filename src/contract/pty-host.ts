/** What the server and the pty host say to each other over their socket, and what both keep on disk. */
import { z } from 'zod';
import {
  Block,
  BlockId,
  PtyServerFrame,
  PtySize,
  ScreenSnapshot,
  ScrollbackSnapshot,
  ShellId,
  TerminalFacts,
} from './terminal.ts';

/** A host of another number is left alone with its shells: it speaks another language. */
export const HOST_PROTOCOL = 1;

/**
 * Additions within a protocol; a server can work with a host of any revision, and a host with any server. Revision 2: `outdated` and
 * `input_refused` are sent, a viewer's first frame is the `state`, and a one-way frame gets no answer. A host that names no revision has
 * none of this: it is asked for the state each time, and its answers to one-way frames are dropped. Revision 3: the host demands a proof of
 * the secret before anything else. A host that was started with a key file has it; one without a key file is older.
 */
export const HOST_REVISION = 3;
const FIRST_REVISION = 1;

/** The request number of a one-way frame. */
export const ONE_WAY_ID = 0;

/** `run/pty-host.json`: the host that may be found again. */
export const HostRecord = z.object({
  pid: z.number().int(),
  start_time: z.string(),
  socket: z.string(),
  protocol: z.number().int(),
});
export type HostRecord = z.infer<typeof HostRecord>;

/** A line of `blocks.jsonl`; the last one of a block counts. */
export const BlockRecord = z.object({
  ...Block.shape,
  shell_id: ShellId,
  /** Offset of its output among the terminal's bytes. */
  at: z.number().int(),
  /** Bytes at the beginning of its `.out`; the rest of the file is the end of the output. */
  head_bytes: z.number().int(),
  kept_bytes: z.number().int(),
});
export type BlockRecord = z.infer<typeof BlockRecord>;

/** `agent_pty/recorded.json`: blocks up to this one are in the transcript, so that only the newest have to be looked for there. */
export const RecordedBlocks = z.object({ seq: z.number().int() });

/** One terminal as its host knows it. */
export const HostTerminal = z.object({
  /** Whose it is: a conversation, or whatever the caller chose. */
  key: z.string(),
  shell_id: ShellId,
  pid: z.number().int(),
  shell: z.string(),
  ...TerminalFacts.shape,
});
export type HostTerminal = z.infer<typeof HostTerminal>;

const key = z.string().min(1).max(200);
const actor = z.enum(['user', 'agent']);

export const OpenTerminal = z.object({
  do: z.literal('open'),
  key,
  /** Where journal, blocks and snapshots go. */
  dir: z.string(),
  /** Of `shells/<shell_id>`, for what a shell reads once at its start. */
  run_dir: z.string(),
  cwd: z.string(),
  /** A shell with its arguments, or any command. */
  command: z.array(z.string()).min(1),
  /** Give it our marks, if it is a shell we know. */
  is_shell: z.boolean(),
  env: z.record(z.string(), z.string()),
  ...PtySize.shape,
  output_head_bytes: z.number().int().min(0),
  output_tail_bytes: z.number().int().min(0),
});
export type OpenTerminal = z.infer<typeof OpenTerminal>;

/** A program of Framework Shells: a PTY whose bytes go to a log, and nothing else; it ends when its shell is stopped. */
export const RunProgram = z.object({
  do: z.literal('run'),
  key,
  command: z.array(z.string()).min(1),
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
  /** Written by the host itself, so that nothing is missing while no server runs. */
  log: z.string(),
  ...PtySize.shape,
});
export type RunProgram = z.infer<typeof RunProgram>;

const HostProgram = z.object({ key, pid: z.number().int(), start_time: z.string() });
export type HostProgram = z.infer<typeof HostProgram>;

const nonce = z.string().min(1).max(200);
const proof = z.string().min(1).max(200);

export const HostRequest = z.discriminatedUnion('do', [
  /** The first request of a connection: the server's nonce. The answer proves that the host knows the secret in `run/pty-host.key`. */
  z.object({ do: z.literal('challenge'), nonce }),
  /** The second: the server proves the same. Until then the host answers nothing else and sends nothing. */
  z.object({ do: z.literal('enter'), proof }),
  z.object({ do: z.literal('hello') }),
  z.object({ do: z.literal('list') }),
  z.object({ do: z.literal('programs') }),
  OpenTerminal,
  RunProgram,
  z.object({ do: z.literal('exec'), key, command: z.string(), actor }),
  z.object({ do: z.literal('input'), key, data: z.string(), actor }),
  z.object({ do: z.literal('resize'), key, ...PtySize.shape }),
  z.object({ do: z.literal('screen'), key }),
  z.object({ do: z.literal('scrollback'), key, lines: z.number().int() }),
  /** `viewer`: the id the server gave to this viewer; the only one there is. */
  z.object({ do: z.literal('attach'), key, viewer: z.number().int(), cursor: z.number().int().nullable() }),
  z.object({ do: z.literal('ack'), viewer: z.number().int(), cursor: z.number().int() }),
  z.object({ do: z.literal('detach'), viewer: z.number().int() }),
  z.object({ do: z.literal('close'), key }),
  /** Ends every shell that waits for a command; the others live on, and so do programs. */
  z.object({ do: z.literal('retire') }),
]);
export type HostRequest = z.infer<typeof HostRequest>;

/** Requests that may be sent one-way: a key must not cost a frame back. Refused input is reported by `input_refused`. */
export type HostOneWay = Extract<HostRequest, { do: 'input' | 'resize' | 'ack' | 'detach' }>;

/** What each request is answered with. */
export const HOST_ANSWERS = {
  challenge: z.object({ nonce, proof }),
  enter: z.null(),
  hello: z.object({
    protocol: z.number().int(),
    pid: z.number().int(),
    revision: z.number().int().default(FIRST_REVISION),
  }),
  list: z.array(HostTerminal),
  programs: z.array(HostProgram),
  open: HostTerminal,
  run: HostProgram,
  exec: BlockId,
  input: z.null(),
  resize: z.null(),
  screen: ScreenSnapshot,
  scrollback: ScrollbackSnapshot,
  attach: z.null(),
  ack: z.null(),
  detach: z.null(),
  close: z.null(),
  retire: z.object({ left: z.number().int() }),
} as const;

export type HostAnswers = { [Name in keyof typeof HOST_ANSWERS]: z.infer<(typeof HOST_ANSWERS)[Name]> };

/** JSON frames of the host: answers carry the number of their request. */
export const HostMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('answer'), re: z.number().int(), value: z.unknown() }),
  z.object({ type: z.literal('refused'), re: z.number().int(), code: z.string(), message: z.string() }),
  z.object({ type: z.literal('block'), key, kind: z.enum(['begin', 'change', 'end']), record: BlockRecord }),
  z.object({ type: z.literal('state'), terminal: HostTerminal }),
  /** The newest state that was sent of this terminal no longer holds. Sent once, until a state is sent or asked for again. */
  z.object({ type: z.literal('outdated'), key }),
  /** One-way input was dropped. Sent once, until input is accepted again. */
  z.object({ type: z.literal('input_refused'), key, code: z.string(), message: z.string() }),
  z.object({ type: z.literal('view'), viewer: z.number().int(), frame: PtyServerFrame }),
  z.object({
    type: z.literal('exit'),
    key,
    shell_id: ShellId,
    exit_code: z.number().int().nullable(),
    signal: z.string().nullable(),
  }),
  z.object({
    type: z.literal('program_exit'),
    key,
    pid: z.number().int(),
    exit_code: z.number().int().nullable(),
    signal: z.string().nullable(),
  }),
]);
export type HostMessage = z.infer<typeof HostMessage>;
