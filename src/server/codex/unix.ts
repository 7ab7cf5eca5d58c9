/** Transport over `app-server --listen unix://…`: a WebSocket on a Unix socket. Turns go on while nobody is connected. */
import { connect } from 'node:net';
import { fail, ok, type Result } from '../../contract/result.ts';
import { MAX_LINE_BYTES } from '../../core/text/lines.ts';
import type { Transport, TransportEvents } from './transport.ts';

/** Codex resets a connection that sends more than 16 MiB in one message. */
const MAX_SEND_BYTES = 16 * 1024 * 1024 - 1024;
const CONNECT_TIMEOUT_MS = 5_000;

export async function connectUnix(socketPath: string, events: TransportEvents): Promise<Result<Transport>> {
  // Loaded while Codex starts, when there is nothing else to do.
  const { WebSocket } = await import('ws');
  const socket = new WebSocket('ws://localhost/', {
    createConnection: () => connect(socketPath),
    perMessageDeflate: false,
    maxPayload: MAX_LINE_BYTES,
    handshakeTimeout: CONNECT_TIMEOUT_MS,
  });
  return new Promise((done) => {
    let isOpen = false;
    let failure = '';
    socket.on('open', () => {
      isOpen = true;
      done(
        ok({
          maxSendBytes: MAX_SEND_BYTES,
          send: (line) => socket.send(line),
          close: () => socket.terminate(),
        }),
      );
    });
    socket.on('message', (data, isBinary) => {
      if (!isBinary) events.onLine({ text: data.toString() });
    });
    socket.on('error', (error) => {
      failure = error.message;
    });
    socket.on('close', (code) => {
      const reason = failure === '' ? `connection closed (${code})` : failure;
      if (isOpen) events.onClose(reason);
      else done(fail('codex_unavailable', `cannot connect to Codex: ${reason}`));
    });
  });
}
