/** An item of Codex → the entry it becomes when it ends, and what is shown of it until then. */
import type { AgentRef, AgentStep, EntryOf, ItemEnd, NewEntry } from '../../contract/entry.ts';
import type { LiveItem } from '../../contract/ui-event.ts';
import type { Item } from '../codex/item.ts';
import { countLines, cutMiddle, firstLine } from '../text/cut.ts';
import { agentName } from './agent-name.ts';
import { relativePath } from './diff-identity.ts';
import type { OpenItem } from './thread-state.ts';
import { itemKey } from './thread-state.ts';

export interface Place {
  readonly turnId: string;
  readonly event: string;
}

/** Entries of a finished item; none for what is not worth a row (empty reasoning) or is told by other entries (file changes). */
export function entryOfItem(item: Item, place: Place): NewEntry | null {
  const origin = { turn_id: place.turnId, item_id: item.id, event: place.event };
  switch (item.kind) {
    case 'user':
      return userEntry(item, place);
    case 'assistant':
      return {
        role: 'assistant',
        text: item.text,
        status: 'completed',
        ...(item.phase !== null && { phase: item.phase }),
        ...(item.questions.length > 0 && { questions: item.questions }),
        ...origin,
      };
    case 'reasoning':
      return item.text.trim() === '' ? null : { role: 'reasoning', text: item.text, status: 'completed', ...origin };
    case 'plan':
      return item.text.trim() === '' ? null : { role: 'plan', steps: [], text: item.text, ...origin };
    case 'command':
      return item.isUserShell ? shellOutput(item, origin) : commandEntry(item, origin);
    case 'tool':
      return toolEntry(item, origin);
    case 'note':
      return { role: 'note', kind: item.note, text: item.text, ...origin };
    case 'file_change':
      return null;
    default:
      return item satisfies never;
  }
}

/** None for context that nobody said: without an id of ours, only its markers tell it from a person's words. */
export function userEntry(item: Extract<Item, { kind: 'user' }>, place: Place): NewEntry | null {
  if (item.clientId === null && item.isContextual) return null;
  return {
    role: 'user',
    text: item.text,
    ...(item.images.length > 0 && { images: [...item.images] }),
    ...(item.clientId !== null && { client_message_id: item.clientId }),
    ...(item.from !== undefined && { from: item.from }),
    turn_id: place.turnId,
    item_id: item.id,
    event: place.event,
  };
}

type Origin = { readonly turn_id: string; readonly item_id: string; readonly event: string };

function commandEntry(item: Extract<Item, { kind: 'command' }>, origin: Origin): NewEntry {
  const { text, omitted } = cutMiddle(item.output);
  return {
    role: 'command',
    command: item.command,
    ...(item.argv !== item.command && { argv: item.argv }),
    cwd: item.cwd,
    output: text,
    ...(omitted > 0 && { output_omitted: omitted, output_lines: countLines(item.output) }),
    exit_code: item.exitCode,
    duration_ms: item.durationMs,
    status: endOf(item.status),
    actions: item.actions,
    ...(item.processId !== null && { process_id: item.processId }),
    ...origin,
  };
}

/** A command that somebody here ended: Codex calls it failed, with -1 where it has no exit code. */
export function stoppedCommand(entry: EntryOf<'command'>, by: 'SIGTERM' | 'SIGKILL'): NewEntry {
  return {
    ...entry,
    status: 'interrupted',
    stopped_by: by,
    exit_code: entry.exit_code === -1 ? null : entry.exit_code,
  };
}

function shellOutput(item: Extract<Item, { kind: 'command' }>, origin: Origin): NewEntry {
  const { text, omitted } = cutMiddle(item.output);
  return {
    role: 'shell_output',
    command: item.command,
    stdout: text,
    stderr: '',
    ...(omitted > 0 && { output_omitted: omitted, output_lines: countLines(item.output) }),
    exit_code: item.exitCode,
    duration_ms: item.durationMs,
    ...origin,
  };
}

function toolEntry(item: Extract<Item, { kind: 'tool' }>, origin: Origin): NewEntry {
  const { text, omitted } = cutMiddle(item.output);
  return {
    role: 'tool',
    kind: item.tool,
    name: item.name,
    ...(item.server !== null && { server: item.server }),
    ...(item.input !== '' && { input: cutMiddle(item.input).text }),
    ...(text !== '' && { output: text }),
    ...(omitted > 0 && { output_omitted: omitted }),
    ...(item.error !== null && { error: item.error }),
    status: endOf(item.status),
    duration_ms: item.durationMs,
    ...(item.agent !== null && {
      agent: { thread_id: item.agent.threadId, path: item.agent.path, activity: item.agent.activity },
    }),
    ...origin,
  };
}

/** How an item ended that was told as over. */
export function endOfItem(item: Item): ItemEnd {
  return 'status' in item ? endOf(item.status) : 'completed';
}

/** An item that was told as over is over, whatever its status field still says. */
function endOf(status: Extract<Item, { kind: 'tool' }>['status']): ItemEnd {
  return status === 'in_progress' ? 'completed' : status;
}

/** What is left of an item that never ended: what was shown of it, or nothing if nothing was. */
export function entryOfOrphan(open: OpenItem): NewEntry | null {
  const { live, turnId } = open;
  const origin = { turn_id: turnId, item_id: live.item_id, event: 'orphaned' };
  switch (live.role) {
    case 'assistant':
    case 'reasoning':
      return live.text.trim() === '' ? null : { role: live.role, text: live.text, status: 'interrupted', ...origin };
    case 'plan':
      return live.text.trim() === '' ? null : { role: 'plan', steps: live.steps, text: live.text, ...origin };
    case 'command':
      return live.user_shell ? orphanedShell(live, origin) : orphanedCommand(live, origin);
    case 'tool':
      return {
        role: 'tool',
        kind: live.kind,
        name: live.name,
        ...(live.input !== '' && { input: live.input }),
        ...(open.said && { output: cutMiddle(open.said).text }),
        status: 'interrupted',
        duration_ms: null,
        ...(live.agent !== undefined && { agent: endedAgent(live.agent) }),
        ...origin,
      };
    case 'diff':
      return null;
    default:
      return live satisfies never;
  }
}

function orphanedCommand(live: Extract<LiveItem, { role: 'command' }>, origin: Origin): NewEntry {
  return {
    role: 'command',
    command: live.command,
    cwd: live.cwd,
    output: live.text,
    ...(live.text_start > 0 && { output_omitted: live.text_start }),
    exit_code: null,
    duration_ms: null,
    status: 'interrupted',
    actions: [],
    ...origin,
  };
}

function orphanedShell(live: Extract<LiveItem, { role: 'command' }>, origin: Origin): NewEntry {
  return {
    role: 'shell_output',
    command: live.command,
    stdout: live.text,
    stderr: '',
    exit_code: null,
    duration_ms: null,
    ...origin,
  };
}

/** What is shown while the item runs; null for items that are told whole. */
function liveItemOf(item: Item, turnId: string, at: number, cwd: string): LiveItem | null {
  const common = { item_id: item.id, turn_id: turnId, started_at_ms: at, text: '', text_start: 0 };
  switch (item.kind) {
    case 'assistant':
    case 'reasoning':
      return { role: item.kind, ...common, text: item.text };
    case 'plan':
      return { role: 'plan', steps: [], ...common, text: item.text };
    case 'command':
      return {
        role: 'command',
        command: item.command,
        cwd: item.cwd,
        user_shell: item.isUserShell,
        ...(item.actions.length > 0 && { actions: item.actions }),
        ...common,
        text: item.output,
      };
    case 'tool':
      return {
        role: 'tool',
        name: item.name,
        kind: item.tool,
        ...(item.server !== null && { server: item.server }),
        input: item.input,
        ...common,
      };
    case 'file_change':
      return { role: 'diff', paths: item.changes.map((one) => relativePath(one.path, cwd)), ...common };
    case 'user':
    case 'note':
      return null;
    default:
      return item satisfies never;
  }
}

/** The key an item is kept under while it runs, and what is kept of it. */
export function openItemOf(
  { cwd }: { readonly cwd: string },
  turnId: string,
  item: Item,
  at: number,
): [string, OpenItem | null] {
  const live = liveItemOf(item, turnId, at, cwd);
  const changes = item.kind === 'file_change' ? item.changes : [];
  const processId = item.kind === 'command' ? item.processId : null;
  return [itemKey(turnId, item.id), live === null ? null : { turnId, live, part: 0, changes, processId }];
}

/** Nothing is heard of the end of what was cut off with the turn of a sub-agent. */
export function endedAgent(agent: AgentRef): AgentRef {
  const end = (one: AgentStep): AgentStep => (one.state === 'running' ? { ...one, state: 'interrupted' } : one);
  return { ...agent, steps: (agent.steps ?? []).map(end) };
}

const MAX_ACTIVITY_CHARS = 80;

export function activityOfItem(item: Item): string | null {
  switch (item.kind) {
    case 'reasoning':
      return 'Thinking';
    case 'assistant':
      return 'Writing';
    case 'plan':
      return 'Planning';
    case 'command':
      return `Running ${firstLine(item.command, MAX_ACTIVITY_CHARS)}`;
    case 'file_change':
      return item.changes.length === 1 ? 'Editing a file' : `Editing ${item.changes.length} files`;
    case 'tool':
      return item.agent?.activity === 'started'
        ? `Starting sub-agent ${firstLine(agentName(item.agent.path), MAX_ACTIVITY_CHARS)}`.trim()
        : `Using ${firstLine(item.name, MAX_ACTIVITY_CHARS)}`;
    case 'user':
    case 'note':
      return null;
    default:
      return item satisfies never;
  }
}
