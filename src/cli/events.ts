/** `events send|show|list|tail|ack|inbox-path`: thin calls over the client. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { EventRecord, Severity } from '../contract/external-event.ts';
import { EventThreadId } from '../contract/external-event.ts';
import { ThreadId } from '../contract/ids.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { isRecord } from '../core/text/is-record.ts';
import { systemClock as clock } from '../node/clock.ts';
import { expand, nonEmpty } from '../node/places.ts';
import { type Client, connect, parseJson } from './client.ts';
import { EXIT_INTERRUPTED } from './exit-codes.ts';
import { type Output, type Part, styled } from './output.ts';
import { pickConversation } from './pick-conversation.ts';
import { printableLine } from './printable.ts';
import { openSocket } from './websocket.ts';

export interface SendOptions {
  readonly thread: string;
  readonly type: string;
  readonly severity: Severity;
  readonly title: string;
  readonly summary?: string;
  readonly payloadJson?: string;
  readonly source: string;
  readonly eventId?: string;
  readonly runId?: string;
  readonly correlationId?: string;
  readonly url?: string;
}

const COLORS = { debug: 'dim', info: 'cyan', warning: 'yellow', error: 'red', critical: 'red' } as const;
/** Events asked for at once. */
const PAGE = 500;

export async function sendEvent(out: Output, client: Client, options: SendOptions): Promise<number> {
  const thread = await pickThread(client, options.thread);
  if (!thread.ok) return out.fail(thread.error);
  const payload = options.payloadJson === undefined ? undefined : parseJson(options.payloadJson);
  if (payload === null && options.payloadJson !== 'null')
    return out.fail({ code: 'invalid_event', message: '--payload-json is not JSON' });
  const { runId, url, correlationId, summary } = options;
  const answer = await client.call('publishEvent', {
    schema_version: 1,
    event_id: options.eventId ?? `evt_${randomUUID()}`,
    time_unix_ms: clock.now(),
    type: options.type,
    severity: options.severity,
    source: {
      name: options.source,
      ...(runId !== undefined && { run_id: runId }),
      ...(url !== undefined && { url }),
    },
    routing: { thread_id: thread.value, ...(correlationId !== undefined && { correlation_id: correlationId }) },
    title: options.title,
    ...(summary !== undefined && { summary }),
    ...(payload !== undefined && { payload }),
  });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else if (answer.value.ok) out.say(`${answer.value.event_id}: ${answer.value.delivered.mode}`);
  return 0;
}

export async function showEvents(
  out: Output,
  client: Client,
  options: { readonly thread: string; readonly last: number; readonly unread?: boolean },
): Promise<number> {
  const thread = await pickThread(client, options.thread);
  if (!thread.ok) return out.fail(thread.error);
  const unread = options.unread === true ? 'true' : 'false';
  const answer = await client.call('listEvents', { thread_id: thread.value, limit: options.last, unread });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else for (const event of answer.value.events) await out.print(...renderEvent(event));
  if (!out.isJson && answer.value.events.length === 0) out.say('no events');
  return 0;
}

export async function listEventThreads(out: Output, client: Client): Promise<number> {
  const answer = await client.call('listEventThreads', {});
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  for (const one of out.isJson ? [] : answer.value.threads) {
    const counts = `${one.events} events, ${one.unread} unread`;
    await out.print(
      one.thread_id,
      '  ',
      styled('dim', counts.padEnd(24)),
      printableLine(one.label ?? '', 40),
      '  ',
      one.discovery,
    );
  }
  return 0;
}

export async function ackEvents(
  out: Output,
  client: Client,
  options: { readonly thread: string; readonly event?: string },
): Promise<number> {
  const thread = await pickThread(client, options.thread);
  if (!thread.ok) return out.fail(thread.error);
  const { event } = options;
  const answer =
    event === undefined
      ? await client.call('ackEvents', { thread_id: thread.value })
      : await client.call('ackEvent', { thread_id: thread.value, event_id: event });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else out.say(`${answer.value.acked} read, ${answer.value.unread} unread`);
  return 0;
}

/** Also without a server: the file is read when there is one. */
export async function printInboxPath(
  out: Output,
  home: string,
  env: NodeJS.ProcessEnv,
  options: { readonly thread: string },
): Promise<number> {
  const client = connect(home);
  const thread = client.ok ? await pickThread(client.value, options.thread) : ownThread(options.thread);
  if (!thread.ok) return out.fail(thread.error);
  const status = client.ok ? await client.value.call('status', {}) : null;
  const codexHome = status?.ok === true ? status.value.codex_home : expand(nonEmpty(env.CODEX_HOME) ?? '~/.codex', env);
  const path = join(codexHome, 'sessions', thread.value, 'external_events.inbox.jsonl');
  if (out.isJson) await out.json({ thread_id: thread.value, path });
  else await out.print(path);
  return 0;
}

/** New events as they come, until Ctrl-C. */
export async function tailEvents(out: Output, client: Client, options: { readonly thread: string }): Promise<number> {
  const thread = await pickThread(client, options.thread);
  if (!thread.ok) return out.fail(thread.error);
  const newest = await client.call('listEvents', { thread_id: thread.value, limit: 1 });
  if (!newest.ok) return out.fail(newest.error);
  let after = newest.value.events.at(-1)?.event_seq ?? 0;
  let showing: Promise<void> = Promise.resolve();
  const showNew = async (): Promise<void> => {
    for (;;) {
      const page = await client.call('listEvents', { thread_id: thread.value, after, limit: PAGE });
      if (!page.ok) return;
      for (const event of page.value.events) {
        after = event.event_seq;
        if (out.isJson) await out.json(event);
        else await out.print(...renderEvent(event));
      }
      if (!page.value.has_more) return;
    }
  };
  const ended = new Promise<Result<number>>((resolve) => {
    process.once('SIGINT', () => resolve(ok(EXIT_INTERRUPTED)));
    process.once('SIGTERM', () => resolve(ok(0)));
    void openSocket(client.server, '/ws/appserver', {
      onText(text) {
        if (isNews(parseJson(text), thread.value)) showing = showing.then(showNew);
      },
      onClose: () => resolve(fail('not_running', 'the server has gone')),
    }).then((opened) => {
      if (!opened.ok) resolve(opened);
      // What came between the first look and the open socket.
      else showing = showing.then(showNew);
    });
  });
  const ending = await ended;
  await showing;
  return ending.ok ? ending.value : out.fail(ending.error);
}

function isNews(frame: unknown, threadId: string): boolean {
  if (!isRecord(frame) || frame.type !== 'notification' || frame.method !== 'externalEvent/received') return false;
  return isRecord(frame.params) && frame.params.thread_id === threadId;
}

/** A thread's id, or whatever names its conversation. */
export async function pickThread(client: Client, words: string): Promise<Result<string>> {
  if (ThreadId.safeParse(words).success) return ok(words);
  const id = await pickConversation(client, words);
  if (!id.ok) return fail('unknown_thread', id.error.message);
  const conversation = await client.call('readConversation', { id: id.value });
  if (!conversation.ok) return conversation;
  const threadId = conversation.value.row.thread_id;
  return threadId === null
    ? fail('unknown_thread', 'the conversation has no messages yet, so no thread')
    : ok(threadId);
}

function ownThread(words: string): Result<string> {
  return EventThreadId.safeParse(words).success ? ok(words) : fail('unknown_thread', `there is no thread ${words}`);
}

function renderEvent(event: EventRecord): Part[] {
  const time = new Date(event.time_unix_ms).toISOString().slice(0, 19).replace('T', ' ');
  const trust = event.trust.authenticated ? event.trust.origin : `${event.trust.origin}, unauthenticated`;
  return [
    `${event.event_seq}  ${time}  `,
    styled(COLORS[event.severity], event.severity.padEnd(8)),
    printableLine(event.type, 40),
    '  ',
    printableLine(event.title, 80),
    event.summary === '' ? '' : `: ${printableLine(event.summary, 120)}`,
    styled('dim', `  ${printableLine(event.source.name, 40)} (${trust})  ${event.state}`),
    event.read ? '' : styled('yellow', '  unread'),
  ];
}
