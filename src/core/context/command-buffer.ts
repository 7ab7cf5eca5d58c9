/** Terminal commands wait here for the next message: what is kept of each, and how they fit into one envelope. */
import type { CommandBuffer, CommandContext, CommandEntry } from '../../contract/context.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { byteLength, headBytes, tailBytes } from '../text/bytes.ts';
import { withoutEscapes } from '../text/escape-sequences.ts';
import { cleanForModel } from '../text/hidden.ts';
import { DATA_NOTE } from '../text/render-untrusted.ts';
import { type FragmentSpec, inertJson, MAX_VALUE_BYTES } from './fragment.ts';

/** The newest commands say what the person is doing; a turn seldom needs more. */
export const MAX_COMMANDS = 10;
/** A question about more commands than these is one about the terminal as a whole. */
const MAX_ASKED = 5;
/** A preview shows how a command ended; the whole output is a tool call away. */
export const MAX_PREVIEW_LINES = 20;
export const MAX_PREVIEW_BYTES = 3_000;
/** A pasted script is known by its first lines. */
const MAX_CMD_BYTES = 1_000;
const MAX_CWD_BYTES = 500;
/** Below this the one command that is left is cut itself. */
const MIN_CMD_BYTES = 200;

/** Tools of ours that show the whole of what a preview leaves out. */
const MORE = ['pty_read_screen', 'pty_read_scrollback'];

/** A command that has ended, wherever it ran. */
export interface EndedCommand {
  readonly blockId: string;
  readonly shellId: string | null;
  readonly cmd: string;
  readonly cwd: string;
  readonly exitCode: number | null;
  /** Unix milliseconds. */
  readonly ts: number;
  readonly durationMs: number | null;
  /** running: it has not ended yet · completed · interrupted: by Ctrl-C · killed: with its shell, or by a signal · lost: nobody saw its end. */
  readonly end: 'completed' | 'interrupted' | 'killed' | 'lost' | 'running';
  /** The last part of what it printed. */
  readonly output: string;
  /** There was more before `output`. */
  readonly isOutputCut: boolean;
  /** It ran in a further terminal, which no agent reads. */
  readonly isPrivate?: boolean;
}

export function pushCommand(
  buffer: CommandBuffer | null,
  conversationId: ConversationId,
  ended: EndedCommand,
): CommandBuffer {
  if (buffer?.commands.some((one) => one.block_id === ended.blockId)) return buffer;
  return {
    v: 1,
    conversation_id: conversationId,
    shell_id: ended.shellId ?? buffer?.shell_id ?? null,
    commands: newest([...(buffer?.commands ?? []), entryOf(ended)]),
    total_commands_run: (buffer?.total_commands_run ?? 0) + 1,
  };
}

/** What a person asks about stays; of the others the oldest go first. */
function newest(commands: readonly CommandEntry[]): CommandEntry[] {
  const excess = commands.length - MAX_COMMANDS;
  const dropped = new Set(commands.filter((one) => one.asked_about !== true).slice(0, Math.max(0, excess)));
  return commands.filter((one) => !dropped.has(one));
}

export const askedIn = (buffer: CommandBuffer | null): readonly CommandEntry[] =>
  buffer?.commands.filter((one) => one.asked_about === true) ?? [];

/** Puts a command that a person asks about into the buffer, or marks it there. Null when too many are asked about. */
export function askAbout(
  buffer: CommandBuffer | null,
  conversationId: ConversationId,
  asked: EndedCommand,
): CommandBuffer | null {
  const others = askedIn(buffer).filter((one) => one.block_id !== asked.blockId);
  if (others.length >= MAX_ASKED) return null;
  const next = pushCommand(buffer, conversationId, asked);
  const commands = next.commands.map((one) =>
    one.block_id === asked.blockId ? { ...entryOf(asked), asked_about: true as const } : one,
  );
  return { ...next, commands };
}

/** A command that nobody asks about any more leaves the buffer; null when nothing is left in it. */
export function dropAsked(buffer: CommandBuffer | null, blockId: string): CommandBuffer | null {
  const isAsked = askedIn(buffer).some((one) => one.block_id === blockId);
  return isAsked ? takeCommands(buffer, { blockIds: [blockId], run: 1 }) : buffer;
}

/** Of a conversation whose commands do not go along: those that are asked about do all the same. */
export function onlyAsked(buffer: CommandBuffer | null): CommandBuffer | null {
  const commands = askedIn(buffer);
  return buffer === null || commands.length === 0
    ? null
    : { ...buffer, commands: [...commands], total_commands_run: commands.length };
}

/** Without what a message has carried; what ended meanwhile stays. Null when nothing does. */
export function takeCommands(
  buffer: CommandBuffer | null,
  carried: { readonly blockIds: readonly string[]; readonly run: number },
): CommandBuffer | null {
  if (buffer === null) return null;
  const commands = buffer.commands.filter((one) => !carried.blockIds.includes(one.block_id));
  const total = buffer.total_commands_run - carried.run;
  return total <= 0 ? null : { ...buffer, commands, total_commands_run: Math.max(total, commands.length) };
}

function entryOf(ended: EndedCommand): CommandEntry {
  const status = statusOf(ended);
  return {
    ...((status === 'interrupted' || status === 'killed') && { type: 'user_kill' as const }),
    cmd: shortened(cleanForModel(ended.cmd), MAX_CMD_BYTES),
    exit_code: ended.exitCode,
    cwd: shortened(cleanForModel(ended.cwd), MAX_CWD_BYTES),
    block_id: ended.blockId,
    ts: ended.ts,
    ...(ended.durationMs !== null && { duration_ms: Math.max(0, Math.round(ended.durationMs)) }),
    preview: previewOf(ended.output, ended.isOutputCut),
    ...(status !== null && { status }),
    ...(ended.isPrivate === true && { private_terminal: true as const }),
  };
}

/** Shells report a signal as 128 and its number; who waits for a process itself, as a negative code. */
function statusOf({ end, exitCode }: EndedCommand): CommandEntry['status'] | null {
  if (end !== 'completed') return end;
  if (exitCode === 130) return 'interrupted';
  return exitCode === 137 || exitCode === 143 || (exitCode !== null && exitCode < 0) ? 'killed' : null;
}

/** The last lines, whole ones; of a last line that is too long by itself, its end. */
export function previewOf(output: string, isCut: boolean): CommandEntry['preview'] {
  const all = plainLines(output);
  const lines: string[] = [];
  let bytes = 0;
  for (const line of all.toReversed().slice(0, MAX_PREVIEW_LINES)) {
    const size = byteLength(line) + 1;
    if (bytes + size > MAX_PREVIEW_BYTES) {
      if (lines.length === 0) lines.unshift(tailBytes(line, MAX_PREVIEW_BYTES - 1));
      break;
    }
    lines.unshift(line);
    bytes += size;
  }
  const isShort = lines.length < all.length || lines[0] !== all[all.length - lines.length];
  return { lines, truncated: isCut || isShort };
}

/** As a person reads it: no escape sequences, a line that was drawn over shows what was drawn last. */
function plainLines(output: string): readonly string[] {
  const text = withoutEscapes(output).replaceAll('\r\n', '\n');
  const lines = text
    .split('\n')
    .map((line) => cleanForModel(line.slice(line.lastIndexOf('\r', line.length - 2) + 1)).trimEnd());
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(
    Math.max(
      0,
      lines.findIndex((line) => line !== ''),
    ),
    last + 1,
  );
}

/** Of the envelope: previews shrink from the oldest on, then the oldest commands go; the newest command is always there. */
export function commandContextOf(buffer: CommandBuffer, maxBytes = MAX_VALUE_BYTES): CommandContext {
  // The others make room first.
  const others = buffer.commands.filter((one) => one.asked_about !== true);
  let commands: readonly CommandEntry[] = [...others, ...askedIn(buffer)];
  const isTooLong = () => byteLength(COMMANDS.render(envelopeOf(buffer, commands))) > maxBytes;
  for (let at = 0; at < commands.length && isTooLong(); at += 1) {
    while (isTooLong() && (commands[at]?.preview.lines.length ?? 0) > 0)
      commands = commands.with(at, shorter(commands[at]));
  }
  while (commands.length > 1 && isTooLong()) commands = commands.slice(1);
  const last = commands[0];
  if (last !== undefined && isTooLong()) {
    const cmd = shortened(last.cmd, MIN_CMD_BYTES);
    commands = [{ ...last, cmd, cwd: shortened(last.cwd, MIN_CMD_BYTES) }];
  }
  return envelopeOf(buffer, commands);
}

function shorter(entry: CommandEntry | undefined): CommandEntry {
  if (entry === undefined) throw new Error('no command at this place');
  return { ...entry, preview: { lines: entry.preview.lines.slice(1), truncated: true } };
}

function envelopeOf(buffer: CommandBuffer, commands: readonly CommandEntry[]): CommandContext {
  return {
    v: 1,
    type: 'user_cmd_context',
    note: DATA_NOTE,
    conversation_id: buffer.conversation_id,
    shell_id: buffer.shell_id,
    total_commands_run: buffer.total_commands_run,
    kept: commands.length,
    dropped: buffer.total_commands_run - commands.length,
    commands: [...commands],
    mcp: MORE,
  };
}

function shortened(text: string, maxBytes: number): string {
  return byteLength(text) <= maxBytes ? text : `${headBytes(text, maxBytes - 3)}…`;
}

export const COMMANDS: FragmentSpec<CommandContext> = {
  name: 'commands',
  key: 'user_cmd_context',
  role: 'contextual-user',
  maxBytes: MAX_VALUE_BYTES,
  order: 3,
  render: inertJson,
};
