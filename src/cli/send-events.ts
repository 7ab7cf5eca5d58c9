/** `events send`: one event by its parts, or whole events as JSON: one, an array, or one a line. */

import { randomUUID } from 'node:crypto';
import { type DeliveryMode, type EventAck, ExternalEventInput, type Severity } from '../contract/external-event.ts';
import { exitCodeOf, type Failure, fail, ok, type Result } from '../contract/result.ts';
import type { RouteCall } from '../contract/routes.ts';
import { describeIssue } from '../core/text/describe-issue.ts';
import { isRecord } from '../core/text/is-record.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { printableLine } from '../core/text/printable.ts';
import { systemClock as clock } from '../node/clock.ts';
import type { Client } from './client.ts';
import { pickThread } from './events.ts';
import type { Output } from './output.ts';

export interface SendOptions {
  readonly thread: string;
  readonly type?: string;
  readonly severity: Severity;
  readonly title?: string;
  readonly summary?: string;
  readonly payloadJson?: string;
  readonly source: string;
  readonly eventId?: string;
  readonly runId?: string;
  readonly correlationId?: string;
  readonly url?: string;
}

/** What will become of it, beside the word scripts know. */
const MODES = {
  queue_for_next_turn: 'it goes along with the next message',
  append_to_thread: "it goes into the thread's history",
  auto_turn: 'it starts a turn',
  turn_steer: 'it goes into the running turn',
  notify_only: 'it is shown to people only',
  drop: 'a rule drops it',
} as const satisfies Record<DeliveryMode, string>;

type Event = RouteCall<'publishEvent'>;

export async function sendEvent(out: Output, client: Client, options: SendOptions): Promise<number> {
  const thread = await pickThread(client, options.thread);
  if (!thread.ok) return out.fail(thread.error);
  const payload = options.payloadJson === undefined ? undefined : parseJson(options.payloadJson);
  if (payload === null && options.payloadJson !== 'null')
    return out.fail({ code: 'invalid_event', message: '--payload-json is not JSON' });
  const { runId, url, correlationId, summary, type = '', title = '' } = options;
  return publish(out, client, {
    ...freshEvent(options.eventId),
    type,
    severity: options.severity,
    source: {
      name: options.source,
      ...(runId !== undefined && { run_id: runId }),
      ...(url !== undefined && { url }),
    },
    routing: { thread_id: thread.value, ...(correlationId !== undefined && { correlation_id: correlationId }) },
    title,
    ...(summary !== undefined && { summary }),
    ...(payload !== undefined && { payload }),
  });
}

/** As a producer wrote them; what says only that it is an event and when may be left out. */
export async function sendWholeEvents(
  out: Output,
  client: Client,
  text: string,
  options: Pick<SendOptions, 'thread' | 'eventId'>,
): Promise<number> {
  const thread = await pickThread(client, options.thread);
  if (!thread.ok) return out.fail(thread.error);
  const given = readEvents(text);
  if (given === null)
    return out.fail({ code: 'invalid_event', message: 'expected a JSON object, an array of them, or one a line' });
  const { eventId } = options;
  if (given.length === 1) {
    const event = wholeEvent(given[0], thread.value, eventId);
    return event.ok ? publish(out, client, event.value) : out.fail(event.error);
  }
  if (eventId !== undefined)
    return out.fail({ code: 'invalid_request', message: '--event-id is for one event: these have to say their own' });
  return publishAll(
    out,
    client,
    given.map((one) => wholeEvent(one, thread.value, undefined)),
  );
}

/** Null when there is none, or what is there is no JSON. */
function readEvents(text: string): readonly unknown[] | null {
  const whole = parseJson(text);
  if (isRecord(whole)) return [whole];
  if (Array.isArray(whole)) return whole.length === 0 ? null : whole;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const events = lines.map(parseJson);
  return events.length === 0 || events.includes(null) ? null : events;
}

function wholeEvent(given: unknown, thread_id: string, eventId: string | undefined): Result<Event> {
  if (!isRecord(given)) return fail('invalid_event', 'an event is a JSON object');
  const routing = { ...(isRecord(given.routing) && given.routing), thread_id };
  const whole = { ...freshEvent(eventId), ...given, ...(eventId !== undefined && { event_id: eventId }), routing };
  const event = ExternalEventInput.safeParse(whole);
  if (event.success) return ok(event.data);
  return fail('invalid_event', printableLine(describeIssue(event.error.issues[0])));
}

const freshEvent = (eventId: string | undefined) => ({
  schema_version: 1 as const,
  event_id: eventId ?? `evt_${randomUUID()}`,
  time_unix_ms: clock.now(),
});

async function publish(out: Output, client: Client, event: Event): Promise<number> {
  const answer = await client.call('publishEvent', event);
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else out.say(describeAck(answer.value));
  return 0;
}

/** Each for itself: one that was here before does not keep the others from arriving. The first failure is the exit code. */
async function publishAll(out: Output, client: Client, events: readonly Result<Event>[]): Promise<number> {
  const results: (EventAck | ({ readonly ok: false } & Failure))[] = [];
  let exitCode = 0;
  /** Nothing will be there for the next one either, and each is told so. */
  let gone: Result<never> | null = null;
  for (const [at, event] of events.entries()) {
    const answer: Result<EventAck> = event.ok ? (gone ?? (await client.call('publishEvent', event.value))) : event;
    results.push(answer.ok ? answer.value : { ok: false, ...answer.error });
    if (!answer.ok && exitCode === 0) exitCode = exitCodeOf(answer.error.code);
    if (!out.isJson) out.say(answer.ok ? describeAck(answer.value) : `event ${at + 1}: ${answer.error.message}`);
    if (!answer.ok && answer.error.code === 'not_running') gone = answer;
  }
  if (out.isJson) await out.json({ ok: exitCode === 0, results });
  return exitCode;
}

function describeAck(ack: EventAck): string {
  if (!ack.ok) return ack.message;
  const words = ack.duplicate === true ? 'was here before' : MODES[ack.delivered.mode];
  return `${ack.event_id}: ${ack.delivered.mode} (${words})`;
}
