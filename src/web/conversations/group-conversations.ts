/** The list as it is shown: pinned ones first, then by project, the project with the newest first. */
import type { ConversationRow } from '../../contract/conversation.ts';
import type { LampState } from '../ui/Lamp.tsx';

export interface Group {
  readonly key: string;
  /** Null for the pinned ones. */
  readonly cwd: string | null;
  readonly rows: readonly ConversationRow[];
}

export function groupConversations(rows: Iterable<ConversationRow>): readonly Group[] {
  const shown = [...rows].filter((row) => !row.archived).sort(newestFirst);
  const pinned = shown.filter((row) => row.pinned);
  const projects = new Map<string, ConversationRow[]>();
  for (const row of shown) {
    if (row.pinned) continue;
    const project = projects.get(row.cwd);
    if (project === undefined) projects.set(row.cwd, [row]);
    else project.push(row);
  }
  return [
    ...(pinned.length > 0 ? [{ key: 'pinned', cwd: null, rows: pinned }] : []),
    ...[...projects].map(([cwd, rowsOfProject]) => ({ key: `cwd:${cwd}`, cwd, rows: rowsOfProject })),
  ];
}

function newestFirst(a: ConversationRow, b: ConversationRow): number {
  return b.updated_at.localeCompare(a.updated_at) || a.id.localeCompare(b.id);
}

/** What the row's lamp says. What wants a person comes before what is merely going on. */
export function lampOf(row: ConversationRow, isOpen: boolean): LampState {
  if (row.state === 'waiting' || row.pending_approvals > 0) return 'waiting';
  if (row.state === 'running') return 'running';
  if (row.state === 'failed') return 'error';
  if (!isOpen && row.source === 'signalbox' && row.last_seq > row.read_seq) return 'unread';
  return row.state === 'draft' ? 'draft' : 'off';
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
