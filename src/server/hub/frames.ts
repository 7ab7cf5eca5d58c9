/** The hub's frames as bytes. Entries come as text from the disk and go into the frame unparsed. */
import type { ConversationRow } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { ServerFrame, SyncStatus } from '../../contract/ui-event.ts';
import type { LiveState } from '../../core/conversations/live.ts';

/** What a client that joins is shown, all of one moment. */
export interface Snapshot {
  readonly id: ConversationId;
  readonly seq: number;
  readonly live: LiveState;
  readonly row: ConversationRow;
}

export function renderFrame(frame: ServerFrame): Buffer {
  return Buffer.from(JSON.stringify(frame));
}

export function renderSync(
  snapshot: Snapshot,
  verdict: 'replay' | 'reset',
  entries: readonly string[],
  hasMore?: boolean,
): Buffer {
  const { id, seq, live, row } = snapshot;
  const status: SyncStatus = { activity: live.activity, usage: live.usage, row };
  const head = JSON.stringify({ type: 'sync', conversation_id: id, verdict, seq, has_more: hasMore }).slice(0, -1);
  const tail = JSON.stringify({
    live: live.items,
    approvals: live.approvals,
    running: live.running,
    holder: live.holder,
    status,
  }).slice(1);
  return Buffer.from(`${head},"entries":[${entries.join(',')}],${tail}`);
}

/** The longest tail of `entries` within the budget, the newest one in any case. */
export function newestWithin(maxChars: number, entries: readonly string[]): readonly string[] {
  let chars = 0;
  const cut = entries.findLastIndex((entry) => {
    chars += entry.length;
    return chars > maxChars;
  });
  return cut < 0 ? entries : entries.slice(Math.min(cut + 1, entries.length - 1));
}
