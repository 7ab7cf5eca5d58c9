/** The directories that conversations have worked in, for choosing where the next one begins. Pure. */
import type { ConversationRow } from '../../contract/conversation.ts';

interface Project {
  readonly cwd: string;
  readonly conversations: number;
  readonly active_at: string;
}

/** Newest activity first. A path with and without a slash at its end is one project. */
export function recentProjects(rows: Iterable<Pick<ConversationRow, 'cwd' | 'active_at'>>): Project[] {
  const found = new Map<string, Project>();
  for (const { cwd: path, active_at } of rows) {
    const cwd = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
    if (cwd === '') continue;
    const before = found.get(cwd);
    const newest = before === undefined || active_at > before.active_at ? active_at : before.active_at;
    found.set(cwd, { cwd, conversations: (before?.conversations ?? 0) + 1, active_at: newest });
  }
  return [...found.values()].sort((a, b) => b.active_at.localeCompare(a.active_at));
}
