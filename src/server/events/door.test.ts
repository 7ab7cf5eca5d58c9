/** Who an HTTP request says it is, as far as that decides about the trust in its event. */
import { expect, test } from 'vitest';
import { type EventAck, ExternalEventsConfig, type Trust } from '../../contract/external-event.ts';
import { systemClock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { createDoor } from './door.ts';
import { type Principal, trustOf } from './principal.ts';

const taken: Trust[] = [];
const ACK: EventAck = { ok: true, event_id: 'e', delivered: { thread_id: 't', mode: 'queue_for_next_turn' } };
const take = async (_event: unknown, principal: Principal): Promise<EventAck> => {
  taken.push(trustOf(principal));
  return ACK;
};

const door = createDoor({
  events: {
    publish: take,
    publishText: take,
    desks: { threadOfToken: (token) => (token === 'right' ? 't' : null) },
  },
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
