/** A WebSocket to the server, with the API token. The token goes in a header, never into the URL. */
import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { fail, ok, type Result } from '../contract/result.ts';
import { networkFailure, parseJson, readFailure } from './client.ts';
import type { FoundServer } from './find-server.ts';
import { createMessageReader, encodeFrame, OPCODES } from './websocket-frames.ts';

export interface Socket {
  send(frame: unknown): void;
  close(): void;
}

export interface SocketEvents {
  onText(text: string): void;
  /** Once, however it ended; 1006 when there was no closing frame. */
  onClose(code: number): void;
}

/** RFC 6455 §1.3: what both sides append to the key. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const CONNECT_TIMEOUT_MS = 10_000;
/** A refusal is a small JSON document. */
const MAX_REFUSAL_CHARS = 64 * 1024;

export function openSocket(server: FoundServer, path: string, events: SocketEvents): Promise<Result<Socket>> {
  const key = randomBytes(16).toString('base64');
  return new Promise((resolve) => {
    const asking = request(new URL(path, server.url), {
      headers: {
        authorization: `Bearer ${server.api_token}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': key,
      },
    });
    asking.setTimeout(CONNECT_TIMEOUT_MS, () => asking.destroy(new Error('no answer to the upgrade')));
    asking.on('error', (error) => resolve(networkFailure(error)));
    asking.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        if (body.length < MAX_REFUSAL_CHARS) body += text;
      });
      response.on('end', () => resolve({ ok: false, error: readFailure(response.statusCode ?? 0, parseJson(body)) }));
    });
    asking.on('upgrade', (response, stream, head) => {
      asking.setTimeout(0);
      if (response.headers['sec-websocket-accept'] !== acceptOf(key)) {
        stream.destroy();
        return resolve(fail('internal', 'the server did not accept the WebSocket as the protocol says'));
      }
      resolve(ok(speak(stream, head, events)));
    });
    asking.end();
  });
}

const acceptOf = (key: string): string => createHash('sha1').update(`${key}${GUID}`).digest('base64');

function speak(stream: Duplex, head: Buffer, events: SocketEvents): Socket {
  const reader = createMessageReader();
  let isOpen = true;
  const send = (opcode: number, payload: Buffer): void => {
    if (stream.writable) stream.write(encodeFrame(opcode, payload));
  };
  const finish = (code: number): void => {
    if (!isOpen) return;
    isOpen = false;
    stream.destroy();
    events.onClose(code);
  };
  const receive = (chunk: Buffer): void => {
    for (const message of reader.push(chunk)) {
      if (!isOpen) return;
      if (message.type === 'text') events.onText(message.text);
      else if (message.type === 'ping') send(OPCODES.pong, message.payload);
      else {
        send(OPCODES.close, Buffer.alloc(0));
        finish(message.code);
      }
    }
  };
  stream.on('data', receive);
  stream.on('error', () => finish(1006));
  stream.on('close', () => finish(1006));
  // What came in the same packet as the answer. Later, so that the caller has the socket before it hears from it.
  queueMicrotask(() => receive(head));
  return {
    send: (frame) => send(OPCODES.text, Buffer.from(JSON.stringify(frame))),
    close() {
      isOpen = false;
      send(OPCODES.close, Buffer.alloc(0));
      stream.end();
    },
  };
}
