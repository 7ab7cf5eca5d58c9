/** `board post|read|await|delete`: thin calls over the client. */
import { userInfo } from 'node:os';
import type { BoardMessage } from '../contract/board.ts';
import { printableLine } from '../core/text/printable.ts';
import type { Client } from './client.ts';
import { type Output, styled } from './output.ts';

export interface PostOptions {
  readonly who?: string;
  readonly topic?: string;
  readonly replyTo?: number;
  readonly to?: string;
}

export async function postMessage(out: Output, client: Client, text: string, options: PostOptions): Promise<number> {
  const answer = await client.call('boardPost', {
    who: options.who ?? userName(),
    message: text,
    ...(options.topic !== undefined && { topic: options.topic }),
    ...(options.replyTo !== undefined && { reply_to: options.replyTo }),
    ...(options.to !== undefined && { to: options.to }),
  });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else await out.print(String(answer.value.num));
  return 0;
}

export async function deleteMessage(out: Output, client: Client, num: number): Promise<number> {
  const answer = await client.call('boardDelete', { num });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json({ deleted: num });
  else out.say(`deleted ${num}`);
  return 0;
}

export interface ReadOptions {
  readonly limit: number;
  readonly after?: number;
  readonly topic?: string;
  readonly query?: string;
  readonly unread?: boolean;
  readonly reader?: string;
}

export async function readMessages(out: Output, client: Client, options: ReadOptions): Promise<number> {
  const reader = options.reader ?? userName();
  const mark = options.unread === true ? await client.call('boardList', { reader, limit: 1 }) : null;
  if (mark?.ok === false) return out.fail(mark.error);
  const after = options.after ?? (mark?.ok === true ? mark.value.read_num : undefined);
  const answer = await client.call('boardList', {
    limit: options.limit,
    reader,
    ...(after !== undefined && { after }),
    ...(options.topic !== undefined && { topic: options.topic }),
    ...(options.query !== undefined && { q: options.query }),
  });
  if (!answer.ok) return out.fail(answer.error);
  const { messages } = answer.value;
  if (out.isJson) await out.json(answer.value);
  else for (const message of messages) await printMessage(out, message);
  const last = messages.at(-1);
  if (mark === null || last === undefined) return 0;
  // Only after it was printed: what a broken pipe swallowed is still unread.
  const marked = await client.call('boardMarkRead', { reader, num: last.num });
  return marked.ok ? 0 : out.fail(marked.error);
}

export interface AwaitOptions {
  readonly after?: number;
  readonly topic?: string;
  readonly who?: string;
  readonly replyTo?: number;
  readonly text?: string;
  readonly timeout: number;
}

/** One request waits no longer than this; several make up a longer wait, each going on where the last ended. */
const WAIT_MS = 60_000;

export async function awaitMessage(out: Output, client: Client, options: AwaitOptions): Promise<number> {
  const match = {
    ...(options.topic !== undefined && { topic: options.topic }),
    ...(options.who !== undefined && { who: options.who }),
    ...(options.replyTo !== undefined && { reply_to: options.replyTo }),
    ...(options.text !== undefined && { text: options.text }),
  };
  let after = options.after ?? options.replyTo;
  for (let leftMs = options.timeout * 1000; ; leftMs -= WAIT_MS) {
    const timeout_ms = Math.max(0, Math.min(leftMs, WAIT_MS));
    const answer = await client.call('boardAwait', { match, timeout_ms, ...(after !== undefined && { after }) });
    if (!answer.ok) return out.fail(answer.error);
    after = answer.value.after;
    if (!answer.value.timed_out || leftMs <= WAIT_MS) {
      if (out.isJson) await out.json(answer.value);
      else for (const message of answer.value.messages) await printMessage(out, message);
      if (answer.value.timed_out && !out.isJson) out.say('no such message came in time');
      return answer.value.timed_out ? 1 : 0;
    }
  }
}

async function printMessage(out: Output, message: BoardMessage): Promise<void> {
  const { num, ts, who, kind, topic, reply_to, to } = message;
  const about = [
    topic === null ? '' : `#${topic}`,
    reply_to === null ? '' : `re ${reply_to}`,
    to === null ? '' : `to ${to}`,
  ];
  await out.print(
    styled('bold', `${num}  ${printableLine(who, 60)}`),
    styled(
      'dim',
      `  ${kind}  ${ts.slice(0, 16).replace('T', ' ')}  ${printableLine(about.filter(Boolean).join('  '), 120)}`,
    ),
  );
  for (const line of message.message.split('\n')) await out.print(`    ${line}`);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'somebody';
  }
}
