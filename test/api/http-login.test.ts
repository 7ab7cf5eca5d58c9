/** Login links, sessions and what they leave behind, over HTTP. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { API_TOKEN, type HttpStand, PAGE, requestText, sendRaw, startHttpStand } from '../../src/testing/http-stand.ts';
import { newPublicKey } from '../../src/testing/session-client.ts';

let stand: HttpStand;
beforeEach(async () => {
  stand = await startHttpStand();
  stand.serveSessions();
});
afterEach(() => stand.stop());

function follow(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${stand.url}${path}`, { redirect: 'manual', ...init });
}

async function redeem(token: string): Promise<Response> {
  const body = JSON.stringify({ token, public_key: await newPublicKey() });
  return follow('/api/session/login', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
}

test('[HT10] a link logs in once, sets no cookie, and leaves neither token nor proof on disk', async () => {
  const token = stand.credentials.mintLogin();
  const first = await redeem(token);
  expect([first.status, first.headers.get('set-cookie')]).toEqual([200, null]);
  const { proof } = JSON.parse(await first.text());
  expect((await follow('/api/session', { headers: { Authorization: `Proof ${proof}` } })).status).toBe(200);
  const second = await redeem(token);
  expect([second.status, await second.json()]).toMatchObject([401, { code: 'unauthorized' }]);
  expect(stand.saved.text).not.toContain(token);
  expect(stand.saved.text).not.toContain(proof);
});

test('[HT10] two browsers that open the same link at once: one gets in', async () => {
  const token = stand.credentials.mintLogin();
  const answers = await Promise.all(Array.from({ length: 3 }, () => redeem(token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
});

test('[HT10] a link is good for ten minutes', async () => {
  const [early, late] = [stand.credentials.mintLogin(), stand.credentials.mintLogin()];
  stand.clock.advance(10 * 60_000 - 1);
  expect((await redeem(early)).status).toBe(200);
  stand.clock.advance(1);
  expect((await redeem(late)).status).toBe(401);
});

test('[HT10] looking at a link does not use it up', async () => {
  const token = stand.credentials.mintLogin();
  for (const method of ['HEAD', 'GET', 'GET']) {
    const look = await follow(`/login?token=${token}`, { method });
    expect([look.status, await look.text()]).toEqual([200, method === 'GET' ? PAGE : '']);
  }
  expect((await redeem(token)).status).toBe(200);
});

test('[HT11] of twenty wrong links seventeen are too many, and the right one still works', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 20; n += 1) statuses.push((await redeem(`wrong${n}`)).status);
  expect(statuses).toEqual([401, 401, 401, ...Array(17).fill(429)]);
  expect((await redeem(stand.credentials.mintLogin())).status).toBe(200);
  stand.clock.advance(30_000);
  expect((await redeem('wrong')).status).toBe(401);
  expect((await redeem('wrong')).status).toBe(429);
});

test('[HT12] an ended session is nobody; a proof that ended is told apart, so that the page signs again', async () => {
  const Authorization = await stand.logIn();
  const ask = async () => {
    const answer = await follow('/api/session', { headers: { Authorization } });
    return [answer.status, JSON.parse(await answer.text()).code];
  };
  expect((await ask())[0]).toBe(200);
  stand.clock.advance(15 * 60_000);
  expect(await ask()).toEqual([401, 'proof_expired']);
  expect((await follow('/api/session')).headers.get('connection')).toBe('close');
});

test('[HT10] at another name of this machine a person is led to the one address a session has', async () => {
  const { port } = stand;
  for (const name of ['localhost', '[::1]']) {
    const target = '/login?token=abc';
    const lines = [`GET ${target} HTTP/1.1`, `Host: ${name}:${port}`, 'Connection: close'];
    const answer = await sendRaw(port, requestText(lines));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `http://127.0.0.1:${port}${target}`]);
  }
});

test('[HT18] the page and what it loads are open to everybody; nothing else is', async () => {
  for (const path of ['/', '/login', '/codex-agent/', '/assets/main-B1a_2cD3.js']) {
    expect([path, (await follow(path)).status]).toEqual([path, 200]);
    expect([path, (await follow(path, { method: 'POST' })).status]).toEqual([path, 401]);
  }
  expect((await follow('/assets/index.js')).status).toBe(401);
});

test('[HT9] handlers hear who asks', async () => {
  await follow('/api/session', { headers: { Authorization: `Bearer ${API_TOKEN}` } });
  await follow('/api/session', { headers: { Authorization: await stand.logIn() } });
  await follow('/healthz');
  expect(stand.calls.map(({ caller }) => caller.kind)).toEqual(['token', 'session', 'anonymous']);
});
