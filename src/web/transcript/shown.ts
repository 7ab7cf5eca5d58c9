/** Entries and live items → the props of the cards that show both. */
import type { Entry, EntryOf } from '../../contract/entry.ts';
import type { LiveItem } from '../../contract/ui-event.ts';
import type { CommandShown } from './command-shown.ts';
import type { ToolShown } from './ToolCard.tsx';

type LiveOf<R extends LiveItem['role']> = Extract<LiveItem, { role: R }>;

export function commandOfEntry(entry: EntryOf<'command'>): CommandShown {
  return {
    command: entry.command,
    cwd: entry.cwd,
    output: entry.output,
    omitted: entry.output_omitted ?? 0,
    printedLines: entry.output_lines ?? null,
    exitCode: entry.exit_code,
    durationMs: entry.duration_ms,
    status: entry.status,
    stoppedBy: entry.stopped_by,
    startedAtMs: 0,
    actions: entry.actions,
    isYours: false,
    isCutAtStart: false,
    turnId: entry.turn_id,
    itemId: entry.item_id,
    blockId: undefined,
  };
}

export function commandOfLive(item: LiveOf<'command'>): CommandShown {
  return {
    command: item.command,
    cwd: item.cwd,
    output: item.text,
    omitted: 0,
    printedLines: null,
    exitCode: null,
    durationMs: null,
    status: 'running',
    startedAtMs: item.started_at_ms,
    actions: [],
    isYours: item.user_shell,
    isCutAtStart: item.text_start > 0,
    turnId: item.turn_id,
    itemId: item.item_id,
    blockId: undefined,
  };
}

type ShellEntry = Extract<Entry, { role: 'shell_input' | 'shell_output' }>;

/** `input` is what an output answers, where it is loaded. */
export function commandOfShell(entry: ShellEntry, input?: Entry): CommandShown {
  const isDone = entry.role === 'shell_output';
  const began = isDone ? input : entry;
  return {
    command: entry.command,
    cwd: began?.role === 'shell_input' ? (began.cwd ?? '') : '',
    output: isDone ? joined(entry.stdout, entry.stderr) : '',
    omitted: isDone ? (entry.output_omitted ?? 0) : 0,
    printedLines: isDone ? (entry.output_lines ?? null) : null,
    exitCode: isDone ? entry.exit_code : null,
    durationMs: isDone ? entry.duration_ms : null,
    status: isDone ? 'completed' : 'running',
    startedAtMs: began === undefined ? 0 : Date.parse(began.ts),
    actions: [],
    isYours: entry.actor !== 'agent',
    isCutAtStart: false,
    turnId: entry.turn_id,
    itemId: entry.item_id,
    blockId: entry.block_id,
  };
}

function joined(stdout: string, stderr: string): string {
  return stdout === '' || stdout.endsWith('\n') ? stdout + stderr : `${stdout}\n${stderr}`;
}

export function toolOfEntry(entry: EntryOf<'tool'>): ToolShown {
  return {
    kind: entry.kind,
    name: entry.name,
    server: entry.server,
    input: entry.input ?? '',
    output: entry.output ?? '',
    omitted: entry.output_omitted ?? 0,
    error: entry.error,
    status: entry.status,
    durationMs: entry.duration_ms,
    startedAtMs: 0,
    itemId: entry.item_id,
  };
}

export function toolOfLive(item: LiveOf<'tool'>): ToolShown {
  return {
    kind: item.kind,
    name: item.name,
    server: item.server,
    input: item.input,
    output: item.text,
    omitted: 0,
    error: undefined,
    status: 'running',
    durationMs: null,
    startedAtMs: item.started_at_ms,
    itemId: item.item_id,
  };
}
