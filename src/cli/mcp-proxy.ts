/** Carries MCP messages between stdin/stdout, one JSON a line, and the `/mcp` of the server that runs now, whichever that is. */

import { createInterface } from 'node:readline';
import { fail, ok, type Result } from '../contract/result.ts';
import { isRecord } from '../core/text/is-record.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { systemClock as clock } from '../node/clock.ts';
import { connect, networkFailure, readFailure } from './client.ts';
import type { Output } from './output.ts';
import { pickConversation } from './pick-conversation.ts';

interface Whose {
  readonly conversation?: string;
  readonly as?: string;
}

interface Door {
  readonly url: string;
  readonly token: string;
}

/** JSON-RPC's number for a failure of the server's own kind. */
const SERVER_ERROR = -32_000;
/** Calls under way: more than any client makes, few enough for a client gone wrong not to fill the memory. */
const MAX_CALLS = 100;
/** After the end of stdin: what was asked is answered still, but nobody waits for a wait. */
const FINISH_MS = 5_000;
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

export async function serveMcp(out: Output, home: string, stdin: NodeJS.ReadableStream, whose: Whose): Promise<number> {
  if (whose.conversation === undefined && whose.as === undefined)
    return out.fail({ code: 'invalid_request', message: 'say whose tools: --conversation, or --as a name' });
  const first = await openDoor(home, whose);
  if (!first.ok) return out.fail(first.error);
  const proxy = createProxy(home, whose, first.value, (message) => out.json(message));
  const lines = createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) if (line.trim() !== '') proxy.take(line);
  await proxy.finish();
  return 0;
}

/** The token is made anew by each server, and a client outlives servers. */
async function openDoor(home: string, { conversation, as }: Whose): Promise<Result<Door>> {
  const client = connect(home);
  if (!client.ok) return client;
  if (conversation === undefined) return client.value.call('mcpToken', { agent: as ?? '' });
  const id = await pickConversation(client.value, conversation);
  return id.ok ? client.value.call('mcpToken', { conversation_id: id.value }) : id;
}

function createProxy(home: string, whose: Whose, first: Door, say: (message: unknown) => Promise<void>) {
  const calls = new Map<string | number, AbortController>();
  const carried = new Set<Promise<void>>();
  let door = first;
  let version: string | null = null;

  const post = async (message: Record<string, unknown>, signal: AbortSignal): Promise<Result<Response>> => {
    try {
      const headers = headersOf(message, version, door.token);
      const response = await fetch(door.url, { method: 'POST', headers, body: JSON.stringify(message), signal });
      if (response.status !== 401) return ok(response);
      return { ok: false, error: readFailure(response.status, parseJson(await response.text())) };
    } catch (error) {
      return signal.aborted ? fail('conflict', 'the call was cancelled') : networkFailure(error);
    }
  };

  /** A server that was started again has another address. A call that may have been carried out is not made twice. */
  const postAnywhere = async (message: Record<string, unknown>, signal: AbortSignal): Promise<Result<Response>> => {
    const answer = await post(message, signal);
    const cause = answer.ok ? undefined : (answer.error.details?.cause ?? answer.error.code);
    if (cause !== 'ECONNREFUSED' && cause !== 'unauthorized') return answer;
    const again = await openDoor(home, whose);
    if (!again.ok) return again;
    door = again.value;
    return post(message, signal);
  };

  const carry = async (message: Record<string, unknown>): Promise<void> => {
    const id = idOf(message);
    const aborter = new AbortController();
    if (id !== null) calls.set(id, aborter);
    try {
      if (calls.size > MAX_CALLS) throw new Error(`there are ${MAX_CALLS} calls under way already`);
      const answer = await postAnywhere(message, aborter.signal);
      if (!answer.ok) throw new Error(answer.error.message);
      for await (const one of messagesIn(answer.value)) {
        version = negotiated(one) ?? version;
        await say(one);
      }
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (id !== null && !aborter.signal.aborted)
        await say({ jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message: text } });
    } finally {
      if (id !== null) calls.delete(id);
    }
  };

  return {
    take(line: string): void {
      const message = parseJson(line);
      if (!isRecord(message)) {
        void say({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'one JSON object a line' } });
        return;
      }
      // Over HTTP a call is cancelled by hanging up.
      const cancelled = message.method === 'notifications/cancelled' && isRecord(message.params) && message.params;
      const key = cancelled ? cancelled.requestId : null;
      if (typeof key === 'string' || typeof key === 'number') calls.get(key)?.abort();
      else {
        const carrying = carry(message).finally(() => carried.delete(carrying));
        carried.add(carrying);
      }
    },
    async finish(): Promise<void> {
      await Promise.race([Promise.all(carried), clock.sleep(FINISH_MS)]);
      for (const call of calls.values()) call.abort();
    },
  };
}

function idOf(message: Record<string, unknown>): string | number | null {
  return typeof message.id === 'string' || typeof message.id === 'number' ? message.id : null;
}

/** Newer clients name their version in every message, older ones once, in the answer to `initialize`. */
function headersOf(message: Record<string, unknown>, version: string | null, token: string): Record<string, string> {
  const params = isRecord(message.params) ? message.params : {};
  const meta = isRecord(params._meta) ? params._meta : {};
  const claimed = meta[VERSION_KEY];
  const named = typeof claimed === 'string' ? claimed : message.method === 'initialize' ? null : version;
  const name = params.name ?? params.uri;
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(named !== null && { 'mcp-protocol-version': named }),
    ...(typeof message.method === 'string' && { 'mcp-method': message.method }),
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
}

function negotiated(message: unknown): string | null {
  const result = isRecord(message) && isRecord(message.result) ? message.result : {};
  return typeof result.protocolVersion === 'string' ? result.protocolVersion : null;
}

/** One JSON body, or events of which each carries one message. */
async function* messagesIn(response: Response): AsyncGenerator<unknown> {
  if (response.status === 202 || response.body === null) return;
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    const body = parseJson(await response.text());
    if (isRecord(body) && 'jsonrpc' in body) yield body;
    else if (!response.ok) throw new Error(readFailure(response.status, body).message);
    return;
  }
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split(/\r?\n\r?\n/);
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).trimStart());
      const message = parseJson(data.join('\n'));
      if (isRecord(message)) yield message;
    }
  }
}
