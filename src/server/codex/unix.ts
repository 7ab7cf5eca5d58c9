/** Transport over `app-server --listen unix://…`: a WebSocket on a Unix socket. Turns go on while nobody is connected. */
import { connect } from 'node:net';
import { fail, ok, type Result } from '../../contract/result.ts';
import { readableLines } from '../../core/codex/describe-trouble.ts';
import { MAX_LINE_BYTES } from '../../core/text/lines.ts';
import type { Clock } from '../../node/clock.ts';
import type { Transport, TransportEvents } from './transport.ts';

/** Codex resets a connection that sends more than 16 MiB in one message. */
const MAX_SEND_BYTES = 16 * 1024 * 1024 - 1024;
const CONNECT_TIMEOUT_MS = 5_000;

/** `signal` ends an attempt that is no longer wanted. */
export async function connectUnix(
  socketPath: string,
  events: TransportEvents,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Result<Transport>> {
  // Loaded while Codex starts, when there is nothing else to do.
  const { WebSocket } = await import('ws');
  const socket = new WebSocket('ws://localhost/', {
    createConnection: () => connect(socketPath),
    perMessageDeflate: false,
    maxPayload: MAX_LINE_BYTES,
  });
  return new Promise((done) => {
    let isOpen = false;
    let failure = '';
    const giveUp = (reason: string) => {
      failure = reason;
      socket.terminate();
    };
    // Of our own: `handshakeTimeout` of ws has no effect on a connection that we make. The kernel connects us to a stopped process too.
    const limit = clock.setTimer(CONNECT_TIMEOUT_MS, () => giveUp(`no answer within ${CONNECT_TIMEOUT_MS / 1000} s`));
    const abort = () => giveUp('not wanted any more');
    signal.addEventListener('abort', abort);
    const settle = () => {
      limit.cancel();
      signal.removeEventListener('abort', abort);
    };
    if (signal.aborted) abort();
    socket.on('open', () => {
      isOpen = true;
      settle();
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
      if (failure === '') failure = error.message;
    });
    socket.on('close', (code) => {
      settle();
      const reason = failure === '' ? `connection closed (${code})` : failure;
      if (isOpen) events.onClose(reason);
      else done(fail('codex_unavailable', `its socket cannot be used (${readableLines([reason]).join(' ')})`));
    });
  });
}
