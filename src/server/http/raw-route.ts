/** Routes that know credentials and content types of their own: they get the headers and the text of a request, and answer with a status. */
import type { Context } from 'hono';
import { type Failure, httpStatusOf, type Result } from '../../contract/result.ts';
import type { RouteDef } from '../../contract/route.ts';
import { agentAt, callerAt } from '../../core/access/agent-rights.ts';
import { refuseCall } from '../../core/access/refuse-call.ts';
import type { Caller } from '../caller.ts';
import type { Credentials } from './credentials.ts';
import { MAX_BODY_BYTES, readBody } from './json-body.ts';
import type { Env, PeerLookup } from './peer-lookup.ts';

/** What a producer of events shows; its handler knows whose it is. */
const EVENT_TOKEN = /^Bearer codex_evt_tok_/i;
/** Where webhooks carry what proves them; whether it does is their handler's to find out. */
const SIGNATURES = [
  'x-hub-signature-256',
  'x-gitlab-token',
  'x-buildkite-signature',
  'x-buildkite-token',
  'webhook-signature',
];
/** What flows after a burst is counted per second. */
const RETRY_SECONDS = '1';

export async function answerRaw(
  c: Context<Env>,
  route: RouteDef,
  handle: (request: object, caller: Caller, signal: AbortSignal) => Promise<Result<unknown>>,
  { credentials, peers }: { readonly credentials: Credentials; readonly peers: PeerLookup },
): Promise<Response | Failure> {
  const headers = Object.fromEntries(c.req.raw.headers);
  const { authorization } = headers;
  const shown = credentials.authenticate({ authorization });
  const known = shown?.kind === 'token' ? callerAt(shown, await peers.ofSocket(c.env.incoming.socket)) : shown;
  const isSigned = route.scope === 'public' && SIGNATURES.some((name) => headers[name] !== undefined);
  const isEventToken = EVENT_TOKEN.test(authorization ?? '');
  const isOpen = isSigned || isEventToken;
  if (known === null && !isOpen) return route.scope === 'public' ? NO_SIGNATURE : NO_CREDENTIAL;
  // A signed webhook and an event token prove themselves; a token of ours needs the scope.
  const unscoped = known === null ? null : refuseCall(known, route.scope, route.agents);
  if (unscoped !== null) return unscoped;
  const maxBytes = route.maxBodyBytes ?? MAX_BODY_BYTES;
  const body = await readBody(c.req.raw.body, { declaredBytes: headers['content-length'], maxBytes });
  if (!body.ok) return body.error;
  const caller: Caller = known ?? { kind: 'anonymous' };
  const peer = known === null && isEventToken ? await peers.ofSocket(c.env.incoming.socket) : null;
  const agent = peer === null ? undefined : agentAt(peer);
  const answer = await handle({ params: c.req.param(), headers, body: body.value, agent }, caller, c.req.raw.signal);
  if (!answer.ok) return answer.error;
  const { status, body: said } = statusAndBody(answer.value);
  return new Response(JSON.stringify(said), {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ...(status === httpStatusOf('unauthorized') && { 'WWW-Authenticate': 'Bearer realm="signalbox"' }),
      ...(status === httpStatusOf('rate_limited') && { 'Retry-After': RETRY_SECONDS }),
    },
  });
}

function statusAndBody(value: unknown): { readonly status: number; readonly body: unknown } {
  const isWhole = typeof value === 'object' && value !== null && 'status' in value && 'body' in value;
  return isWhole && typeof value.status === 'number'
    ? { status: value.status, body: value.body }
    : { status: 200, body: value };
}

const NO_SIGNATURE: Failure = {
  code: 'unauthorized',
  message: 'a webhook is taken with its signature: give its sender a secret, and [[external_events.sources]] the same',
};
const NO_CREDENTIAL: Failure = {
  code: 'unauthorized',
  message: 'send the token of external_events.json, or the API token of run/server.json, as a Bearer token',
};
