/** Two conversations that have the same thread become one: which of them owns the thread, and what the owner lacks. Pure. */
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { Entry } from '../../contract/entry.ts';
import { conversationIdOfThread } from '../../contract/ids.ts';

export interface Duplicates {
  readonly owner: ConversationMeta;
  readonly copies: readonly ConversationMeta[];
}

/** Only threads that more than one conversation has. */
export function findDuplicates(metas: readonly ConversationMeta[]): Duplicates[] {
  const byThread = new Map<string, ConversationMeta[]>();
  for (const meta of metas) {
    if (meta.thread_id === null) continue;
    const same = byThread.get(meta.thread_id);
    if (same === undefined) byThread.set(meta.thread_id, [meta]);
    else same.push(meta);
  }
  return [...byThread.values()].flatMap((same) => {
    const [owner, ...copies] = same.toSorted(byClaim);
    return owner === undefined || copies.length === 0 ? [] : [{ owner, copies }];
  });
}

/** The conversation that started the thread comes first: an imported one has the id that follows from the thread's. Then the older one. */
function byClaim(a: ConversationMeta, b: ConversationMeta): number {
  const imported = (meta: ConversationMeta) =>
    Number(meta.conversation_id === conversationIdOfThread(meta.thread_id ?? ''));
  return (
    imported(a) - imported(b) ||
    a.created_at.localeCompare(b.created_at) ||
    a.conversation_id.localeCompare(b.conversation_id)
  );
}

/** The entries of a copy that its owner does not have, in their order. Given again after they were added, there are none. */
export function entriesToAdd(owner: readonly Entry[], copy: readonly Entry[]): Entry[] {
  const known = new Set(owner.flatMap((entry) => [wholeKey(entry), ...itemKeys(entry)]));
  const items = new Map(
    copy.flatMap((entry) => (entry.role === 'delivery' ? [[entry.client_message_id, itemKeys(entry)]] : [])),
  );
  return copy.filter((entry) => {
    // The owner may have read the message in Codex's history, where it has a turn and no id of ours.
    const told = entry.role === 'user' ? (items.get(entry.client_message_id ?? '') ?? []) : [];
    return ![wholeKey(entry), ...itemKeys(entry), ...told].some((key) => known.has(key));
  });
}

/** The settings of the owner with what waited in the copy. */
export function mergeMetas(owner: ConversationMeta, copy: ConversationMeta): ConversationMeta {
  const known = new Set(owner.queue.map((one) => one.client_message_id));
  const added = copy.queue.filter((one) => !known.has(one.client_message_id));
  return {
    ...owner,
    label: owner.label ?? copy.label,
    draft: owner.draft === '' ? copy.draft : owner.draft,
    pinned: owner.pinned || copy.pinned,
    // A conversation that somebody still uses is not hidden.
    archived: owner.archived && copy.archived,
    queue: [...owner.queue, ...added],
    queue_paused: owner.queue_paused || (added.length > 0 && copy.queue_paused),
    revision: owner.revision + 1,
  };
}

/** What Codex made in a turn is the same thing whichever conversation recorded it. */
function itemKeys(entry: Entry): string[] {
  const { turn_id: turn, item_id: item } = entry;
  if (entry.role === 'approval') return [`approval ${entry.approval_id}`];
  if (turn === undefined) return [];
  if (entry.role === 'status' || entry.role === 'token_usage') return [`${entry.role} ${turn}`];
  if (entry.role === 'shell_input') return item === undefined ? [] : [`shell_input ${turn} ${item}`];
  // Of a message: its own entry or the one that says it was delivered.
  return item === undefined ? [] : [`item ${turn} ${item}`];
}

const wholeKey = ({ seq: _seq, ...rest }: Entry): string => JSON.stringify(rest);
