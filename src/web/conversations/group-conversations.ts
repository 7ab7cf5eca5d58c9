/** The list as it is shown: what waits for a person, then pinned ones, then projects, the one that was active last first. */
import type { ConversationRow } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { LampState } from '../ui/Lamp.tsx';

export interface Group {
  readonly key: string;
  readonly kind: 'waiting' | 'pinned' | 'project';
  /** Null for what is not of one project. */
  readonly cwd: string | null;
  readonly rows: readonly ConversationRow[];
}

export function groupConversations(rows: Iterable<ConversationRow>): readonly Group[] {
  const shown = [...rows].filter((row) => !row.archived).sort(newestFirst);
  const waiting = shown.filter(isWaiting);
  const pinned = shown.filter((row) => row.pinned && !isWaiting(row));
  const projects = new Map<string, ConversationRow[]>();
  for (const row of shown) {
    if (row.pinned || isWaiting(row)) continue;
    const project = projects.get(row.cwd);
    if (project === undefined) projects.set(row.cwd, [row]);
    else project.push(row);
  }
  return [
    ...groupOf('waiting', waiting),
    ...groupOf('pinned', pinned),
    ...[...projects].map(([cwd, of]) => ({ key: `cwd:${cwd}`, kind: 'project' as const, cwd, rows: of })),
  ];
}

function groupOf(kind: 'waiting' | 'pinned', rows: readonly ConversationRow[]): readonly Group[] {
  return rows.length === 0 ? [] : [{ key: kind, kind, cwd: null, rows }];
}

function isWaiting(row: ConversationRow): boolean {
  return row.state === 'waiting' || row.pending_approvals > 0;
}

/** By what was said last: reading, pinning and renaming move nothing. */
function newestFirst(a: ConversationRow, b: ConversationRow): number {
  return b.active_at.localeCompare(a.active_at) || a.id.localeCompare(b.id);
}

/** What the row's lamp says. What wants a person comes before what is merely going on. */
export function lampOf(row: ConversationRow, isOpen: boolean): LampState {
  if (isWaiting(row)) return 'waiting';
  if (row.state === 'running') return 'running';
  if (row.state === 'failed') return 'error';
  if (!isOpen && row.source === 'signalbox' && row.unread > 0) return 'unread';
  return row.state === 'draft' ? 'draft' : 'off';
}

/** The next conversation that wants somebody: an answer first, then a look at a failure or at news. Goes around; null if there is none. */
export function nextWaiting(rows: Iterable<ConversationRow>, openId: ConversationId | null): ConversationId | null {
  const all = groupConversations(rows).flatMap((group) => group.rows);
  const at = all.findIndex((row) => row.id === openId);
  const around = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))];
  const wants = (state: LampState) => around.find((row) => lampOf(row, false) === state);
  return (wants('waiting') ?? wants('error') ?? wants('unread'))?.id ?? null;
}

export function nameOf(row: Pick<ConversationRow, 'label' | 'preview'>): string | null {
  return row.label ?? (row.preview === '' ? null : row.preview);
}

/** Every word occurs in the name or the directory. Newest first. */
export function matchRows(rows: Iterable<ConversationRow>, query: string): readonly ConversationRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return [...rows]
    .filter((row) => {
      const text = `${nameOf(row) ?? ''} ${row.cwd}`.toLowerCase();
      return !row.archived && words.every((word) => text.includes(word));
    })
    .sort(newestFirst);
}
