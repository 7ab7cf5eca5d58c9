/** Route id → service call, for External Events. No logic. */
import { ExternalEventInput } from '../../contract/external-event.ts';
import { ok } from '../../contract/result.ts';
import type { EVENT_ROUTES } from '../../contract/routes-events.ts';
import { confinedTo } from '../../core/access/confined.ts';
import type { Caller } from '../caller.ts';
import type { HandlersFor, Services } from './services.ts';

export function eventHandlers({ events, eventDoor: door, registry }: Services): HandlersFor<typeof EVENT_ROUTES> {
  /** A token for one conversation is to events what the token of its thread is. */
  const principalOf = (caller: Caller): Parameters<typeof door.publish>[1] => {
    const own = confinedTo(caller);
    if (own !== null) return { kind: 'event_token', threadId: registry.metaOf(own)?.thread_id ?? '' };
    switch (caller.kind) {
      case 'session':
        return { kind: 'session' };
      case 'token':
        return { kind: 'api_token' };
      case 'agent':
        return { kind: 'agent', conversationId: caller.conversationId };
      case 'anonymous':
        return null;
      default:
        return caller satisfies never;
    }
  };
  /** An agent sees its own thread only. */
  const isSeenBy = (caller: Caller) => (desk: { readonly conversation_id: string }) =>
    caller.kind !== 'agent' || desk.conversation_id === caller.conversationId;
  return {
    publishEvent: async (request, caller) => ok(await door.publish(request, principalOf(caller))),
    publishEvents: async (request, caller) => ok(await door.publishBatch(request, principalOf(caller))),
    takeWebhook: async (request) => ok(await door.webhook(request)),
    listEventThreads: async (_input, caller) => ok({ threads: events.desks.active().filter(isSeenBy(caller)) }),
    listEvents: (input) => events.reading.list(input),
    readEvent: ({ thread_id, event_seq }) => events.reading.read(thread_id, event_seq),
    listRejectedEvents: (input) => events.reading.rejected(input),
    ackEvent: ({ thread_id, event_id }) => events.reading.ack(thread_id, event_id),
    ackEvents: ({ thread_id, up_to }) => events.reading.ackAll(thread_id, up_to),
    markEventsUnread: ({ thread_id, events: seqs }) => events.reading.unread(thread_id, seqs),
    tryEvent: (input) => events.tryOut(input),
    readEventRules: async () => ok(events.rules.current()),
    writeEventRules: (input) => events.rules.change(input),
    eventSchema: async () => ok({ ...ExternalEventInput.toJSONSchema({ io: 'input', unrepresentable: 'any' }) }),
  };
}
