/**
 * A local server of the Responses API (`POST /v1/responses`, streamed) whose answers come from a function: the stage on
 * which the demo model and the scripted model of the tests play. Drives the real Codex. Loopback only.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseDirective } from './directive.ts';
import { createGates, type Gates } from './gates.ts';
import { type HttpAnswer, isJsonObject, isString, type JsonObject, type ModelEvent } from './model-event.ts';
import { lastUserText } from './model-request.ts';
import { readBody } from './read-body.ts';
import { performStream } from './stream-answer.ts';

export interface ModelRequest {
  /** 0 for the first request that this server received. */
  readonly n: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
  readonly rawBody: string;
}

type ModelEvents = Iterable<ModelEvent> | AsyncIterable<ModelEvent>;
type Respond = (request: ModelRequest, signal: AbortSignal) => Response | Promise<Response>;
type Response = ModelEvents | HttpAnswer;

export interface ResponsesServerOptions {
  readonly respond: Respond;
  readonly port?: number;
  readonly host?: '127.0.0.1' | '::1' | 'localhost';
  /** Required as `Authorization: Bearer …` when given. */
  readonly bearer?: string;
  /** Obey `<<model […]>>` in the user's message. For tests. */
  readonly directives?: boolean;
  readonly gates?: Gates;
  /** Sees every request, also one that a directive answers. */
  readonly observe?: (request: ModelRequest) => void;
}

export interface ResponsesServer {
  /** Base URL for Codex's `base_url`, ending in `/v1`. */
  readonly url: string;
  readonly port: number;
  /** Cuts the streams that run and frees the port. */
  close(): Promise<void>;
}

/** Turns whose position in a directive is remembered; the oldest is forgotten first. */
const MAX_DIRECTED_TURNS = 1000;

export async function startResponsesServer(options: ResponsesServerOptions): Promise<ResponsesServer> {
  const { host = '127.0.0.1', port = 0, gates = createGates() } = options;
  const respond = options.directives === true ? withDirectives(options.respond) : options.respond;
  // Ids must stay unique in a conversation that outlives this server.
  const instance = randomBytes(4).toString('hex');
  let received = 0;

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    const { signal } = gone;
    response.once('close', () => gone.abort());
    const refusal = refuse(request, options.bearer);
    const [path] = (request.url ?? '/').split('?');
    if (refusal !== undefined) return sendJson(response, refusal);
    if (request.method === 'GET' && path === '/v1/models') {
      return sendJson(response, { status: 200, body: { object: 'list', data: [], models: [] } });
    }
    if (request.method !== 'POST' || path !== '/v1/responses') {
      return sendJson(response, errorAnswer(404, `no route ${request.method} ${path}`));
    }
    const read = await readBody(request);
    if (!read.ok) return sendJson(response, errorAnswer(read.status, read.reason));

    const modelRequest = { n: received++, headers: request.headers, body: read.body, rawBody: read.text };
    const answered = await Promise.resolve(modelRequest)
      .then((asked) => {
        options.observe?.(asked);
        return respond(asked, signal);
      })
      .catch((error: unknown) => errorAnswer(500, error instanceof Error ? error.message : String(error)));
    if ('status' in answered) return sendJson(response, answered);
    const seed = `${instance}${modelRequest.n}`;
    await performStream({ response, events: answered, signal, gates, seed, inputChars: read.text.length });
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const bound = boundPort(server.address());
  return {
    url: `http://${host === '::1' ? '[::1]' : host}:${bound}/v1`,
    port: bound,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function boundPort(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the model server is not bound to a port');
  return address.port;
}

/** Browsers have no business here; any page they show could otherwise reach a loopback port. */
function refuse(request: IncomingMessage, bearer: string | undefined): HttpAnswer | undefined {
  if (request.headers.origin !== undefined) return errorAnswer(403, 'not for browsers');
  if (bearer === undefined || isSame(request.headers.authorization ?? '', `Bearer ${bearer}`)) return undefined;
  return errorAnswer(401, 'a bearer token is required');
}

/** Compares hashes, which are of one length, so that the time taken tells nothing. */
function isSame(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}

function errorAnswer(status: number, message: string): HttpAnswer {
  return { status, body: { error: { message, type: 'local_model_error', code: null } } };
}

function sendJson(response: ServerResponse, answer: HttpAnswer): void {
  const { status, headers } = answer;
  const body = answer.body ?? { error: { message: `status ${status}`, type: 'local_model_error', code: null } };
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(isString(body) ? body : JSON.stringify(body));
}

function withDirectives(respond: Respond): Respond {
  const answered = new Map<string, number>();
  return (request, signal) => {
    const text = lastUserText(request.body);
    const answers = parseDirective(text);
    if (answers === undefined) return respond(request, signal);
    const key = `${turnKey(request)}|${text}`;
    const index = answered.get(key) ?? 0;
    answered.set(key, index + 1);
    for (const oldest of answered.keys()) {
      if (answered.size <= MAX_DIRECTED_TURNS) break;
      answered.delete(oldest);
    }
    const answer = answers[index];
    if (answer === undefined) return respond(request, signal);
    return 'status' in answer ? answer : answer.events;
  };
}

/** The turn as Codex names it, so that a retry counts as the next request and the same text sent again as a new turn. */
function turnKey(request: ModelRequest): string {
  try {
    const metadata: unknown = JSON.parse(String(request.headers['x-codex-turn-metadata']));
    if (isJsonObject(metadata) && isString(metadata.turn_id)) return metadata.turn_id;
  } catch {
    // Another client than Codex: all its requests with the same text are one turn.
  }
  return '';
}
