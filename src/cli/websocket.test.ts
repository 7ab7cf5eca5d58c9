/** The command line's WebSocket against a real server. */
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { FoundServer } from './find-server.ts';
import { openSocket } from './websocket.ts';

let http: Server;
let sockets: WebSocketServer;
let server: FoundServer;
let onPeer: (peer: WebSocket, token: string | undefined) => void = () => {};

beforeEach(async () => {
  http = createServer((_request, response) => {
    response.writeHead(401).end('{"ok":false,"code":"unauthorized","message":"no"}');
  });
  sockets = new WebSocketServer({ noServer: true, perMessageDeflate: true });
  http.on('upgrade', (request, stream, head) => {
    if (request.url !== '/ws') return stream.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    return sockets.handleUpgrade(request, stream, head, (peer) => onPeer(peer, request.headers.authorization));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  server = { pid: 1, start_time: '1', url, api_token: 'secret', started_at: '', version: '' };
});
afterEach(async () => {
  for (const peer of sockets.clients) peer.terminate();
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});

/** Connects and collects texts until the socket closes. */
async function converse(peerDoes: (peer: WebSocket) => void) {
  onPeer = peerDoes;
  const texts: string[] = [];
  let onClose: (code: number) => void = () => {};
  const closed = new Promise<number>((resolve) => {
    onClose = resolve;
  });
  const opened = await openSocket(server, '/ws', { onText: (text) => texts.push(text), onClose });
  if (!opened.ok) throw new Error(opened.error.message);
  return { socket: opened.value, texts, closed };
}

describe('[CL24] the client', () => {
  test('shows the token in a header', async () => {
    const token = new Promise((resolve) => {
      onPeer = (_peer, shown) => resolve(shown);
    });
    await openSocket(server, '/ws', { onText: () => {}, onClose: () => {} });
    expect(await token).toBe('Bearer secret');
  });

  test('hears texts of every size, in order', async () => {
    const sizes = [0, 1, 125, 126, 127, 65_535, 65_536, 3_000_000];
    const { texts, closed } = await converse((peer) => {
      for (const size of sizes) peer.send('ü'.repeat(size));
      peer.close(4008, 'resync');
    });
    expect(await closed).toBe(4008);
    expect(texts.map((text) => text.length)).toEqual(sizes);
    expect(texts.every((text) => /^ü*$/.test(text))).toBe(true);
  });

  test('says texts of every size', async () => {
    const heard: string[] = [];
    const { socket, closed } = await converse((peer) => {
      peer.on('message', (text) => {
        heard.push(String(text));
        if (heard.length === 4) peer.close(1000);
      });
    });
    for (const size of [1, 200, 70_000, 0]) socket.send('é'.repeat(size));
    expect(await closed).toBe(1000);
    expect(heard.map((text) => JSON.parse(text).length)).toEqual([1, 200, 70_000, 0]);
  });

  test('joins fragments and answers pings between them', async () => {
    const { texts, closed } = await converse((peer) => {
      peer.on('pong', (payload) => peer.close(1000, String(payload)));
      peer.send('one ', { fin: false });
      peer.ping('are you there');
      peer.send('two', { fin: true });
    });
    expect(await closed).toBe(1000);
    expect(texts).toEqual(['one two']);
  });

  test('closes as the protocol says', async () => {
    const gone = new Promise((resolve) => {
      onPeer = (peer) => peer.on('close', resolve);
    });
    const opened = await openSocket(server, '/ws', { onText: () => {}, onClose: () => {} });
    if (opened.ok) opened.value.close();
    expect(await gone).toBe(1005);
  });

  test('tells a connection that breaks', async () => {
    const { closed } = await converse((peer) => peer.terminate());
    expect(await closed).toBe(1006);
  });

  test('tells a refusal', async () => {
    const events = { onText: () => {}, onClose: () => {} };
    expect(await openSocket(server, '/other', events)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    const nowhere = { ...server, url: 'http://127.0.0.1:1' };
    expect(await openSocket(nowhere, '/ws', events)).toMatchObject({ ok: false, error: { code: 'not_running' } });
  });
});
