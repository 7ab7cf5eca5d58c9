/** Login links, sessions and what they leave behind, over HTTP. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { API_TOKEN, type HttpStand, startHttpStand } from '../../src/testing/http-stand.ts';

let stand: HttpStand;
beforeEach(async () => {
  stand = await startHttpStand();
});
afterEach(() => stand.stop());

function follow(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${stand.url}${path}`, { redirect: 'manual', ...init });
}

test('[HT10] a link logs in once: a strict cookie, and on to a clean address', async () => {
  const token = stand.credentials.mintLogin();
  const first = await follow(`/login?token=${token}`);
  expect([first.status, first.headers.get('location')]).toEqual([303, '/']);
  const cookie = first.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(
    new RegExp(`^signalbox_${stand.port}=[A-Za-z0-9_-]{43}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict$`),
  );
  const page = await follow('/', { headers: { Cookie: cookie.split(';')[0] ?? '' } });
  expect(page.status).toBe(200);

  const second = await follow(`/login?token=${token}`);
  expect([second.status, second.headers.get('set-cookie')]).toEqual([401, null]);
  expect(await second.text()).toContain('signalbox open');
  expect(stand.saved.text).not.toContain(token);
  expect(stand.saved.text).not.toContain(cookie.split(/[=;]/)[1]);
});

test('[HT10] two browsers that open the same link at once: one gets in', async () => {
  const token = stand.credentials.mintLogin();
  const answers = await Promise.all(Array.from({ length: 3 }, () => follow(`/login?token=${token}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401]);
});

test('[HT10] a link is good for ten minutes', async () => {
  const [early, late] = [stand.credentials.mintLogin(), stand.credentials.mintLogin()];
  stand.clock.advance(10 * 60_000 - 1);
  expect((await follow(`/login?token=${early}`)).status).toBe(303);
  stand.clock.advance(1);
  expect((await follow(`/login?token=${late}`)).status).toBe(401);
});

test('[HT10] looking at a link with HEAD does not use it up', async () => {
  const token = stand.credentials.mintLogin();
  const look = await follow(`/login?token=${token}`, { method: 'HEAD' });
  expect([look.status, look.headers.get('set-cookie')]).toEqual([200, null]);
  expect((await follow(`/login?token=${token}`)).status).toBe(303);
});

test('[HT10] without a token the page says how to get one, and sends on who is logged in', async () => {
  const page = await follow('/login');
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
  const html = await page.text();
  expect(html).toContain('<code>signalbox open</code>');
  expect(html).not.toMatch(/<script|\sstyle=|\son\w+=/);
  const again = await follow('/login', { headers: { Cookie: await stand.logIn() } });
  expect([again.status, again.headers.get('location')]).toEqual([303, '/']);
});

test('[HT11] of twenty wrong links seventeen are too many, and the right one still works', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 20; n += 1) statuses.push((await follow(`/login?token=wrong${n}`)).status);
  expect(statuses).toEqual([401, 401, 401, ...Array(17).fill(429)]);
  expect((await follow(`/login?token=${stand.credentials.mintLogin()}`)).status).toBe(303);
  stand.clock.advance(30_000);
  expect((await follow('/login?token=wrong')).status).toBe(401);
  expect((await follow('/login?token=wrong')).status).toBe(429);
});

test('[HT12] logging out clears the cookie; an ended session is nobody', async () => {
  const Cookie = await stand.logIn();
  const marked = { Cookie, 'X-Signalbox': '1', 'Content-Type': 'application/json' };
  const out = await follow('/api/logout', { method: 'POST', headers: marked });
  expect([out.status, out.headers.get('set-cookie')]).toEqual([
    200,
    `signalbox_${stand.port}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`,
  ]);
  const [call] = stand.calls;
  if (call?.caller.kind !== 'session') throw new Error('a session was expected');
  await stand.credentials.endSession(call.caller.id);
  expect((await follow('/api/session', { headers: { Cookie } })).status).toBe(401);
});

test('[HT12] a cookie of our name from somebody else does not get in the way', async () => {
  const Cookie = `other=1; signalbox_${stand.port}=forged; ${await stand.logIn()}`;
  expect((await follow('/api/session', { headers: { Cookie } })).status).toBe(200);
});

test('[HT18] the page: to the login for a person, 401 for a program', async () => {
  const person = { Accept: 'text/html,application/xhtml+xml' };
  for (const path of ['/', '/codex-agent/']) {
    const answer = await follow(path, { headers: person });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login']);
    expect((await follow(path)).status).toBe(401);
  }
  expect((await follow('/assets/index.js', { headers: person })).status).toBe(401);
  expect((await follow('/', { method: 'POST', headers: person })).status).toBe(401);
});

test('[HT9] handlers hear who asks', async () => {
  await follow('/api/session', { headers: { Authorization: `Bearer ${API_TOKEN}` } });
  await follow('/api/session', { headers: { Cookie: await stand.logIn() } });
  await follow('/healthz');
  expect(stand.calls.map(({ caller }) => caller.kind)).toEqual(['token', 'session', 'anonymous']);
});
