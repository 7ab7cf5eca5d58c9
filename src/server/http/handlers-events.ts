/** Route id → service call, for External Events. No logic. */
import { ExternalEventInput } from '../../contract/external-event.ts';
import { ok } from '../../contract/result.ts';
import type { EVENT_ROUTES } from '../../contract/routes-events.ts';
import type { Caller } from '../caller.ts';
import type { HandlersFor, Services } from './services.ts';

export function eventHandlers({ events, eventDoor: door }: Services): HandlersFor<typeof EVENT_ROUTES> {
  const kindOf = (caller: Caller) =>
    caller.kind === 'token' ? 'api_token' : caller.kind === 'session' ? 'session' : null;
  return {
    publishEvent: async (request, caller) => ok(await door.publish(request, kindOf(caller))),
    publishEvents: async (request, caller) => ok(await door.publishBatch(request, kindOf(caller))),
    takeWebhook: async (request) => ok(await door.webhook(request)),
    listEventThreads: async () => ok({ threads: events.desks.active() }),
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
