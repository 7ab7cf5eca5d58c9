/** The pure checks, one table each. What a real socket sends is in test/api. */
import { describe, expect, test } from 'vitest';
import { isJson, type Knock, parseBindHost, refuseKnock, SECURITY_HEADERS } from './guard.ts';

const PORT = 12_359;
const OWN = `127.0.0.1:${PORT}`;

function knock(headers: Record<string, string>, rest: Partial<Knock> = {}): Knock {
  const rawHeaders = Object.entries({ Host: OWN, ...headers }).flat();
  return { method: 'GET', target: '/api/session', rawHeaders, kind: 'http', ...rest };
}

function codeOf(one: Knock): string {
  return refuseKnock(one, PORT)?.code ?? 'welcome';
}

describe('Host', () => {
  test.each([`127.0.0.1:${PORT}`, `localhost:${PORT}`, `[::1]:${PORT}`])('[HT1] %s is ours', (host) => {
    expect(codeOf(knock({ Host: host }))).toBe('welcome');
  });
  test.each([
    'localhost',
    'localhost:80',
    `LOCALHOST:${PORT}`,
    `localhost.:${PORT}`,
    ` localhost:${PORT}`,
    `localhost:${PORT},evil.test`,
    `localhost:0${PORT}`,
    `127.1:${PORT}`,
    `0.0.0.0:${PORT}`,
    `[::]:${PORT}`,
    `[0:0:0:0:0:0:0:1]:${PORT}`,
    `evil.test:${PORT}`,
    '',
  ])('[HT1] %j is not', (host) => {
    expect(codeOf(knock({ Host: host }))).toBe('forbidden');
  });
  test('[HT1] there is exactly one', () => {
    expect(codeOf({ ...knock({}), rawHeaders: [] })).toBe('forbidden');
    expect(codeOf({ ...knock({}), rawHeaders: ['Host', OWN, 'host', OWN] })).toBe('forbidden');
  });
  test('[HT1] what a proxy header claims changes nothing', () => {
    expect(codeOf(knock({ Host: 'evil.test', 'X-Forwarded-Host': OWN, Forwarded: `host=${OWN}` }))).toBe('forbidden');
  });
});

describe('Origin', () => {
  test('[HT2] absent, or exactly the one of the Host', () => {
    expect(codeOf(knock({}))).toBe('welcome');
    expect(codeOf(knock({ Origin: `http://${OWN}` }))).toBe('welcome');
  });
  test.each([
    'null',
    '',
    `https://${OWN}`,
    'http://127.0.0.1',
    `http://localhost:${PORT}`,
    `http://127.0.0.1:${PORT + 1}`,
    `http://${OWN}.evil.test`,
    `http://${OWN}/`,
    `http://evil.test, http://${OWN}`,
    'http://evil.test',
    'chrome-extension://abc',
  ])('[HT2] %j is refused', (origin) => {
    expect(codeOf(knock({ Origin: origin }))).toBe('forbidden');
    expect(codeOf(knock({ Origin: origin }, { kind: 'websocket', target: '/ws/appserver' }))).toBe('forbidden');
  });
  test('[HT2] two are refused', () => {
    const twice = ['Host', OWN, 'Origin', `http://${OWN}`, 'Origin', `http://${OWN}`];
    expect(codeOf({ ...knock({}), rawHeaders: twice })).toBe('forbidden');
  });
});

describe('fetch metadata', () => {
  const led = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  test.each(['cross-site', 'same-site', 'nonsense', 'same-origin, cross-site'])('[HT3] %s is refused', (site) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect(codeOf(knock({ 'Sec-Fetch-Site': site }, { method }))).toBe('forbidden');
    }
    expect(codeOf(knock({ 'Sec-Fetch-Site': site }, { kind: 'websocket' }))).toBe('forbidden');
  });
  test.each(['same-origin', 'none'])('[HT3] %s is ours', (site) => {
    expect(codeOf(knock({ 'Sec-Fetch-Site': site }))).toBe('welcome');
  });
  test('[HT3] a link on another site may lead to a page, and to nothing else', () => {
    expect(codeOf(knock(led, { target: '/login?token=x' }))).toBe('welcome');
    expect(codeOf(knock(led, { target: '/' }))).toBe('welcome');
    expect(codeOf(knock(led, { target: '/api/session' }))).toBe('forbidden');
    expect(codeOf(knock(led, { target: '/', method: 'POST' }))).toBe('forbidden');
    expect(codeOf(knock(led, { target: '/', kind: 'websocket' }))).toBe('forbidden');
    expect(codeOf(knock({ ...led, 'Sec-Fetch-Dest': 'iframe' }, { target: '/' }))).toBe('forbidden');
  });
});

describe('paths', () => {
  test.each([
    '/',
    '/login?token=a%2Fb',
    '/codex-agent/',
    '/assets/main-B1a_2.js',
    '/api/appserver/conversations/conv_0a/queue',
    '/v1/events:batch',
  ])('[HT4] %s is spelled well', (target) => {
    expect(codeOf(knock({}, { target }))).toBe('welcome');
  });
  test.each([
    '',
    '*',
    '//',
    '//api/session',
    '/api//session',
    '/./api/session',
    '/api/../api/session',
    '/api/..',
    '/%61pi/session',
    '/api%2fsession',
    '/api/%2e%2e/session',
    '/api/session;a=b',
    '/api\\session',
    '/api/session#x',
    '/api/session?x#y',
    '/.env',
    'http://127.0.0.1:12359/api/session',
    `/${'a'.repeat(9_000)}`,
  ])('[HT4] %j is refused', (target) => {
    expect(codeOf(knock({}, { target }))).toBe('invalid_request');
  });
});

test('[HT29] headers have a limit of their own beside cookies, in number and bytes', () => {
  expect(refuseKnock(knock({ cookie: 'x'.repeat(700_000) }), PORT)).toBeNull();
  expect(codeOf(knock({ 'x-long': 'x'.repeat(17_000) }))).toBe('headers_too_large');
  const many = Array.from({ length: 201 }, () => ['x', 'y']).flat();
  expect(codeOf({ ...knock({}), rawHeaders: [...knock({}).rawHeaders, ...many] })).toBe('headers_too_large');
});

test.each([
  '0.0.0.0',
  '::',
  '0',
  '0x0',
  '0.0',
  '::0',
  '::ffff:0.0.0.0',
  '',
  '０',
  '192.168.1.10',
  '127.0.0.2',
  '127.1',
  '2130706433',
  'LOCALHOST',
  'localhost.',
  '[::1]',
  '::ffff:127.0.0.1',
  ' 127.0.0.1',
  'example.com',
  '0:0:0:0:0:0:0:1',
  '*',
])('[HT6] %j is no host to listen on', (host) => {
  const parsed = parseBindHost(host);
  expect(parsed).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
  expect(parsed.ok || parsed.error.message).toMatch(/reachable from this machine only/);
});

test('[HT6] the loopback hosts are', () => {
  expect(['127.0.0.1', 'localhost', '::1'].map(parseBindHost)).toEqual([
    { ok: true, value: '127.0.0.1' },
    { ok: true, value: '127.0.0.1' },
    { ok: true, value: '::1' },
  ]);
});

test('[HT7] no security header is a CORS header', () => {
  expect(Object.keys(SECURITY_HEADERS).filter((name) => /^access-control/i.test(name))).toEqual([]);
  expect(SECURITY_HEADERS['Content-Security-Policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  );
});

test('[HT14] JSON is said in one way', () => {
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])
    expect(isJson(type)).toBe(true);
  for (const type of [
    'text/plain',
    'text/plain; application/json',
    'application/json, text/plain',
    'application/jsonp',
    '',
  ])
    expect(isJson(type)).toBe(false);
  expect(isJson(undefined)).toBe(false);
});
