/** The HTTP server: binds to loopback, asks the guard about every request and upgrade, and lets go of every connection at the end. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Failure, fail, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../node/clock.ts';
import { watchConnections } from './connections.ts';
import { type Knock, parseBindHost, refuseKnock, SECURITY_HEADERS } from './guard.ts';
import { createLazyRooms, type LazyRooms, type RoomsOptions } from './lazy-rooms.ts';
import { answerSocket, refuseSocket, renderRefusal } from './refusal.ts';
import { listStaticFiles } from './static-files.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Where the built page lies. */
  readonly webRoot: string;
  readonly clock: Clock;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** From now on requests are answered; those that came before have waited for it. */
  serve(options: Omit<RoomsOptions, 'origin' | 'files' | 'newErrorId' | 'markKnown'>): Serving;
  /** Ends every connection. Idempotent. */
  stop(): Promise<void>;
}

interface Serving {
  /** Loads what answers; the first request does it otherwise, and waits. */
  load(): Promise<void>;
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

export async function startListening(options: ListenOptions): Promise<Result<Listening>> {
  const host = parseBindHost(options.host);
  if (!host.ok) return host;
  const files = await listStaticFiles(options.webRoot);
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
  let startServing: (rooms: LazyRooms) => void = () => undefined;
  const served = new Promise<LazyRooms>((done) => {
    startServing = done;
  });
  let isServing = false;
  let stopping: Promise<void> | null = null;

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    const refusal = refuseKnock(knockOf(request, 'http'), port);
    if (refusal === null) void served.then((rooms) => rooms.answer(request, response));
    else answer(response, refusal);
  };
  server.on('request', onRequest);
  server.on('checkExpectation', onRequest);
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const refusal = refuseKnock(knockOf(request, 'websocket'), port);
    if (refusal === null) void served.then((rooms) => rooms.upgrade(request, socket, head));
    else refuseSocket(socket, refusal);
  });
  server.on('clientError', refuseBytes);

  const url = `http://${host.value === '::1' ? '[::1]' : host.value}:${port}`;
  const stop = async (): Promise<void> => {
    const closed = new Promise((done) => server.close(done));
    if (isServing) await (await served).stop();
    else server.closeAllConnections();
    server.closeIdleConnections();
    const grace = options.clock.setTimer(STOP_GRACE_MS, () => server.closeAllConnections());
    await closed;
    grace.cancel();
  };
  return ok({
    url,
    port,
    serve(rest) {
      const newErrorId = () => randomBytes(6).toString('hex');
      const rooms = createLazyRooms({ ...rest, origin: url, files, newErrorId, markKnown });
      isServing = true;
      startServing(rooms);
      return { load: rooms.load };
    },
    stop() {
      stopping ??= stop();
      return stopping;
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
