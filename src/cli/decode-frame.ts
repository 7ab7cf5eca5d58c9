/** What comes over the socket, checked: text → frame. What this version does not know is null, and ignored. */

import { PendingApproval } from '../contract/approval.ts';
import { ConversationRow } from '../contract/conversation.ts';
import { Entry, TokenCounts } from '../contract/entry.ts';
import { ConversationId } from '../contract/ids.ts';
import type { Schema } from '../contract/schema.ts';
import {
  Activity,
  EVENT_OF_ROLE,
  LiveEvent,
  LiveItem,
  ServerEvent,
  type ServerFrame,
  SyncFrame,
} from '../contract/ui-event.ts';
import { isRecord } from '../core/text/is-record.ts';
import { parseJson } from '../core/text/parse-json.ts';

export function decodeFrame(text: string): ServerFrame | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  if (value.type === 'sync') return decodeSync(value);
  if ('entry' in value) return decodeDurable(value);
  // Live events first: of the others there are few.
  return read(LiveEvent, value) ?? read(ServerEvent, value) ?? read(SyncFrame, value);
}

function decodeDurable(value: Record<string, unknown>): ServerFrame | null {
  const entry = read(Entry, value.entry);
  const id = read(ConversationId, value.conversation_id);
  if (entry === null || id === null) return null;
  return { type: EVENT_OF_ROLE[entry.role], conversation_id: id, seq: entry.seq, entry };
}

function decodeSync(value: Record<string, unknown>): ServerFrame | null {
  const id = read(ConversationId, value.conversation_id);
  const status = isRecord(value.status) ? value.status : {};
  const activity = read(Activity, status.activity);
  const row = read(ConversationRow, status.row);
  if (id === null || activity === null || row === null || typeof value.seq !== 'number') return null;
  return {
    type: 'sync',
    conversation_id: id,
    verdict: value.verdict === 'replay' ? 'replay' : 'reset',
    seq: value.seq,
    entries: readAll(Entry, value.entries),
    live: readAll(LiveItem, value.live),
    approvals: readAll(PendingApproval, value.approvals),
    status: { activity, row, usage: read(TokenCounts, status.usage) },
  };
}

function read<T>(schema: Schema<T>, value: unknown): T | null {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** Elements this version does not know are left out. */
export function readAll<T>(schema: Schema<T>, value: unknown): T[] {
  return (Array.isArray(value) ? value : []).flatMap((one) => read(schema, one) ?? []);
}
