/**
 * Every HTTP answer: the table of routes and the built page. Closed unless a row says public; the page's files hold no secret and are open.
 * `listen.ts` has checked Host, Origin and path before anything here runs, and has put the security headers on the answer.
 */
import type { RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { ConversationId } from '../../contract/ids.ts';
import type { Failure, Result } from '../../contract/result.ts';
import type { RouteDef } from '../../contract/route.ts';
import { ROUTES } from '../../contract/routes.ts';
import { OTHER_PATHS } from '../../contract/sockets.ts';
import { refuseForeign } from '../../core/access/agent-rights.ts';
import type { Peer } from '../../core/access/classify-peer.ts';
import type { Holder } from '../../core/access/full-house.ts';
import { refuseCall } from '../../core/access/refuse-call.ts';
import { proofIn } from '../../core/access/session-proof.ts';
import type { Logger } from '../../node/logger.ts';
import type { Caller } from '../caller.ts';
import { storageFault } from '../storage-failure.ts';
import type { Credentials } from './credentials.ts';
import { decodeInput } from './decode-input.ts';
import { isJson, isReading, NOT_JSON } from './guard.ts';
import { decodeJson, MAX_BODY_BYTES, readBody } from './json-body.ts';
import { type Env, holderOf, type PeerLookup, recognize } from './peer-lookup.ts';
import { answerRaw } from './raw-route.ts';
import { renderRefusal } from './refusal.ts';
import type { Handlers } from './services.ts';
import { PAGE_PATHS, SLASHLESS_PATHS, type StaticFiles } from './static-files.ts';

export interface AppOptions {
  /** The one address of the page, as browsers write it. */
  readonly origin: string;
  readonly handlers: Handlers;
  readonly credentials: Credentials;
  /** Why this caller may not use a route with this input; null when it may. Asked after the scope. */
  readonly refuseInput: (caller: Caller, route: string, input: object) => Failure | null;
  readonly files: StaticFiles;
  /** `/mcp`, which has credentials of its own. */
  readonly mcp: { answer(request: Request, peer: () => Promise<Peer>): Promise<Response | Failure> };
  readonly peers: PeerLookup;
  /** The conversation that has this id or this thread. */
  readonly conversationOf: (name: string) => ConversationId | null;
  /** The conversation an id stands for, which may be the owner of its thread. */
  readonly resolveId: (id: ConversationId) => ConversationId;
  /** Prometheus text. */
  readonly metrics: () => string;
  readonly newErrorId: () => string;
  /** Keeps the connection of a known caller from being closed to make room. */
  readonly markKnown: (socket: Duplex, holder: Holder) => void;
  readonly log: Logger;
}

type Ask = Context<Env>;

/**
 * A handler with its own input type forgotten. Written as a method so that the compiler lets the typed ones in: what a handler is
 * called with has just been made by the schemas its type comes from.
 */
interface ErasedHandler {
  handle(input: object, caller: Caller, signal: AbortSignal): Promise<Result<unknown>>;
}

const METRICS_PATH = OTHER_PATHS.metrics.path;
const MCP_PATH = OTHER_PATHS.mcp.path;

export function createApp(options: AppOptions): RequestListener {
  const { handlers, log } = options;
  const app = new Hono<Env>();
  app.onError((error, c) => {
    const fault = storageFault(error);
    if (fault !== null) {
      log.warn({ error, method: c.req.method, path: c.req.path }, 'the disk did not take what a request writes');
      return refuse(fault);
    }
    const errorId = options.newErrorId();
    log.error({ error, error_id: errorId, method: c.req.method, path: c.req.path }, 'a request failed');
    const message = `something went wrong in the server; its log says what, under ${errorId}`;
    return refuse({ code: 'internal', message, details: { error_id: errorId } });
  });
  app.all(MCP_PATH, async (c) => {
    const answer = await options.mcp.answer(c.req.raw, () => options.peers.ofSocket(c.env.incoming.socket));
    if ('code' in answer) return refuse(answer);
    options.markKnown(c.env.incoming.socket, await holderOf(c, options.peers));
    return answer;
  });
  const erased: Readonly<Record<string, ErasedHandler['handle']>> = handlers;
  // Before the gate, which knows only our own credentials.
  for (const [id, route] of Object.entries<RouteDef>(ROUTES)) {
    const handle = erased[id];
    if (route.intake !== 'raw' || handle === undefined) continue;
    app.on(route.method, honoPath(route), async (c) => {
      const answer = await answerRaw(c, route, handle, options);
      if (!(answer instanceof Response)) return refuse(answer);
      options.markKnown(c.env.incoming.socket, await holderOf(c, options.peers));
      return answer;
    });
  }
  for (const path of SLASHLESS_PATHS)
    app.get(path, (c) => c.redirect(`${options.origin}${path}/${new URL(c.req.url).search}`, 303));
  app.use(createGate(options));

  const methods = new Map<string, string[]>();
  const note = (path: string, method: string) => {
    const names = method === 'GET' ? ['GET', 'HEAD'] : [method];
    methods.set(path, [...(methods.get(path) ?? []), ...names]);
  };
  for (const [id, route] of Object.entries<RouteDef>(ROUTES)) {
    const handle = erased[id];
    if (handle === undefined) throw new Error(`route ${id} has no handler`);
    const path = honoPath(route);
    note(path, route.method);
    if (route.intake === 'raw') continue;
    app.on(route.method, path, async (c) => {
      const answer = await callRoute(c, route, handle, {
        ...options,
        refuseInput: (caller, input) => options.refuseInput(caller, id, input),
      });
      if (!answer.ok) return refuse(answer.error);
      return new Response(JSON.stringify(answer.value), {
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
      });
    });
  }
  app.get(METRICS_PATH, (c) => {
    const refusal = refuseCall(c.get('caller'), OTHER_PATHS.metrics.scope);
    if (refusal !== null) return refuse(refusal);
    return c.body(options.metrics(), 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
  note(METRICS_PATH, 'GET');
  for (const [path, allowed] of methods) app.all(path, () => refuseMethod(allowed));
  app.all('*', (c) => serveFile(c, options));
  return getRequestListener((request, env) => app.fetch(request, env), { overrideGlobalObjects: false });
}

const honoPath = (route: RouteDef): string => route.path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Nobody gets past this without a credential, whatever the path: not even to learn which paths there are. */
function createGate({ credentials, files, peers, markKnown }: AppOptions) {
  const open = new Set<string>();
  for (const { scope, method, path } of Object.values<RouteDef>(ROUTES)) {
    if (scope === 'public') open.add(`${method} ${path}`);
  }
  return async (c: Ask, next: () => Promise<void>): Promise<Response | undefined> => {
    const { path } = c.req;
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
    const shown = { authorization: c.req.header('authorization') };
    const caller = credentials.authenticate(shown);
    const isOpen = open.has(`${method} ${path}`) || (method === 'GET' && files.find(path) !== undefined);
    if (caller === null && !isOpen) return refuse(proofIn(shown) === null ? NO_CREDENTIAL : PROOF_ENDED);
    c.set('caller', await recognize(caller, c.env.incoming.socket, { peers, markKnown }));
    await next();
    return undefined;
  };
}

const NO_CREDENTIAL: Failure = {
  code: 'unauthorized',
  message: 'log in with the link `signalbox open` prints, or send the API token of run/server.json as a Bearer token',
};

const PROOF_ENDED: Failure = {
  code: 'proof_expired',
  message: 'the proof of this session has ended, or the server was restarted: sign a new challenge',
};

async function callRoute(
  c: Ask,
  route: RouteDef,
  handle: ErasedHandler['handle'],
  {
    conversationOf,
    resolveId,
    refuseInput,
  }: Pick<AppOptions, 'conversationOf' | 'resolveId'> & {
    readonly refuseInput: (caller: Caller, input: object) => Failure | null;
  },
): Promise<Result<unknown>> {
  const caller = c.get('caller');
  const refusal = refuseCall(caller, route.scope, route.agents);
  if (refusal !== null) return { ok: false, error: refusal };
  const body = isReading(c.req.method) ? ({ ok: true, value: undefined } as const) : await takeBody(c, route);
  if (!body.ok) return body;
  const query = new URL(c.req.url).searchParams;
  const input = decodeInput(route, { params: c.req.param(), query, body: body.value });
  if (!input.ok) return input;
  if (caller.kind === 'agent') {
    const foreign = refuseForeign(caller, route.agents, namedIn(input.value).map(conversationOf));
    if (foreign !== null) return { ok: false, error: foreign };
  }
  const elsewhere = refuseInput(caller, input.value);
  if (elsewhere !== null) return { ok: false, error: elsewhere };
  return handle(withOwners(input.value, resolveId), caller, c.req.raw.signal);
}

/** The id a conversation would have as the import of a thread stands for the conversation that owns the thread. */
function withOwners(input: object, resolveId: AppOptions['resolveId']): object {
  const named = new Map(Object.entries(input));
  const owners = ['id', 'conversation_id'].flatMap((name) => {
    const id = ConversationId.safeParse(named.get(name));
    const owner = id.success ? resolveId(id.data) : undefined;
    return owner === undefined || owner === named.get(name) ? [] : [[name, owner] as const];
  });
  return owners.length === 0 ? input : { ...input, ...Object.fromEntries(owners) };
}

/** The conversations and threads that an input names, by the names all routes use. */
function namedIn(input: object): readonly string[] {
  const named = new Map(Object.entries(input));
  return ['id', 'conversation_id', 'thread_id'].flatMap((name) => {
    const value: unknown = named.get(name);
    return typeof value === 'string' ? [value] : [];
  });
}

async function takeBody(c: Ask, route: RouteDef): Promise<Result<unknown>> {
  const contentType = c.req.header('content-type');
  if (contentType !== undefined && !isJson(contentType)) return { ok: false, error: NOT_JSON };
  const maxBytes = route.maxBodyBytes ?? MAX_BODY_BYTES;
  const text = await readBody(c.req.raw.body, { declaredBytes: c.req.header('content-length'), maxBytes });
  if (!text.ok) return text;
  if (text.value === '') return { ok: true, value: undefined };
  return contentType === undefined ? { ok: false, error: NOT_JSON } : decodeJson(text.value);
}

async function serveFile(c: Ask, { files, origin }: AppOptions): Promise<Response> {
  const file = files.find(c.req.path);
  if (file === undefined) return refuse({ code: 'not_found', message: 'there is nothing at this path' });
  if (!isReading(c.req.method)) return refuseMethod(['GET', 'HEAD']);
  const { host, pathname, search } = new URL(c.req.url);
  // The key of a session belongs to one origin. `localhost` is no safe one: it may be another program's ::1.
  if (PAGE_PATHS.includes(c.req.path) && host !== new URL(origin).host)
    return c.redirect(`${origin}${pathname}${search}`, 303);
  const content = await file.read();
  return new Response(content, { headers: { 'Content-Type': file.type, 'Cache-Control': file.cacheControl } });
}

function refuseMethod(allowed: readonly string[]): Response {
  const message = `this path knows ${allowed.join(', ')}`;
  return refuse({ code: 'method_not_allowed', message }, { Allow: allowed.join(', ') });
}

function refuse(failure: Failure, more: Readonly<Record<string, string>> = {}): Response {
  const { status, headers, body } = renderRefusal(failure);
  return new Response(body, { status, headers: { ...headers, ...more } });
}
