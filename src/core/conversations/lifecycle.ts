/** The lifecycle of a conversation as typed events, and the events that the difference of two sidecars stands for. */
import type { PendingApproval } from '../../contract/approval.ts';
import { FRAGMENT_NAMES, type FragmentName } from '../../contract/context.ts';
import { type ConversationMeta, SettingsPatch } from '../../contract/conversation.ts';
import type { EntryOf } from '../../contract/entry.ts';
import type { TurnEnd } from '../codex/signal.ts';

/** Decided by `route` and emitted after the entries that `route` wanted stored before them. */
export type TurnLifecycle =
  | { readonly type: 'turn_started'; readonly turnId: string }
  | { readonly type: 'turn_ended'; readonly turnId: string; readonly status: TurnEnd }
  | { readonly type: 'ask_opened'; readonly approval: PendingApproval }
  | { readonly type: 'ask_closed'; readonly approvalId: string; readonly status: EntryOf<'approval'>['status'] };

/** The name of one setting; each fragment's switch is a setting of its own. */
type SettingName = Exclude<keyof SettingsPatch, 'context'> | `context.${FragmentName}`;

/** Decided by comparing the stored sidecar with the one that replaced it. */
export type MetaLifecycle =
  /** The conversation got its thread, or another one in its place. */
  | { readonly type: 'thread_changed'; readonly before: string | null; readonly threadId: string }
  | { readonly type: 'settings_changed'; readonly changed: readonly SettingName[] }
  | { readonly type: 'archived' }
  /** Out of the archive, or out of the trash. */
  | { readonly type: 'restored' };

export type Lifecycle =
  /** Loaded by this server: the first event of a conversation, and the first one after a restart. */
  | { readonly type: 'opened' }
  | TurnLifecycle
  | MetaLifecycle
  /** Moved to the trash. The sidecar is gone by then, so the event names the thread. */
  | { readonly type: 'deleted'; readonly threadId: string | null };

export function diffMetas(before: ConversationMeta, after: ConversationMeta): readonly MetaLifecycle[] {
  const events: MetaLifecycle[] = [];
  if (after.thread_id !== null && after.thread_id !== before.thread_id)
    events.push({ type: 'thread_changed', before: before.thread_id, threadId: after.thread_id });
  const changed = changedSettings(before, after);
  if (changed.length > 0) events.push({ type: 'settings_changed', changed });
  if (after.archived !== before.archived) events.push({ type: after.archived ? 'archived' : 'restored' });
  return events;
}

const { context: _context, ...PLAIN } = SettingsPatch.shape;

function changedSettings(before: ConversationMeta, after: ConversationMeta): readonly SettingName[] {
  const plain = keysOf(PLAIN).filter((name) => before[name] !== after[name]);
  const switches = FRAGMENT_NAMES.filter((name) => before.context[name] !== after.context[name]);
  return [...plain, ...switches.map((name) => `context.${name}` as const)];
}

function keysOf<T extends object>(object: T): readonly (keyof T & string)[] {
  return Object.keys(object).filter((key): key is keyof T & string => key in object);
}
