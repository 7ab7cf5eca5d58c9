/** Who an HTTP request says it is, as far as that decides about the trust in its event. */
import { expect, test } from 'vitest';
import { AdapterEntry } from '../../contract/adapter.ts';
import { type EventAck, ExternalEventsConfig, type Trust } from '../../contract/external-event.ts';
import { systemClock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { createDoor } from './door.ts';
import { type Principal, trustOf } from './principal.ts';

const ENTRY = AdapterEntry.parse({ type: 'redis', stream: 's', threads: ['ci'], url_env: 'REDIS_URL', source: 'farm' });
const taken: Trust[] = [];
const seen: unknown[] = [];
const ACK: EventAck = { ok: true, event_id: 'e', delivered: { thread_id: 't', mode: 'queue_for_next_turn' } };
const take = async (event: unknown, principal: Principal): Promise<EventAck> => {
  seen.push(event);
  taken.push(trustOf(principal));
  return ACK;
};

const door = createDoor({
  events: {
    publish: take,
    publishText: take,
    desks: { threadOfToken: (token) => (token === 'right' ? 't' : null) },
  },
  adapters: { find: (token) => (token === 'adapter' ? { name: 'redis', entry: ENTRY } : null) },
  findAddress: (label) => (label === 'ci' ? 'thr_1' : null),
  config: ExternalEventsConfig.parse({}),
  env: {},
  clock: systemClock,
  log: createLogger({ level: 'fatal' }),
});

async function send(origin: string | null, caller: Parameters<typeof door.publish>[1] = null, token = 'right') {
  taken.length = 0;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const named = origin === null ? headers : { ...headers, 'x-signalbox-origin': origin };
  const { status } = await door.publish({ params: {}, headers: named, body: '{}' }, caller);
  return { status, trust: taken[0] };
}

test('[EV65] an adapter with a token says that its events come from a queue', async () => {
  const authenticated = { authenticated: true, treat_as_instruction: false };
  expect((await send(null)).trust).toMatchObject({ origin: 'local', provenance: 'token', ...authenticated });
  expect((await send('queue')).trust).toEqual({ origin: 'queue', provenance: 'token', ...authenticated });
  const byApi = await send('queue', { kind: 'api_token' });
  expect(byApi.trust).toEqual({ origin: 'queue', provenance: 'api_token', ...authenticated });
});

test('[EV65] nobody else says where events come from, and no other word is taken', async () => {
  expect((await send('queue', { kind: 'session' })).trust).toMatchObject({ origin: 'local' });
  expect((await send('queue', { kind: 'agent', conversationId: null })).trust).toMatchObject({ origin: 'local' });
  expect(await send('network')).toEqual({ status: 400, trust: undefined });
  expect(await send('queue', null, 'wrong')).toEqual({ status: 401, trust: undefined });
});

test('[AD2][AD3] the token of a queue adapter is for its threads, with its source and the trust of its broker', async () => {
  const sendAs = async (agent: object | undefined, events: unknown, broker = 'user') => {
    seen.length = 0;
    taken.length = 0;
    const headers = { authorization: 'Bearer adapter', 'x-signalbox-broker': broker };
    const request = { params: {}, headers, body: JSON.stringify(events) };
    return door.publishBatch(agent === undefined ? request : { ...request, agent: { conversationId: null } }, null);
  };
  const event = { routing: { thread_id: 'ci' }, source: { name: 'liar' }, title: 'x' };
  const answer = await sendAs(undefined, [event, { ...event, routing: { thread_id: 'other' } }]);
  expect(answer.body).toMatchObject({ ok: false, results: [{ ok: true }, { ok: false, code: 'unknown_thread' }] });
  expect(seen).toEqual([{ ...event, routing: { thread_id: 'thr_1' }, source: { name: 'farm' } }]);
  expect(taken).toEqual([{ origin: 'queue', authenticated: true, provenance: 'user', treat_as_instruction: false }]);
  await sendAs(undefined, [event], 'nkey');
  expect(taken).toMatchObject([{ origin: 'queue', authenticated: false, provenance: 'none' }]);
  expect((await sendAs({}, [event])).status).toBe(403);
  expect((await sendAs(undefined, event)).status).toBe(400);
  expect(seen).toEqual([]);
});

test('[AD2] the token of a queue adapter takes batches only, and opens no other way in', async () => {
  const request = {
    params: {},
    headers: { authorization: 'Bearer adapter', 'content-type': 'application/json' },
    body: '{}',
  };
  expect((await door.publish(request, null)).status).toBe(401);
});
