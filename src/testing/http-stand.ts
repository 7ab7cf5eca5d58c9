/** The HTTP edge on a real port with everything behind it made of memory, and clients that say exactly what a test tells them. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClientOptions, WebSocket } from 'ws';
import { TOKEN_SCOPES, type TokenScope } from '../contract/access.ts';
import { ConversationId } from '../contract/ids.ts';
import { ok, type Result } from '../contract/result.ts';
import { ROUTES, type RouteId } from '../contract/routes.ts';
import type { ServerFrame } from '../contract/ui-event.ts';
import type { Peer } from '../core/access/classify-peer.ts';
import { authorizationOf } from '../core/access/session-proof.ts';
import { createLogger } from '../node/logger.ts';
import type { Caller } from '../server/caller.ts';
import { type Credentials, createCredentials } from '../server/http/credentials.ts';
import { startListening } from '../server/http/listen.ts';
import type { Handlers } from '../server/http/services.ts';
import type { SocketDoor } from '../server/socket-door.ts';
import { createHubStand, type HubStand } from './hub-stand.ts';
import { memoryTokens } from './memory-tokens.ts';
import { newPublicKey } from './session-client.ts';

export const API_TOKEN = 'the-api-token-of-this-test';
export const PAGE = '<!doctype html><title>the page</title>';

/** A socket of a domain that says who came, and refuses whoever asks to be refused. */
const ECHO_DOOR: SocketDoor = {
  path: '/ws/echo/',
  scope: 'read',
  refuse: ({ query }) => (query.has('refuse') ? { code: 'not_found', message: 'there is no such echo' } : null),
  open: (ws, { caller, path }) => ws.send(JSON.stringify({ type: 'echo', words: `${caller.kind} ${path}` })),
};

export interface HandledCall {
  readonly id: RouteId;
  readonly input: object;
  readonly caller: Caller;
}

export interface HttpStand extends HubStand {
  readonly port: number;
  readonly url: string;
  readonly credentials: Credentials;
  /** Who is at the other end of every connection. */
  readonly peer: { now: Peer; program: string };
  /** What reached a handler. */
  readonly calls: HandledCall[];
  /** What a route answers instead of `{}`. */
  readonly answers: Map<RouteId, (input: never) => Promise<Result<unknown>>>;
  readonly saved: { text: string | null };
  readonly raw: { isEnabled: boolean; say: (line: string) => void };
  /** Whether a browser that is logged in counts as open. */
  readonly browsers: { open: boolean };
  /** Lets the real sessions answer their routes. */
  serveSessions(): void;
  /** The value of the Authorization header of a session that is logged in. */
  logIn(): Promise<string>;
  readLog(): Promise<string>;
  stop(): Promise<void>;
}

/** `untilLoaded`: what answers is loaded no sooner. `scopes`: what the API token may do. */
export async function startHttpStand(
  untilLoaded?: Promise<void>,
  scopes: readonly TokenScope[] = TOKEN_SCOPES,
): Promise<HttpStand> {
  const hub = createHubStand();
  const dir = await mkdtemp(join(tmpdir(), 'signalbox-http-'));
  const webRoot = join(dir, 'web');
  await mkdir(join(webRoot, 'assets'), { recursive: true });
  await writeFile(join(dir, 'secret.txt'), 'outside the page');
  await writeFile(join(webRoot, 'index.html'), PAGE);
  await writeFile(join(webRoot, 'icon.svg'), '<svg/>');
  await writeFile(join(webRoot, 'assets/main-B1a_2cD3.js'), 'export {};');
  const calls: HandledCall[] = [];
  const answers: HttpStand['answers'] = new Map();
  const saved: HttpStand['saved'] = { text: null };
  const listeners = new Set<(line: string) => void>();
  const raw: HttpStand['raw'] = {
    isEnabled: false,
    say: (line) => {
      for (const listener of listeners) listener(line);
    },
  };
  const browsers = { open: false };
  const peer: HttpStand['peer'] = { now: { kind: 'person' }, program: '1' };
  const listening = await startListening({ host: '127.0.0.1', port: 0, webRoot, clock: hub.clock });
  if (!listening.ok) throw new Error(listening.error.message);
  const credentials = createCredentials({
    clock: hub.clock,
    origin: listening.value.url,
    tokens: await memoryTokens(API_TOKEN, scopes, hub.clock),
    presence: { isOpen: () => browsers.open, isConnected: () => browsers.open },
    onLoginsChange: () => {},
    saved: null,
    save: async (text) => {
      saved.text = text;
    },
  });
  listening.value.serve({
    async rooms() {
      await untilLoaded;
      return {
        handlers: createHandlers(calls, answers),
        rpc: async () => ok(null),
        doors: [ECHO_DOOR],
        refuseInput: () => null,
      };
    },
    credentials,
    peers: { ofSocket: async () => peer.now, programOf: async () => peer.program },
    conversationOf: (name) => ConversationId.safeParse(name).data ?? null,
    resolveId: (id) => id,
    hub: hub.hub,
    rawTap: {
      isEnabled: () => raw.isEnabled,
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    mcp: { answer: async () => new Response('mcp') },
    metrics: () => 'signalbox_clients 0\n',
    clock: hub.clock,
    log: createLogger({ level: 'error', file: join(dir, 'log.jsonl') }),
  });
  const { port, url, stop } = listening.value;
  return {
    ...hub,
    browsers,
    peer,
    port,
    url,
    credentials,
    calls,
    answers,
    saved,
    raw,
    serveSessions() {
      answers.set('logIn', credentials.logIn);
      answers.set('awaitLogin', ({ wait }) => credentials.awaitLogin(wait, new AbortController().signal));
      answers.set('challenge', async ({ session_id }) => ok({ challenge: credentials.challenge(session_id) }));
      answers.set('prove', async (input) => credentials.prove(input));
    },
    async logIn() {
      const made = await credentials.logIn({ token: credentials.mintLogin(), public_key: await newPublicKey() });
      if (!made.ok || 'waiting' in made.value) throw new Error('not logged in');
      return authorizationOf(made.value.proof);
    },
    readLog: () => readFile(join(dir, 'log.jsonl'), 'utf8').catch(() => ''),
    async stop() {
      await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function createHandlers(calls: HandledCall[], answers: HttpStand['answers']): Handlers {
  const rows = Object.keys(ROUTES).map((id): unknown[] => [
    id,
    async (input: object, caller: Caller) => {
      const call: HandledCall = { id: JSON.parse(JSON.stringify(id)), input, caller };
      calls.push(call);
      return answers.get(call.id)?.(input as never) ?? ok({});
    },
  ]);
  return Object.fromEntries(rows);
}

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends these bytes and reads one answer; nothing is added, nothing tidied. Status 0: the connection was closed without one. */
export function sendRaw(port: number, text: string | Buffer): Promise<RawAnswer> {
  return new Promise((done, fault) => {
    const socket: Socket = connect(port, '127.0.0.1');
    let received = '';
    const hasBody = !text.toString().startsWith('HEAD ');
    const finish = () => {
      const answer = parseAnswer(received, hasBody);
      if (answer === null) return;
      socket.destroy();
      done(answer);
    };
    socket.on('connect', () => socket.write(text));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      finish();
    });
    socket.on('close', () => done(parseAnswer(received, hasBody) ?? { status: 0, headers: new Map(), body: '' }));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') fault(error);
    });
  });
}

/** Lines of a request, with the blank one at its end. */
export function requestText(lines: readonly string[], body = ''): string {
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

function parseAnswer(text: string, hasBody: boolean): RawAnswer | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const status = Number(first.split(' ')[1]);
  const body = text.slice(end + 4);
  const length = Number(headers.get('content-length') ?? 0);
  return hasBody && body.length < length ? null : { status, headers, body };
}

export interface TestSocket {
  readonly ws: WebSocket;
  readonly frames: ServerFrame[];
  send(frame: unknown): void;
  /** The next frame of this type that was not taken yet. */
  take(type: string): Promise<ServerFrame>;
  readonly closed: Promise<{ code: number; reason: string }>;
}

/** Resolves once connected; rejects with the status of the refusal. */
export function openSocket(port: number, headers: Record<string, string>, path = '/ws/appserver'): Promise<TestSocket> {
  const options: ClientOptions = { headers, perMessageDeflate: true };
  const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
  const frames: ServerFrame[] = [];
  const waiters = new Set<() => void>();
  ws.on('message', (data) => {
    frames.push(JSON.parse(data.toString()));
    for (const wake of waiters) wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((done) => {
    ws.on('close', (code, reason) => done({ code, reason: reason.toString() }));
  });
  const taken = new Set<ServerFrame>();
  const take = (type: string) =>
    new Promise<ServerFrame>((done) => {
      const look = () => {
        const frame = frames.find((one) => one.type === type && !taken.has(one));
        if (frame === undefined) return;
        taken.add(frame);
        waiters.delete(look);
        done(frame);
      };
      waiters.add(look);
      look();
    });
  return new Promise((done, refused) => {
    ws.on('open', () => done({ ws, frames, take, closed, send: (frame) => ws.send(JSON.stringify(frame)) }));
    ws.on('unexpected-response', (_request, response) => {
      refused(new Error(`${response.statusCode}`));
      response.destroy();
    });
    ws.on('error', refused);
  });
}
