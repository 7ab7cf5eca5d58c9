/** The page's half of a session against the real edge of the server: when it signs, what it sends, and what it says when it cannot. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type HttpStand, startHttpStand } from '../../testing/http-stand.ts';
import { createSession } from './session.ts';
import type { SessionKeyStore, StoredSession } from './session-key.ts';

let stand: HttpStand;
let asked: string[];
beforeEach(async () => {
  stand = await startHttpStand();
  stand.serveSessions();
  asked = [];
});
afterEach(() => stand.stop());

/** Stands in for the IndexedDB of a browser, which tabs share. */
function createStore(): SessionKeyStore {
  let kept: StoredSession | null = null;
  return {
    tryOut: async () => {},
    read: async () => kept,
    write: async (session) => {
      kept = session;
    },
    remove: async () => {
      kept = null;
    },
  };
}

function openTab(store: SessionKeyStore, origin = stand.url, now = () => stand.clock.now()) {
  return createSession({
    origin,
    store,
    crypto: crypto.subtle,
    async fetch(url, init) {
      const answer = await fetch(`${stand.url}${String(url)}`, init);
      asked.push(`${String(url)} ${answer.status}`);
      return answer;
    },
    now,
    browser: 'Firefox/1',
    sleep: async () => {},
  });
}

const SESSION = '/api/session';
const read = (tab: ReturnType<typeof openTab>) => tab.fetch(SESSION, { method: 'GET' }).then(({ status }) => status);

test('[HT10] a login is one request, and its first proof serves requests and sockets', async () => {
  const tab = openTab(createStore());
  expect(await tab.logIn(stand.credentials.mintLogin(), () => {})).toEqual({ ok: true, value: null });
  expect(await read(tab)).toBe(200);
  const protocols = (await tab.socketProtocols(false)) ?? [];
  const ws = new WebSocket(`ws://127.0.0.1:${stand.port}/ws/appserver`, protocols);
  await new Promise((done, fail) => ws.on('open', done).on('error', fail));
  expect(ws.protocol).toBe('signalbox');
  ws.terminate();
  expect(asked).toEqual(['/api/session/login 200', '/api/session 200']);
});

test('[HT12] another tab signs once for all that it asks at first, and before its proof ends', async () => {
  const store = createStore();
  await openTab(store).logIn(stand.credentials.mintLogin(), () => {});
  asked.length = 0;
  const tab = openTab(store);
  expect(await Promise.all([read(tab), read(tab), read(tab)])).toEqual([200, 200, 200]);
  const signing = ['/api/session/challenge 200', '/api/session/proof 200'];
  expect(asked).toEqual([...signing, '/api/session 200', '/api/session 200', '/api/session 200']);
  asked.length = 0;
  stand.clock.advance(14 * 60_000);
  expect(await read(tab)).toBe(200);
  expect(asked).toEqual([...signing, '/api/session 200']);
});

test('[HT12] a proof the server no longer knows is renewed, and the request goes again, once', async () => {
  const store = createStore();
  await openTab(store).logIn(stand.credentials.mintLogin(), () => {});
  // The clock of the page stands still: it believes in its proof when the server has forgotten it, as after a restart.
  const believed = stand.clock.now();
  const slow = openTab(store, stand.url, () => believed);
  expect(await read(slow)).toBe(200);
  stand.clock.advance(15 * 60_000);
  asked.length = 0;
  expect(await read(slow)).toBe(200);
  expect(asked).toEqual([
    '/api/session 401',
    '/api/session/challenge 200',
    '/api/session/proof 200',
    '/api/session 200',
  ]);
});

test('[HT12] after a lost connection a socket never shows the old proof', async () => {
  const tab = openTab(createStore());
  await tab.logIn(stand.credentials.mintLogin(), () => {});
  const first = await tab.socketProtocols(false);
  stand.clock.advance(1_000);
  const second = await tab.socketProtocols(true);
  // Other sockets that were lost at the same moment share it.
  const third = await tab.socketProtocols(true);
  expect(second).not.toEqual(first);
  expect(third).toEqual(second);
});

test('[HT12] nobody is logged in without a key, with an ended session, or at another origin', async () => {
  expect(await read(openTab(createStore()))).toBe(401);
  expect(await openTab(createStore()).socketProtocols(false)).toBeNull();
  const store = createStore();
  const tab = openTab(store);
  await tab.logIn(stand.credentials.mintLogin(), () => {});
  await expect(read(openTab(store, `http://localhost:${stand.port}`))).rejects.toThrow('signed by the key');
  const { id = '' } = (await store.read()) ?? {};
  await stand.credentials.endSession(id);
  expect(await read(tab)).toBe(401);
  expect(await read(openTab(store))).toBe(401);
  await tab.forget();
  expect(await store.read()).toBeNull();
});

test('[HT10] a browser that cannot keep a key says so and leaves the link unused', async () => {
  const token = stand.credentials.mintLogin();
  const poor = { ...createStore(), tryOut: () => Promise.reject(new Error('InvalidStateError')) };
  expect(await openTab(poor).logIn(token)).toEqual({ ok: false, error: { kind: 'no_keys' } });
  expect(await openTab(createStore()).logIn(token)).toEqual({ ok: true, value: null });
  expect(await openTab(createStore()).logIn(token)).toMatchObject({ ok: false, error: { kind: 'refused' } });
});
