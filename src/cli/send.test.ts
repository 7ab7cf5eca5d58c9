/** `conversations send` against a server that does not deliver the message. */
import { createServer, type Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { NewEntry } from '../contract/entry.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { EVENT_OF_ROLE } from '../contract/ui-event.ts';
import { sampleRow } from '../testing/samples.ts';
import type { Client } from './client.ts';
import { createOutput } from './output.ts';
import { send } from './send.ts';

const id = `conv_${'a'.repeat(32)}`;
const activity = { state: 'idle', text: '', turn_id: null, lamp: 'off' };
const status = { activity, usage: null, row: sampleRow({ id }) };

let http: Server;
let sockets: WebSocketServer;
let peer: WebSocket;
let url: string;

beforeEach(async () => {
  http = createServer();
  sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (one) => {
    peer = one;
    one.on('message', () => {
      const sync = {
        type: 'sync',
        conversation_id: id,
        verdict: 'reset',
        seq: 0,
        entries: [],
        live: [],
        approvals: [],
      };
      one.send(JSON.stringify({ ...sync, status }));
      one.send(JSON.stringify({ type: 'synchronized', conversation_id: id, seq: 0 }));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterEach(async () => {
  for (const one of sockets.clients) one.terminate();
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});

/** The server's answer to the message, given after the entries it has written. */
async function sendTo(
  respond: (messageId: string) => { entries: readonly NewEntry[]; answer: Result<unknown> },
  isJson: boolean,
) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const out = createOutput({ isJson, color: false, env: {}, stdout, stderr });
  const call = async (route: string, input: { readonly client_message_id?: string }) => {
    if (route !== 'sendMessage') return fail('internal', `not expected: ${route}`);
    const { entries, answer } = respond(input.client_message_id ?? '');
    for (const [at, entry] of entries.entries()) {
      const stored = { seq: at + 1, ts: '2026-01-01T00:00:00.000Z', ...entry };
      peer.send(JSON.stringify({ type: EVENT_OF_ROLE[entry.role], conversation_id: id, seq: at + 1, entry: stored }));
    }
    return answer;
  };
  const server = { pid: 1, start_time: '1', url, api_token: 'secret', started_at: '', version: '' };
  const client = { server, call, callRaw: call } as unknown as Client;
  const code = await send(out, client, { home: '/nowhere', conversationId: id, text: 'hi', mode: 'send' });
  return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

const stored = (client_message_id: string): NewEntry => ({
  role: 'user',
  text: 'hi',
  client_message_id,
  mode: 'send',
  state: 'sent',
});
const lost = (client_message_id: string): NewEntry => ({
  role: 'delivery',
  client_message_id,
  state: 'not_delivered',
  reason: 'codex_exited',
  text: 'Codex stopped before it kept this message.',
});

test('[CL30] a message that is recorded as not delivered after it was accepted', async () => {
  const accept = (client_message_id: string) => ({
    entries: [stored(client_message_id), lost(client_message_id)],
    answer: ok({ ok: true, outcome: 'started', client_message_id, turn_id: null }),
  });
  const { code, stdout, stderr } = await sendTo(accept, false);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    'signalbox: not delivered: Codex stopped before it kept this message; run the same command again to send it again\n',
  );
  const json = (await sendTo(accept, true)).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(json).toMatchObject([
    { type: 'sent' },
    { type: 'message' },
    { type: 'delivery', entry: { state: 'not_delivered' } },
    { ok: false, code: 'codex_error' },
  ]);
});

test('[CL30] a message that is refused after it was stored exits with 1, whatever the refusal is', async () => {
  const { code, stderr } = await sendTo(
    (client_message_id) => ({
      entries: [stored(client_message_id), lost(client_message_id)],
      answer: fail('codex_unavailable', 'Codex is not ready.', { stored: true, client_message_id }),
    }),
    false,
  );
  expect(code).toBe(1);
  expect(stderr).toBe('signalbox: not delivered: Codex is not ready; run the same command again to send it again\n');
});

test('a message that is refused before it was stored keeps the exit code of the refusal', async () => {
  const refused = await sendTo(
    () => ({ entries: [], answer: fail('codex_unavailable', 'Codex is not ready.') }),
    false,
  );
  expect([refused.code, refused.stderr]).toEqual([3, 'signalbox: Codex is not ready.\n']);
});
