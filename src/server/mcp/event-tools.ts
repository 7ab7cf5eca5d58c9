/** The tools of External Events. They reach the events of the caller's own conversation and no others. */
import type { DeliveryMode, EventRecord, ExternalEvent, ExternalEventInput } from '../../contract/external-event.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { EventToolName, ToolInput } from '../../contract/mcp.ts';
import { MAX_TOOL_TEXT_BYTES } from '../../contract/mcp-bounds.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import { byteLength, headBytes } from '../../core/text/bytes.ts';
import { jsonForModel } from '../../core/text/hidden.ts';
import { isoTime } from '../../core/text/iso-time.ts';
import type { ToolAnswer, ToolCall, ToolGroup } from './tool.ts';

/** What these tools need of External Events, for one conversation. */
export interface EventsPort {
  list(id: ConversationId, query: ToolInput<'events_list'>): Promise<Result<RouteOutput<'listEvents'>>>;
  read(id: ConversationId, seq: number): Promise<Result<{ record: EventRecord; event: ExternalEvent }>>;
  ack(id: ConversationId, seqs: readonly number[]): Promise<Result<{ acked: number; unread: number }>>;
  /** Published with the rights of the conversation's own agent. */
  send(
    id: ConversationId,
    event: Omit<ExternalEventInput, 'routing'>,
  ): Promise<Result<{ readonly event_id: string; readonly mode: DeliveryMode }>>;
}

export interface EventToolsOptions {
  readonly events: EventsPort;
  readonly newId: () => string;
  readonly now: () => number;
}

/** The name of every event an agent sends by tool: an allow-list for CI never names it by accident. */
const AGENT_SOURCE = 'agent';

export function eventTools({ events, newId, now }: EventToolsOptions): ToolGroup<EventToolName> {
  return {
    events_list: (input, call) =>
      forConversation(call, async (id) => {
        const page = await events.list(id, input);
        return page.ok ? ok(shownList(page.value, input.after !== undefined)) : page;
      }),
    events_read: ({ event_seq, offset, max_bytes }, call) =>
      forConversation(call, async (id) => {
        const found = await events.read(id, event_seq);
        return found.ok ? ok(shownEvent(found.value, offset, max_bytes)) : found;
      }),
    events_ack: ({ event_seqs }, call) =>
      forConversation(call, async (id) => {
        const acked = await events.ack(id, event_seqs);
        return acked.ok ? ok({ facts: { acked: acked.value.acked, unread: acked.value.unread } }) : acked;
      }),
    events_send: ({ event_id, payload, artifacts, ...words }, call) =>
      forConversation(call, async (id) => {
        const sent = await events.send(id, {
          schema_version: 1,
          event_id: event_id ?? newId(),
          time_unix_ms: now(),
          source: { name: AGENT_SOURCE },
          ...words,
          ...(payload !== undefined && { payload }),
          ...(artifacts !== undefined && { artifacts }),
        });
        return sent.ok ? ok({ facts: { event_id: sent.value.event_id, mode: sent.value.mode } }) : sent;
      }),
  };
}

function forConversation(
  { caller }: ToolCall,
  use: (id: ConversationId) => Promise<Result<ToolAnswer>>,
): Promise<Result<ToolAnswer>> {
  if (caller.kind === 'conversation') return use(caller.conversationId);
  return Promise.resolve(fail('forbidden', 'these tools belong to a conversation: this token has none'));
}

/** As many rows as fit, whole, beginning where the page begins; `next` says where the rest begins. Shown oldest first. */
function shownList(
  { events, unread, total, waiting, next }: RouteOutput<'listEvents'>,
  isForward: boolean,
): ToolAnswer {
  const lines: string[] = [];
  let bytes = 0;
  const inOrder = isForward ? events : events.toReversed();
  for (const event of inOrder) {
    const line = jsonForModel(rowOf(event));
    bytes += byteLength(line) + 1;
    if (bytes > MAX_TOOL_TEXT_BYTES && lines.length > 0) break;
    lines.push(line);
  }
  const last = inOrder[lines.length - 1]?.event_seq ?? null;
  const body = (isForward ? lines : lines.toReversed()).join('\n');
  return {
    facts: { events: lines.length, unread, total, waiting, next: lines.length < events.length ? last : next },
    ...(lines.length > 0 && { text: { from: 'event', body } }),
  };
}

function rowOf(event: EventRecord) {
  const { event_seq, event_id, type, severity, source, title, summary, state, reason, read, trust } = event;
  const { origin, authenticated } = trust;
  return {
    event_seq,
    event_id,
    time: isoTime(event.time_unix_ms),
    type,
    severity,
    source: source.name,
    trust: { origin, authenticated },
    title,
    ...(summary !== '' && { summary }),
    state,
    ...(reason !== undefined && { reason }),
    read,
  };
}

/** A page of the event's JSON. Cleaned before it is cut, so that no page begins or ends within what is removed. */
function shownEvent(
  { record, event }: { readonly record: EventRecord; readonly event: ExternalEvent },
  offset: number,
  maxBytes: number,
): ToolAnswer {
  const { event_seq, state, mode, read, received_at, ingress } = record;
  const whole = jsonForModel(event);
  const bytes = byteLength(whole);
  const start = headBytes(whole, offset);
  const body = headBytes(whole.slice(start.length), maxBytes);
  const end = byteLength(start) + byteLength(body);
  return {
    facts: {
      event_seq,
      state,
      mode,
      read,
      received_at,
      ingress,
      bytes,
      offset: byteLength(start),
      next_offset: end < bytes ? end : null,
    },
    ...(body !== '' && { text: { from: 'event', body } }),
  };
}
