/** A stopped turn says "Stopped" below its commands, also below those whose end Codex reports after the end of the turn. Pure. */
import type { Entry } from '../../contract/entry.ts';
import type { LiveItem } from '../../contract/ui-event.ts';

/** What is looked at of a row. */
type Row =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'live'; readonly item: LiveItem }
  | { readonly kind: 'message' | 'reasoning' | 'events' | 'asking' | 'agent' };

/** The keys in the order they are shown. */
export function placeStopped(keys: readonly string[], rowAt: (key: string) => Row | undefined): readonly string[] {
  let placed: string[] | null = null;
  for (let at = keys.length - 1; at >= 0; at -= 1) {
    const row = rowAt(keys[at] ?? '');
    const turnId = row === undefined ? undefined : stoppedTurn(row);
    if (turnId === undefined) continue;
    const list: readonly string[] = placed ?? keys;
    const end = lastOfTurn(list, at, turnId, rowAt);
    if (end === at) continue;
    placed = [...list.slice(0, at), ...list.slice(at + 1, end + 1), keys[at] ?? '', ...list.slice(end + 1)];
  }
  return placed ?? keys;
}

function stoppedTurn(row: Row): string | undefined {
  if (row.kind !== 'entry' || row.entry.role !== 'status') return undefined;
  return row.entry.turn_status === 'interrupted' ? row.entry.turn_id : undefined;
}

/** Up to the next message: what comes later belongs to what was said then. */
function lastOfTurn(
  keys: readonly string[],
  from: number,
  turnId: string,
  rowAt: (key: string) => Row | undefined,
): number {
  let last = from;
  for (let at = from + 1; at < keys.length; at += 1) {
    const row = rowAt(keys[at] ?? '');
    if (row === undefined || row.kind === 'message') break;
    if (commandTurn(row) === turnId) last = at;
  }
  return last;
}

function commandTurn(row: Row): string | undefined {
  if (row.kind === 'live') return row.item.role === 'command' ? row.item.turn_id : undefined;
  return row.kind === 'entry' && row.entry.role === 'command' ? row.entry.turn_id : undefined;
}
