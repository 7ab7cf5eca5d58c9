/** `WS /ws/appserver`: who may connect, frames in and out, heartbeat, and the raw tap of debug mode. Loaded with the first upgrade. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import {
  CLOSE_PROOF_ENDED,
  CLOSE_RESYNC,
  CLOSE_SIGNED_OUT,
  ClientFrame,
  MAX_CLIENT_QUEUE_BYTES,
  type SyncFrame,
} from '../../contract/ui-event.ts';
import { admitSocket, type Holder } from '../../core/access/full-house.ts';
import { type ProofHeaders, SOCKET_PROTOCOL } from '../../core/access/session-proof.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { Caller } from '../caller.ts';
import type { HubGateway } from '../hub/hub.ts';
import { type AdmitOptions, admit, callerOf, holderFor, SOCKET_LIMITS, shownBy } from './admit-socket.ts';
import { renderIssue } from './decode-input.ts';
import { decodeJson } from './json-body.ts';
import { refuseSocket } from './refusal.ts';

/** The lines to and from Codex; exists for people who debug, and is off unless they say so. */
interface RawTap {
  isEnabled(): boolean;
  subscribe(listener: (line: string) => void): () => void;
}

export interface SocketOptions extends AdmitOptions {
  readonly hub: HubGateway;
  readonly rawTap: RawTap;
  /** Keeps the connection of a known caller from being closed to make room. */
  readonly markKnown: (socket: Duplex, holder: Holder) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Sockets {
  /** The request has passed the guard; the rest is decided here, before any handshake. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  stop(): Promise<void>;
}

/** WebSocket's own number for a server that stops. */
const CLOSE_GOING_AWAY = 1001;
const CLOSE_TRY_LATER = 1013;
/** Clients say little; a message goes by HTTP. */
const MAX_FRAME_BYTES = 1024 * 1024;
const HEARTBEAT_MS = 30_000;
/** How long a client may take over the closing handshake before what waits for it is thrown away. */
const CLOSE_TIMEOUT_MS = 2_000;

/** A variable, since the types of `ws` do not know `closeTimeout` yet. */
const SERVER_OPTIONS = {
  noServer: true,
  clientTracking: false,
  maxPayload: MAX_FRAME_BYTES,
  perMessageDeflate: false,
  closeTimeout: CLOSE_TIMEOUT_MS,
  // The proof is among the protocols and is never the one that is chosen: the answer must not repeat it.
  handleProtocols: (protocols: ReadonlySet<string>) => (protocols.has(SOCKET_PROTOCOL) ? SOCKET_PROTOCOL : false),
} as const;

interface Link {
  readonly ws: WebSocket;
  readonly caller: Caller;
  /** What the caller showed; asked again, since a proof ends. */
  readonly shown: ProofHeaders;
  readonly mode: 'events' | 'raw' | 'door';
  hasAnswered: boolean;
  readonly holder: Holder;
  readonly isBusy: boolean;
}

export function createSockets(options: SocketOptions): Sockets {
  const { clock, credentials, log, rawTap } = options;
  const links = new Set<Link>();
  const server = new WebSocketServer(SERVER_OPTIONS);
  server.on('wsClientError', ({ message }, socket) => refuseSocket(socket, { code: 'invalid_request', message }));

  let beat: Timer = clock.setTimer(HEARTBEAT_MS, checkAll);
  const forgetSessions = credentials.onSessionEnd((id) => {
    for (const { ws, caller } of links) {
      if (caller.kind !== 'anonymous' && caller.id === id) ws.close(CLOSE_SIGNED_OUT, 'session ended');
    }
  });

  function checkAll(): void {
    beat = clock.setTimer(HEARTBEAT_MS, checkAll);
    for (const link of links) {
      if (!credentials.isValid(link.caller)) link.ws.close(CLOSE_SIGNED_OUT, 'session ended');
      else if (credentials.authenticate(link.shown) === null)
        link.ws.close(CLOSE_PROOF_ENDED, 'prove the session again');
      else if (link.mode === 'raw' && !rawTap.isEnabled()) link.ws.close(CLOSE_GOING_AWAY, 'debug mode is off');
      else if (!link.hasAnswered) link.ws.terminate();
      else link.ws.ping();
      link.hasAnswered = false;
    }
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const caller = await callerOf(request, options);
    const holder = await holderFor(caller, request, options);
    const place = admitSocket([...links], holder, SOCKET_LIMITS);
    const verdict = admit(request, caller, options, place !== 'refuse');
    if (verdict.kind === 'refused') {
      refuseSocket(socket, verdict.failure);
      return;
    }
    if (typeof place === 'object') {
      // Forgotten at once: its close event comes later, and the next newcomer must not pick it again.
      links.delete(place.close);
      place.close.ws.close(CLOSE_TRY_LATER, 'a person needs the connection');
    }
    server.handleUpgrade(request, socket, head, (ws) => {
      options.markKnown(socket, holder);
      const { caller, mode } = verdict;
      const link: Link = { ws, caller, shown: shownBy(request), mode, hasAnswered: true, holder, isBusy: true };
      links.add(link);
      ws.on('close', () => links.delete(link));
      // A frame too large, a torn frame, a broken pipe: `ws` closes by itself, with the right number.
      ws.on('error', (error) => log.debug({ error }, 'socket'));
      ws.on('pong', () => {
        link.hasAnswered = true;
      });
      if (verdict.mode === 'door') verdict.door.open(ws, verdict.visit);
      else if (verdict.mode === 'raw') serveRaw(ws, rawTap);
      else serveEvents(ws, verdict.caller, options);
    });
  }

  return {
    upgrade,
    async stop() {
      beat.cancel();
      forgetSessions();
      const closed = [...links].map(({ ws }) => new Promise((done) => ws.once('close', done)));
      for (const { ws } of links) ws.close(CLOSE_GOING_AWAY, 'server stopping');
      await Promise.all(closed);
      server.close();
    },
  };
}

function serveEvents(ws: WebSocket, caller: Caller, { hub }: SocketOptions): void {
  let queuedEvents = 0;
  const sent = () => {
    queuedEvents -= 1;
  };
  const send = (frame: Buffer) => {
    queuedEvents += 1;
    ws.send(frame, { binary: false }, sent);
  };
  const connection = hub.connect(
    {
      send,
      queued: () => ({ bytes: ws.bufferedAmount, events: queuedEvents }),
      close: (code, reason) => ws.close(code, reason),
    },
    caller,
  );
  ws.on('close', () => connection.disconnect());
  ws.on('message', (data, isBinary) => {
    const frame = decodeFrame(data, isBinary);
    if ('failure' in frame) send(renderRefused(frame.failure));
    else connection.receive(frame.frame);
  });
}

function decodeFrame(data: RawData, isBinary: boolean): { readonly frame: ClientFrame } | { readonly failure: string } {
  if (isBinary) return { failure: 'frames are text' };
  const json = decodeJson(data.toString());
  if (!json.ok) return { failure: json.error.message };
  const frame = ClientFrame.safeParse(json.value);
  return frame.success ? { frame: frame.data } : { failure: renderIssue(frame.error).message };
}

function renderRefused(message: string): Buffer {
  const frame: SyncFrame = { type: 'refused', code: 'invalid_request', message };
  return Buffer.from(JSON.stringify(frame));
}

function serveRaw(ws: WebSocket, tap: RawTap): void {
  const stop = tap.subscribe((line) => {
    if (ws.bufferedAmount > MAX_CLIENT_QUEUE_BYTES) ws.close(CLOSE_RESYNC, 'resync');
    else ws.send(line);
  });
  ws.on('close', stop);
}
