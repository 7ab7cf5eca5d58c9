/** A turn from Codex's history → the entries it would have left here. Plans, diffs and token counts are not in that history. */
import type { NewEntry } from '../../contract/entry.ts';
import { HISTORY_EVENT } from '../codex/operations.ts';
import type { TurnRecord } from '../codex/signal.ts';
import { diffHash, diffId, diffOfChanges, filesOfDiff } from './diff-identity.ts';
import { entryOfItem } from './items.ts';

const DIFF_STATUS = {
  in_progress: 'interrupted',
  completed: 'applied',
  failed: 'failed',
  declined: 'declined',
} as const;

interface Place {
  readonly threadId: string;
  readonly cwd: string;
  readonly digest: (text: string) => string;
}

export function entriesOfTurn(turn: TurnRecord, { threadId, cwd, digest }: Place): NewEntry[] {
  const entries: NewEntry[] = [];
  for (const item of turn.items) {
    const origin = { turn_id: turn.turnId, item_id: item.id, event: HISTORY_EVENT };
    if (item.kind === 'file_change') {
      const diff = diffOfChanges(item.changes, cwd);
      const files = filesOfDiff(diff);
      const [first] = files;
      entries.push({
        role: 'diff',
        diff_id: diffId(threadId, turn.turnId, diffHash(digest, DIFF_STATUS[item.status], diff)),
        diff,
        ...(first !== undefined && { path: first.moved_to ?? first.path }),
        files,
        status: DIFF_STATUS[item.status],
        ...origin,
      });
      continue;
    }
    if (item.kind === 'command' && item.isUserShell) {
      entries.push({ role: 'shell_input', command: item.command, cwd: item.cwd, ...origin });
    }
    const entry = entryOfItem(item, { turnId: turn.turnId, event: HISTORY_EVENT });
    const isCutOff = 'status' in item && item.status === 'in_progress' && turn.status !== 'running';
    if (isCutOff && (entry?.role === 'command' || entry?.role === 'tool'))
      entries.push({ ...entry, status: 'interrupted' });
    else if (entry !== null) entries.push(entry);
  }
  if (turn.failure !== null) {
    const code = turn.failure.code === null ? {} : { code: turn.failure.code };
    entries.push({ role: 'error', text: turn.failure.message, ...code, turn_id: turn.turnId, event: HISTORY_EVENT });
  }
  if (turn.status === 'running') return entries;
  const status = turn.status === 'completed' ? 'success' : turn.status === 'failed' ? 'error' : 'warning';
  entries.push({
    role: 'status',
    status,
    turn_status: turn.status,
    duration_ms: turn.durationMs,
    turn_id: turn.turnId,
    event: HISTORY_EVENT,
  });
  return entries;
}
