/** A stopped turn says "Stopped" below its commands, also below those whose end Codex reports after the end of the turn. Pure. */
import type { Entry } from '../../contract/entry.ts';
import type { LiveItem } from '../../contract/ui-event.ts';

/** What is looked at of a row. */
type Row =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'live'; readonly item: LiveItem }
  | { readonly kind: 'message'; readonly delivery: { readonly state: string } }
  | { readonly kind: 'reasoning' | 'events' | 'asking' | 'agent' };

/** The keys in the order they are shown. */
export function placeStopped(keys: readonly string[], rowAt: (key: string) => Row | undefined): readonly string[] {
  let placed: string[] | null = null;
  for (let at = keys.length - 1; at >= 0; at -= 1) {
    const row = rowAt(keys[at] ?? '');
    const turnId = row === undefined ? undefined : stoppedTurn(row);
    if (turnId === undefined) continue;
    const list: readonly string[] = placed ?? keys;
    const { end, beyond } = restOfTurn(list, at, turnId, rowAt);
    if (end === at && beyond.size === 0) continue;
    const after = list.slice(end + 1);
    placed = [
      ...list.slice(0, at),
      ...list.slice(at + 1, end + 1),
      ...after.filter((key) => beyond.has(key)),
      keys[at] ?? '',
      ...after.filter((key) => !beyond.has(key)),
    ];
  }
  return placed ?? keys;
}

function stoppedTurn(row: Row): string | undefined {
  if (row.kind !== 'entry' || row.entry.role !== 'status') return undefined;
  return row.entry.turn_status === 'interrupted' ? row.entry.turn_id : undefined;
}

/**
 * The last command of the turn before the next message, and its commands beyond messages that Codex did not get. Up to the next
 * message that Codex got: what comes later belongs to what was said then.
 */
function restOfTurn(
  keys: readonly string[],
  from: number,
  turnId: string,
  rowAt: (key: string) => Row | undefined,
): { readonly end: number; readonly beyond: ReadonlySet<string> } {
  let end = from;
  const beyond = new Set<string>();
  let wasMessage = false;
  for (const [at, key] of keys.entries()) {
    if (at <= from) continue;
    const row = rowAt(key);
    if (row === undefined) break;
    if (row.kind === 'message') {
      if (row.delivery.state !== 'not_delivered') break;
      wasMessage = true;
    } else if (commandTurn(row) === turnId) {
      if (wasMessage) beyond.add(key);
      else end = at;
    }
  }
  return { end, beyond };
}

function commandTurn(row: Row): string | undefined {
  if (row.kind === 'live') return row.item.role === 'command' ? row.item.turn_id : undefined;
  return row.kind === 'entry' && row.entry.role === 'command' ? row.entry.turn_id : undefined;
}
