/** `events show|list|ack|inbox-path`: thin calls over the client. `send` and `tail` have files of their own. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DiscoveryFile, type EventRecord, type Severity } from '../contract/external-event.ts';
import { ThreadId } from '../contract/ids.ts';
import { type Failure, fail, ok, type Result } from '../contract/result.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { printable, printableLine } from '../core/text/printable.ts';
import { expand, nonEmpty } from '../node/places.ts';
import { type Client, connect } from './client.ts';
import { type Output, type Part, styled } from './output.ts';
import { pickConversation } from './pick-conversation.ts';

/** Asked for at once. */
const MAX_REJECTED = 200;

const COLORS = { debug: 'dim', info: 'cyan', warning: 'yellow', error: 'red', critical: 'red' } as const;

export interface ShowOptions {
  readonly last: number;
  readonly unread?: boolean;
  readonly minSeverity?: Severity;
  readonly source?: string;
  readonly search?: string;
}

export async function showEvents(
  out: Output,
  client: Client,
  options: ShowOptions & { readonly thread: string },
): Promise<number> {
  const thread = await pickThread(client, options.thread);
  if (!thread.ok) return out.fail(thread.error);
  const { last, minSeverity, source, search } = options;
  const query = {
    thread_id: thread.value,
    unread: options.unread === true ? ('true' as const) : ('false' as const),
    ...(minSeverity !== undefined && { min_severity: minSeverity }),
    ...(source !== undefined && { source }),
    ...(search !== undefined && { q: search }),
  };
  let page = await client.call('listEvents', { ...query, limit: last });
  if (!page.ok) return out.fail(page.error);
  let { events } = page.value;
  // What is sought may lie deeper than one request looks.
  while (page.value.next !== null && events.length < last) {
    page = await client.call('listEvents', { ...query, limit: last - events.length, before: page.value.next });
    if (!page.ok) return out.fail(page.error);
    events = [...page.value.events, ...events];
  }
  if (out.isJson) await out.json({ ...page.value, events });
  else for (const event of events) await out.print(...renderEvent(event));
  if (!out.isJson && events.length === 0) out.say('no events');
  return 0;
}

/** What came by file and was no event: nobody else could be told. */
export async function showRejected(
  out: Output,
  client: Client,
  options: { readonly thread: string; readonly last: number },
): Promise<number> {
  const thread = await pickThread(client, options.thread);
  if (!thread.ok) return out.fail(thread.error);
  const limit = Math.min(options.last, MAX_REJECTED);
  const answer = await client.call('listRejectedEvents', { thread_id: thread.value, limit });
  if (!answer.ok) return out.fail(answer.error);
  const { rejected, total, path } = answer.value;
  if (out.isJson) await out.json(answer.value);
  else if (rejected.length === 0) out.say('nothing was rejected');
  for (const one of out.isJson ? [] : rejected) {
    await out.print(`${one.ts.slice(0, 19).replace('T', ' ')}  `, styled('red', printableLine(one.reason, 200)));
    await out.print('  ', styled('dim', printableLine(one.text, 300)));
  }
  if (!out.isJson && rejected.length < total) out.say(`${total} in all: ${path}`);
  return 0;
}

export async function showEvent(out: Output, client: Client, words: string, seq: number): Promise<number> {
  const thread = await pickThread(client, words);
  if (!thread.ok) return out.fail(thread.error);
  const answer = await client.call('readEvent', { thread_id: thread.value, event_seq: seq });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) {
    await out.json(answer.value);
    return 0;
  }
  await out.print(...renderEvent(answer.value.record));
  await out.print(printable(JSON.stringify(answer.value.event, null, 2)));
  return 0;
}

export async function listEventThreads(out: Output, client: Client): Promise<number> {
  const answer = await client.call('listEventThreads', {});
  if (!answer.ok) return out.fail(answer.error);
  const threads = await Promise.all(
    answer.value.threads.map(async (one) => ({ ...one, endpoints: await endpointsOf(one.discovery) })),
  );
  if (out.isJson) await out.json({ ...answer.value, threads });
  else if (threads.length === 0) out.say('no conversation can be reached: make one with `signalbox conversations new`');
  for (const one of out.isJson ? [] : threads) {
    const rejected = one.quarantined === 0 ? '' : `, ${one.quarantined} rejected`;
    const counts = `${one.events} events, ${one.unread} unread${rejected}`;
    await out.print(
      one.thread_id,
      '  ',
      styled('dim', counts.padEnd(24)),
      '  ',
      printableLine(one.label ?? '', 40),
      '  ',
      one.discovery,
    );
    for (const [way, where] of Object.entries(one.endpoints))
      await out.print('    ', styled('dim', way.padEnd(8)), where);
    if (one.held !== null) out.say(`  no more events are taken: ${one.held.message}`);
  }
  return 0;
}

/** Where producers reach the thread, by way in; the token stays in the file. Empty if the file cannot be read from here. */
async function endpointsOf(discovery: string): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(discovery, 'utf8').catch(() => '');
  const file = DiscoveryFile.safeParse(parseJson(text));
  if (!file.success) return {};
  const { http, ipc, inbox, drop } = file.data;
  return {
    ...(http !== undefined && { http: http.url }),
    ...(ipc !== undefined && { socket: ipc.path }),
    ...(inbox !== undefined && { inbox: inbox.path }),
    ...(drop !== undefined && { drop: drop.path }),
  };
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

export async function unreadEvent(out: Output, client: Client, words: string, seq: number): Promise<number> {
  const thread = await pickThread(client, words);
  if (!thread.ok) return out.fail(thread.error);
  const answer = await client.call('markEventsUnread', { thread_id: thread.value, events: [seq] });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else out.say(`${answer.value.marked} marked, ${answer.value.unread} unread`);
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
  const thread = client.ok ? await pickThread(client.value, options.thread) : ownThread(options.thread, client.error);
  if (!thread.ok) return out.fail(thread.error);
  const status = client.ok ? await client.value.call('status', {}) : null;
  const codexHome = status?.ok === true ? status.value.codex_home : expand(nonEmpty(env.CODEX_HOME) ?? '~/.codex', env);
  const path = join(codexHome, 'sessions', thread.value, 'external_events.inbox.jsonl');
  if (out.isJson) await out.json({ thread_id: thread.value, path });
  else await out.print(path);
  return 0;
}

/** A thread's id, or whatever names its conversation. */
export async function pickThread(client: Client, words: string): Promise<Result<string>> {
  if (ThreadId.safeParse(words).success) return ok(words);
  const id = await pickConversation(client, words);
  if (!id.ok) return fail('unknown_thread', id.error.message);
  const conversation = await client.call('readConversation', { id: id.value });
  if (!conversation.ok) return conversation;
  // Before its first message the conversation's own id is the address of its events.
  return ok(conversation.value.row.thread_id ?? id.value);
}

/** Labels are known to the server alone: one must not become the name of a folder that nobody reads. */
function ownThread(words: string, why: Failure): Result<string> {
  if (ThreadId.safeParse(words).success) return ok(words);
  return fail(why.code, `${why.message} (without one, only the id of a thread is known)`, why.details);
}

export function renderEvent(event: EventRecord): Part[] {
  // Some producers do not say when.
  const at = event.time_unix_ms === 0 ? event.received_at : new Date(event.time_unix_ms).toISOString();
  const time = at.slice(0, 19).replace('T', ' ');
  const trust = event.trust.authenticated ? event.trust.origin : `${event.trust.origin}, unauthenticated`;
  return [
    `${event.event_seq}  ${time}  `,
    styled(COLORS[event.severity], event.severity.padEnd(8)),
    printableLine(event.type, 40),
    '  ',
    printableLine(event.title, 80),
    event.summary === '' ? '' : `: ${printableLine(event.summary, 120)}`,
    styled('dim', `  ${printableLine(event.source.name, 40)} (${trust})  ${renderState(event)}`),
    event.read ? '' : styled('yellow', '  unread'),
  ];
}

/** Where it stands, and why not where it was meant to be. */
function renderState({ state, reason }: EventRecord): string {
  return reason === undefined ? state : `${state} (${printableLine(reason, 40)})`;
}
