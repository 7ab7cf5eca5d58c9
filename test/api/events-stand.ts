/** What tests of External Events share: a conversation with a thread, producers on every way in, and what the model received. */
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { vi } from 'vitest';
import type { DiscoveryFile, EventAck } from '../../src/contract/external-event.ts';
import type { Box } from '../../src/testing/box.ts';
import { type Said, saidIn } from '../../src/testing/said.ts';

export interface Target {
  readonly id: string;
  readonly threadId: string;
  readonly dir: string;
  readonly inbox: string;
  discovery(): Promise<DiscoveryFile>;
}

let count = 0;
const WAIT = { timeout: 25_000, interval: 20 };

/** A conversation that has had a turn, so that there is a thread, and producers can reach it. */
export async function openTarget(box: Box, settings: Parameters<Box['create']>[0] = {}): Promise<Target> {
  const id = await box.create(settings);
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'hello' });
  await watcher.turnEnd();
  watcher.close();
  const { row } = await box.must('readConversation', { id });
  return targetOf(box, id, row.thread_id ?? '');
}

export async function targetOf(box: Box, id: string, threadId: string): Promise<Target> {
  const dir = join(box.codexHome, 'sessions', threadId);
  const discovery = async (): Promise<DiscoveryFile> =>
    JSON.parse(await readFile(join(dir, 'external_events.json'), 'utf8'));
  await vi.waitFor(async () => {
    if ((await discovery()).pid !== box.pid()) throw new Error('the thread cannot be reached yet');
  }, WAIT);
  return { id, threadId, dir, inbox: join(dir, 'external_events.inbox.jsonl'), discovery };
}

export function eventFor(threadId: string, change: Record<string, unknown> = {}): Record<string, unknown> {
  count += 1;
  return {
    schema_version: 1,
    event_id: `evt_${process.pid}_${count}`,
    time_unix_ms: 1_730_831_111_000,
    type: 'build.status',
    severity: 'info',
    source: { name: 'ci' },
    routing: { thread_id: threadId },
    title: 'a build',
    summary: `number ${count}`,
    ...change,
  };
}

export async function post(
  box: Box,
  body: unknown,
  headers: Record<string, string> = {},
  path = '/v1/events',
): Promise<{ status: number; body: EventAck & { results?: EventAck[] } }> {
  const response = await fetch(`${box.url()}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${box.token()}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** Sends lines to a thread's socket and answers with as many acknowledgments. */
export async function overSocket(target: Target, lines: readonly unknown[]): Promise<EventAck[]> {
  const { ipc } = await target.discovery();
  const socket = connect(ipc?.path ?? '');
  const acks: EventAck[] = [];
  const done = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    createInterface({ input: socket }).on('line', (line) => {
      acks.push(JSON.parse(line));
      if (acks.length === lines.length) resolve();
    });
  });
  for (const line of lines) socket.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  await done;
  socket.destroy();
  return acks;
}

export async function publishSocket(target: Target, ...events: readonly unknown[]): Promise<EventAck[]> {
  const { token } = await target.discovery();
  return overSocket(
    target,
    events.map((event) => ({ token, event })),
  );
}

export async function eventsOf(box: Box, target: Target) {
  return box.must('listEvents', { thread_id: target.threadId, limit: 1000 });
}

/** Waits until an event of this id is in a state. */
export async function untilState(box: Box, target: Target, eventId: unknown, state: string) {
  await vi.waitFor(async () => {
    const found = (await eventsOf(box, target)).events.find((one) => one.event_id === eventId);
    if (found?.state !== state) throw new Error(`${String(eventId)} is ${found?.state}, not ${state}`);
  }, WAIT);
}

/** Sends a message and waits for its turn to end; answers what the model was asked with. */
export async function ask(box: Box, target: Target, text: string) {
  const watcher = await box.watch(target.id);
  await box.must('sendMessage', { conversation_id: target.id, text });
  await watcher.turnEnd();
  watcher.close();
  return lastRequest(box, text);
}

/** The texts of the input items of the last request that holds a text, by role. */
function lastRequest(box: Box, text: string): InputText[] {
  const request = box.model.requests.findLast((one) => one.rawBody.includes(text));
  return inputOf(request?.body.input);
}

export type InputText = Said;

export const inputOf = (input: unknown): InputText[] => saidIn({ input });

/** The fragments of ours in a request: where they stand and what they tell. */
export function fragmentsIn(items: readonly InputText[]) {
  return items
    .filter(({ text }) => text.startsWith('<external_events>'))
    .map(({ role, text }) => {
      const inner = text.slice('<external_events>'.length, -'</external_events>'.length);
      const [heading = '', ...lines] = inner.split('\n');
      return { role, heading, bytes: Buffer.byteLength(inner), events: lines.map((line) => JSON.parse(line)) };
    });
}

export const toldIds = (items: readonly InputText[]): string[] =>
  fragmentsIn(items).flatMap(({ events }) => events.map((event: { id: string }) => event.id));
