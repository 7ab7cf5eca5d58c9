/** An HTTP server on loopback that asks the guard about every request and upgrade, and ends every connection when it stops. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Failure, fail, ok, type Result } from '../../contract/result.ts';
import type { Holder } from '../../core/access/full-house.ts';
import type { Clock } from '../../node/clock.ts';
import { watchConnections } from './connections.ts';
import { type Knock, parseBindHost, refuseKnock, SECURITY_HEADERS } from './guard.ts';
import { answerSocket, refuseSocket, renderRefusal } from './refusal.ts';

export interface GuardedOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly clock: Clock;
  /** The guard has let it in, and the security headers are on the answer. */
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

export interface GuardedServer {
  readonly url: string;
  readonly port: number;
  /** Keeps the connection of a known caller from being closed to make room. */
  readonly markKnown: (socket: Duplex, holder: Holder) => void;
  /** Takes no more connections, and ends those there are: at once, or after what `drain` waits for and a grace for requests under way. */
  stop(drain?: () => Promise<void>): Promise<void>;
}

/** A client on this machine sends its headers at once; who does not is holding the door. */
const HEADERS_TIMEOUT_MS = 10_000;
/** For receiving a request, not for answering it: 20 MB over loopback take a second. */
const REQUEST_TIMEOUT_MS = 30_000;
const CHECK_TIMEOUTS_MS = 2_000;
/** Longer than a page is quiet between two requests. */
const KEEP_ALIVE_MS = 65_000;
/**
 * Cookies do not know ports: a page of anybody on another port can make browsers send us all that they keep for this host, 180 cookies
 * of 4 KiB. We read no cookie, but must not refuse the person's own requests for them. The rest is for the other headers.
 */
const MAX_HEADER_BYTES = (180 * 4 + 48) * 1024;
/** What requests under way may take to end once we stop. */
const STOP_GRACE_MS = 1_000;

export async function openGuardedServer(options: GuardedOptions): Promise<Result<GuardedServer>> {
  const host = parseBindHost(options.host);
  if (!host.ok) return host;
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_TIMEOUTS_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    noDelay: true,
    // The guard refuses a missing Host itself, with our headers on the answer.
    requireHostHeader: false,
  });
  // No header is left out of `rawHeaders` unseen, such as a second Host; the guard counts them.
  server.maxHeadersCount = 0;
  const { markKnown } = watchConnections(server);
  const bound = await bind(server, host.value, options.port);
  if (!bound.ok) return bound;
  const port = bound.value;

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    const refusal = refuseKnock(knockOf(request, 'http'), port);
    if (refusal === null) options.onRequest(request, response);
    else answer(response, refusal);
  };
  server.on('request', onRequest);
  server.on('checkExpectation', onRequest);
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const refusal = refuseKnock(knockOf(request, 'websocket'), port);
    if (refusal === null) options.onUpgrade(request, socket, head);
    else refuseSocket(socket, refusal);
  });
  server.on('clientError', refuseBytes);

  return ok({
    url: `http://${host.value === '::1' ? '[::1]' : host.value}:${port}`,
    port,
    markKnown,
    async stop(drain) {
      const closed = new Promise((done) => server.close(done));
      if (drain === undefined) server.closeAllConnections();
      else await drain();
      server.closeIdleConnections();
      const grace = options.clock.setTimer(STOP_GRACE_MS, () => server.closeAllConnections());
      await closed;
      grace.cancel();
    },
  });
}

/** Port taken, port forbidden: answers, not accidents. */
function bind(server: Server, host: string, port: number): Promise<Result<number>> {
  return new Promise((done) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `port ${port} is taken: stop what uses it, or choose another with --port`;
      if (error.code === 'EADDRINUSE') done(fail('conflict', taken, { port }));
      else if (error.code === 'EACCES') done(fail('forbidden', `port ${port} may not be used by this user`, { port }));
      else done(fail('internal', `cannot listen on ${host}:${port}: ${error.message}`, { port }));
    });
    server.listen({ host, port, exclusive: true }, () => {
      server.removeAllListeners('error');
      const address = server.address();
      done(ok(isAddress(address) ? address.port : port));
    });
  });
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

function knockOf(request: IncomingMessage, kind: Knock['kind']): Knock {
  const { method = '', url = '', rawHeaders } = request;
  return { method, target: url, rawHeaders, kind };
}

function answer(response: ServerResponse, failure: Failure): void {
  const { status, headers, body } = renderRefusal(failure);
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
  response.end(body);
}

/** What Node could not read as HTTP. */
function refuseBytes(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { headers, body } = renderRefusal({ code: 'invalid_request', message: 'this is not a request we can read' });
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  answerSocket(socket, { status, headers, body });
}
