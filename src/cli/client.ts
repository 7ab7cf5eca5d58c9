/** The REST table as functions: what goes in and what comes out is checked against the same schemas the server uses. */

import { ERROR_CODES, type ErrorCode, type Failure, fail, ok, type Result } from '../contract/result.ts';
import type { RouteDef } from '../contract/route.ts';
import { ROUTES, type RouteCall, type RouteId, type RouteOutput } from '../contract/routes.ts';
import type { Schema } from '../contract/schema.ts';
import { isRecord } from '../core/text/is-record.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { errorCode } from '../node/atomic-file.ts';
import { type FoundServer, findServer } from './find-server.ts';

export interface Client {
  readonly server: FoundServer;
  call<Id extends RouteId>(id: Id, input: RouteCall<Id>): Promise<Result<RouteOutput<Id>>>;
  /** The answer as it came, for transcripts: an entry this version does not know must not cost the whole page. */
  callRaw<Id extends RouteId>(id: Id, input: RouteCall<Id>): Promise<Result<unknown>>;
}

/** Longer than anything the server itself waits for: starting a turn may take Codex a minute. */
const TIMEOUT_MS = 120_000;
/** Reading changes nothing and waits for a list of Codex at most; a server that takes longer is stopped itself, or hangs. */
const READ_TIMEOUT_MS = 30_000;

export function connect(home: string): Result<Client> {
  const server = findServer(home);
  return server.ok ? ok(createClient(server.value)) : server;
}

const OUTPUTS: { readonly [Id in RouteId]: { readonly output: Schema<RouteOutput<Id>> } } = ROUTES;

function createClient(server: FoundServer): Client {
  const callRaw = (id: RouteId, input: object): Promise<Result<unknown>> => request(server, ROUTES[id], input);
  return {
    server,
    callRaw: (id, input) => callRaw(id, { ...input }),
    async call(id, input) {
      const answer = await callRaw(id, { ...input });
      if (!answer.ok) return answer;
      const checked = OUTPUTS[id].output.safeParse(answer.value);
      if (checked.success) return ok(checked.data);
      return fail('internal', `the server's answer to ${id} was not understood: is it another version?`, {
        version: server.version,
      });
    },
  };
}

async function request(server: FoundServer, route: RouteDef, input: object): Promise<Result<unknown>> {
  const { path, body } = split(route, input);
  try {
    const response = await fetch(new URL(path, server.url), {
      method: route.method,
      // A server of ours never redirects a call, and the token goes nowhere else.
      redirect: 'error',
      signal: AbortSignal.timeout(route.method === 'GET' ? READ_TIMEOUT_MS : TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${server.api_token}`,
        accept: 'application/json',
        ...(body !== null && { 'content-type': 'application/json' }),
      },
      ...(body !== null && { body }),
    });
    const answer = parseJson(await response.text());
    return response.ok ? ok(answer) : { ok: false, error: readFailure(response.status, answer) };
  } catch (error) {
    return networkFailure(error, server.pid);
  }
}

/** One flat input → path parameters, query and body, by the names each schema has. */
function split(route: RouteDef, input: object): { readonly path: string; readonly body: string | null } {
  const given = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  let path = route.path;
  for (const name of Object.keys(route.params?.shape ?? {})) {
    path = path.replace(`{${name}}`, encodeURIComponent(String(given.get(name))));
    given.delete(name);
  }
  const query = new URLSearchParams();
  for (const name of Object.keys(route.query?.shape ?? {})) {
    if (given.has(name)) query.set(name, String(given.get(name)));
    given.delete(name);
  }
  const body = route.body === undefined ? null : JSON.stringify(Object.fromEntries(given));
  return { path: query.size === 0 ? path : `${path}?${query}`, body };
}

/** What a refused request answered, also when it is not the body we know. */
export function readFailure(status: number, body: unknown): Failure {
  const known = isRecord(body) ? body : {};
  const code = isErrorCode(known.code) ? known.code : codeOfStatus(status);
  const message = typeof known.message === 'string' ? known.message : `the server said ${status}`;
  const details = isRecord(known.details) ? known.details : undefined;
  return details === undefined ? { code, message } : { code, message, details };
}

export function networkFailure(error: unknown, pid?: number): Result<never> {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (error instanceof Error && error.name === 'TimeoutError')
    return fail('no_answer', describeSilentServer(pid), { cause: 'timeout' });
  const code = errorCode(cause);
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code))
    return fail('not_running', 'the server has gone: start it again with `signalbox serve`', { cause: code });
  return fail(
    'internal',
    `the server could not be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      cause: code,
    },
  );
}

function describeSilentServer(pid: number | undefined): string {
  if (pid === undefined) return 'The server did not answer in time.';
  return (
    `The server (process ${pid}) did not answer in time. If it was stopped, let it go on with \`kill -CONT ${pid}\`; ` +
    'else end it with `signalbox stop` and start it again.'
  );
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_CODES, code);
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  return status === 429 ? 'rate_limited' : 'internal';
}
