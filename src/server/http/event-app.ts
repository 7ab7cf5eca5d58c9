/** What the listener for events answers: the two routes that take events, with their own credentials, and nothing else. */
import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Failure, Result } from '../../contract/result.ts';
import { ROUTES } from '../../contract/routes.ts';
import type { Caller } from '../caller.ts';
import type { AppOptions } from './app.ts';
import { type Env, holderOf } from './peer-lookup.ts';
import { answerRaw } from './raw-route.ts';
import { renderRefusal } from './refusal.ts';
import type { Handlers } from './services.ts';

const TAKEN = ['publishEvent', 'publishEvents'] as const;

export interface EventAppOptions extends Pick<AppOptions, 'credentials' | 'peers' | 'markKnown'> {
  readonly handlers: Pick<Handlers, (typeof TAKEN)[number]>;
}

const EVENTS_ONLY: Failure = {
  code: 'not_found',
  message: 'this address takes events only: POST /v1/events or /v1/events:batch',
};

/** A handler with its own input type forgotten, as in `app.ts`. */
interface ErasedHandler {
  handle(input: object, caller: Caller, signal: AbortSignal): Promise<Result<unknown>>;
}

export function createEventApp(options: EventAppOptions): RequestListener {
  const app = new Hono<Env>();
  for (const id of TAKEN) {
    const route = ROUTES[id];
    const erased: Readonly<Record<string, ErasedHandler['handle']>> = options.handlers;
    const handle = erased[id];
    if (handle === undefined) throw new Error(`route ${id} has no handler`);
    app.on(route.method, route.path, async (c) => {
      const answer = await answerRaw(c, route, handle, options);
      if (!(answer instanceof Response)) return refused(answer);
      options.markKnown(c.env.incoming.socket, await holderOf(c, options.peers));
      return answer;
    });
  }
  app.all('*', () => refused(EVENTS_ONLY));
  return getRequestListener((request, env) => app.fetch(request, env), { overrideGlobalObjects: false });
}

function refused(failure: Failure): Response {
  const { status, headers, body } = renderRefusal(failure);
  return new Response(body, { status, headers });
}
