/** A WebSocket to the server, with the API token. The token goes in a header, never into the URL. */
import { WebSocket } from 'ws';
import { ok, type Result } from '../contract/result.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { networkFailure, readFailure } from './client.ts';
import type { FoundServer } from './find-server.ts';

export interface Socket {
  send(frame: unknown): void;
  close(): void;
}

export interface SocketEvents {
  onText(text: string): void;
  /** Once, however it ended; 1006 when there was no closing frame. */
  onClose(code: number): void;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** A refusal is a small JSON document. */
const MAX_REFUSAL_CHARS = 64 * 1024;

export function openSocket(server: FoundServer, path: string, events: SocketEvents): Promise<Result<Socket>> {
  const socket = new WebSocket(new URL(path, server.url.replace(/^http/, 'ws')), {
    headers: { authorization: `Bearer ${server.api_token}` },
    handshakeTimeout: CONNECT_TIMEOUT_MS,
    perMessageDeflate: false,
  });
  return new Promise((resolve) => {
    let isOpen = false;
    socket.on('error', (error) => resolve(networkFailure(error)));
    socket.on('unexpected-response', (_asking, response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        if (body.length < MAX_REFUSAL_CHARS) body += text;
      });
      response.on('end', () => resolve({ ok: false, error: readFailure(response.statusCode ?? 0, parseJson(body)) }));
    });
    socket.on('message', (data, isBinary) => {
      if (!isBinary) events.onText(data.toString());
    });
    socket.on('close', (code) => {
      if (isOpen) events.onClose(code);
    });
    socket.on('open', () => {
      isOpen = true;
      resolve(
        ok({
          send: (frame) => socket.send(JSON.stringify(frame)),
          close() {
            isOpen = false;
            socket.close();
          },
        }),
      );
    });
  });
}
