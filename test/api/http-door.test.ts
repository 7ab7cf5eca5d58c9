/** What gets past the door: Host, Origin, credentials and spelling of every route, over real sockets. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RouteDef } from '../../src/contract/route.ts';
import { ROUTES } from '../../src/contract/routes.ts';
import { socketProtocolsOf } from '../../src/core/access/session-proof.ts';
import { SECURITY_HEADERS } from '../../src/server/http/guard.ts';
import {
  API_TOKEN,
  type HttpStand,
  openSocket,
  type RawAnswer,
  requestText,
  sendRaw,
  startHttpStand,
} from '../../src/testing/http-stand.ts';

let stand: HttpStand;
/** The Authorization header of a browser session. */
let session = '';

beforeAll(async () => {
  stand = await startHttpStand();
  session = `Authorization: ${await stand.logIn()}`;
});
afterAll(() => stand.stop());
beforeEach(() => {
  stand.calls.length = 0;
});

const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const CREDENTIAL = `Authorization: Bearer ${API_TOKEN}`;

function ask(method: string, target: string, lines: readonly string[] = [], body = ''): Promise<RawAnswer> {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${method} ${target} HTTP/1.1`, `Host: 127.0.0.1:${stand.port}`, 'Connection: close'];
  return sendRaw(stand.port, requestText([...head, ...lines, ...length], body));
}

function askAt(host: string, target: string): Promise<RawAnswer> {
  return sendRaw(stand.port, requestText([`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close']));
}

function routes(): RouteDef[] {
  return Object.values<RouteDef>(ROUTES);
}

function filled(path: string): string {
  return path.replace('{approval_id}', `apr_${'0'.repeat(32)}`).replace(/\{\w+\}/g, `conv_${'0'.repeat(32)}`);
}

describe('Host', () => {
  const table: readonly (readonly [name: string, lines: (port: number) => readonly string[]])[] = [
    ['another name', (port) => [`Host: evil.test:${port}`]],
    ['a name that begins like ours', (port) => [`Host: localhost.evil.com:${port}`]],
    ['a name that means 127.0.0.1', (port) => [`Host: 127.0.0.1.nip.io:${port}`]],
    ['a trailing dot', (port) => [`Host: localhost.:${port}`]],
    ['a user before the name', (port) => [`Host: localhost@evil.com:${port}`]],
    ['a backslash', (port) => [`Host: localhost\\@evil.com:${port}`]],
    ['another port', (port) => [`Host: 127.0.0.1:${port + 1}`]],
    ['no port', () => ['Host: 127.0.0.1']],
    ['nothing in it', () => ['Host:']],
    ['no header', () => []],
    ['ours twice', (port) => [`Host: 127.0.0.1:${port}`, `Host: 127.0.0.1:${port}`]],
    ['ours, then another', (port) => [`Host: 127.0.0.1:${port}`, 'Host: evil.test']],
    ['another, then ours', (port) => ['Host: evil.test', `Host: 127.0.0.1:${port}`]],
    ['upper case', (port) => [`Host: LOCALHOST:${port}`]],
    ['two in one', (port) => [`Host: 127.0.0.1:${port}, evil.test`]],
    ['IPv6 in another spelling', (port) => [`Host: [0:0:0:0:0:0:0:1]:${port}`]],
    ['the wildcard address', (port) => [`Host: 0.0.0.0:${port}`]],
  ];

  test.each(table)('[HT1] %s: refused before any handler, HTTP and WebSocket alike', async (_name, lines) => {
    const host = lines(stand.port);
    const http = await sendRaw(stand.port, requestText(['GET /healthz HTTP/1.1', ...host, CREDENTIAL]));
    expect(http.status).toBe(403);
    expect(JSON.parse(http.body)).toMatchObject({ ok: false, code: 'forbidden' });
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    const ws = await sendRaw(
      stand.port,
      requestText(['GET /ws/appserver HTTP/1.1', ...host, CREDENTIAL, ...upgrade, key]),
    );
    expect(ws.status).toBe(403);
    expect(stand.calls).toEqual([]);
  });

  test.each(['127.0.0.1', 'localhost', '[::1]'])('[HT1] %s with our port is let in', async (name) => {
    const answer = await sendRaw(
      stand.port,
      requestText(['GET /healthz HTTP/1.1', `Host: ${name}:${stand.port}`, 'Connection: close']),
    );
    expect(answer.status).toBe(200);
  });

  test('[HT1] a second Host is seen behind thousands of other headers', async () => {
    const many = Array<string>(2_500).fill('X: y');
    const lines = ['GET /healthz HTTP/1.1', `Host: 127.0.0.1:${stand.port}`, ...many, 'Host: evil.test'];
    expect((await sendRaw(stand.port, requestText(lines))).status).toBe(431);
  });

  test('[HT29] every cookie a browser keeps for a host is let in, and read by nobody', async () => {
    const cookies = Array.from({ length: 180 }, (_, n) => `c${n}=${'x'.repeat(4_090)}`).join('; ');
    expect((await ask('GET', '/healthz', [`Cookie: ${cookies}`])).status).toBe(200);
    expect((await ask('GET', '/api/session', [`Cookie: ${cookies}`, session])).status).toBe(200);
    stand.calls.length = 0;
  });

  test('[HT1] an absolute target does not stand in for the header', async () => {
    const target = `http://127.0.0.1:${stand.port}/healthz`;
    const lines = [`GET ${target} HTTP/1.1`, `Host: evil.test:${stand.port}`];
    expect((await sendRaw(stand.port, requestText(lines))).status).toBe(403);
    expect((await ask('GET', target)).status).toBe(400);
  });
});

describe('Origin', () => {
  const foreign = (port: number) => [
    'null',
    'http://evil.test',
    `http://127.0.0.1:${port + 1}`,
    `http://localhost:${port}`,
    `https://127.0.0.1:${port}`,
    `https://localhost:${port}.evil.com`,
    `http://127.0.0.1:${port}.evil.com`,
    'file://',
  ];

  test('[HT2] another origin gets nothing, with the proof and all headers of a page', async () => {
    for (const origin of foreign(stand.port)) {
      const page = [`Origin: ${origin}`, session, 'Content-Type: application/json'];
      const answer = await ask('POST', '/api/appserver/stop', page, '{}');
      expect([origin, answer.status]).toEqual([origin, 403]);
      expect((await ask('GET', '/api/session', page)).status).toBe(403);
    }
    expect(stand.calls).toEqual([]);
  });

  test('[HT20] a page of another origin gets no WebSocket', async () => {
    const proof = session.split(' ').at(-1) ?? '';
    const shown = { 'Sec-WebSocket-Protocol': socketProtocolsOf(proof).join(', ') };
    for (const Origin of foreign(stand.port)) {
      await expect(openSocket(stand.port, { ...shown, Origin })).rejects.toThrow('403');
    }
    const Origin = `http://127.0.0.1:${stand.port}`;
    await expect(openSocket(stand.port, { ...shown, Origin, 'Sec-Fetch-Site': 'cross-site' })).rejects.toThrow('403');
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    const lines = [...upgrade, key, `Origin: ${Origin}`, `Sec-WebSocket-Protocol: ${shown['Sec-WebSocket-Protocol']}`];
    const head = ['GET /ws/appserver HTTP/1.1', `Host: 127.0.0.1:${stand.port}`];
    const answer = await sendRaw(stand.port, requestText([...head, ...lines]));
    // The answer names the protocol that was chosen, never the proof.
    expect([answer.status, answer.headers.get('sec-websocket-protocol')]).toEqual([101, 'signalbox']);
  });

  test('[HT5] a cookie is no credential, whatever it holds; a proof is one', async () => {
    const proof = session.split(' ').at(-1) ?? '';
    const json = 'Content-Type: application/json';
    for (const value of [proof, API_TOKEN, `Proof ${proof}`]) {
      for (const name of ['signalbox', `signalbox_${stand.port}`, 'authorization']) {
        const lines = [`Cookie: ${name}=${value}`, 'X-Signalbox: 1', json];
        expect((await ask('POST', '/api/appserver/stop', lines, '{}')).status).toBe(401);
        expect((await ask('GET', '/api/session', lines)).status).toBe(401);
      }
    }
    expect(stand.calls).toEqual([]);
    expect((await ask('POST', '/api/appserver/stop', [session, json], '{}')).status).toBe(200);
    expect(stand.calls).toMatchObject([{ id: 'stop', caller: { kind: 'session' } }]);
    const type = 'Content-Type: text/plain';
    expect((await ask('POST', '/api/appserver/stop', [session, type], '{}')).status).toBe(415);
  });
});

describe('without a credential', () => {
  const PAGE_FILES = ['/', '/login', '/codex-agent/', '/icon.svg', '/assets/main-B1a_2cD3.js'];
  const OTHERS = [...PAGE_FILES, '/metrics', '/index.html', '/ws/appserver', '/nothing'];
  const SPELLINGS: readonly ((path: string) => string)[] = [
    (path) => path,
    (path) => `/${path}`,
    (path) => `/.${path}`,
    (path) => `/x/..${path}`,
    (path) => path.replace('/', '/%2e/'),
    (path) => path.replaceAll('/', '%2F'),
    (path) => `/x%2f..${path}`,
    (path) => path.toUpperCase(),
    (path) => `${path}/`,
    (path) => `${path};a=b`,
    (path) => `${path}?x=/healthz`,
    (path) => `${path}%00`,
    (path) => `/healthz/..${path}`,
    (path) => `/login/../${path}`,
  ];
  const PUBLIC = new Set(['/healthz', ...PAGE_FILES].flatMap((path) => [path, `${path}?x=/healthz`]));
  /** Two spellings of a page's path are another page's path. */
  const READABLE = new Set([...PUBLIC, '/codex-agent/?x=/healthz']);
  /** Where a browser without a session begins; a request without a body is refused by the schema. */
  const LOGIN = /^\/api\/session\/(?:login|challenge|proof)(?:\?|$)/;

  test('[HT8] no route answers, whatever the verb and the spelling', async () => {
    const paths = [...new Set([...routes().map(({ path }) => filled(path)), ...OTHERS])];
    const open: string[] = [];
    const statuses = new Set<number>();
    for (const path of paths) {
      const asked = SPELLINGS.flatMap((spell) => VERBS.map((verb) => ({ verb, target: spell(path) })));
      const answers = await Promise.all(asked.map(async (one) => ({ ...one, ...(await ask(one.verb, one.target)) })));
      for (const { verb, target, status } of answers) {
        statuses.add(status);
        const isPublic = READABLE.has(target) && (verb === 'GET' || verb === 'HEAD');
        const isLogin = LOGIN.test(target) && verb === 'POST' && status === 400;
        if (!isPublic && !isLogin && ![400, 401].includes(status)) open.push(`${verb} ${target}: ${status}`);
      }
    }
    expect(open).toEqual([]);
    expect(stand.calls.filter(({ id }) => id !== 'health')).toEqual([]);
    expect([...statuses].sort()).toEqual([200, 400, 401]);
    expect(paths.length).toBeGreaterThan(40);
  });

  test('[HT8] a wrong credential is none', async () => {
    for (const line of [
      'Authorization: Bearer wrong',
      'Authorization: Bearer',
      `Authorization: Basic ${API_TOKEN}`,
      `Authorization: Bearer ${API_TOKEN}x`,
      `Authorization: ${API_TOKEN}`,
      `${session}x`,
      session.replace('Proof', 'Bearer'),
      `Authorization: Proof ${API_TOKEN}`,
    ]) {
      expect([line, (await ask('GET', '/api/session', [line])).status]).toEqual([line, 401]);
    }
    const both = ['Authorization: Bearer wrong', session];
    expect((await ask('GET', '/api/session', both)).status).toBe(401);
  });

  test('[HT8] what there is and what there is not look the same', async () => {
    const there = await ask('GET', '/api/appserver/status');
    const nowhere = await ask('GET', '/api/appserver/nothing');
    const wrongVerb = await ask('DELETE', '/api/appserver/status');
    expect([there.status, nowhere.status, wrongVerb.status]).toEqual([401, 401, 401]);
    expect(there.body).toBe(nowhere.body);
    expect(wrongVerb.headers.has('allow')).toBe(false);
  });

  test('[HT20] no WebSocket opens', async () => {
    for (const path of ['/ws/appserver', '/ws/appserver?mode=raw', '/', '/ws/other']) {
      await expect(openSocket(stand.port, {}, path)).rejects.toThrow('401');
    }
    const authorized = { Authorization: `Bearer ${API_TOKEN}` };
    await expect(openSocket(stand.port, authorized, '/ws/other')).rejects.toThrow('404');
    await expect(openSocket(stand.port, authorized, '/ws/appserver?mode=other')).rejects.toThrow('400');
    await expect(openSocket(stand.port, authorized, '//ws/appserver')).rejects.toThrow('400');
  });
});

test('[HT9] the API token may not do what only a person may', async () => {
  const owned = Object.entries<RouteDef>(ROUTES).filter(([, { scope }]) => scope === 'owner');
  expect(owned.length).toBeGreaterThan(3);
  for (const [id, { method, path }] of owned) {
    const answer = await ask(method, filled(path), [CREDENTIAL, 'Content-Type: application/json'], '{}');
    expect([id, answer.status]).toEqual([id, 403]);
  }
  expect(stand.calls).toEqual([]);
});

describe('headers', () => {
  const kinds: readonly (readonly [string, number, () => Promise<RawAnswer>])[] = [
    ['an answer', 200, () => ask('GET', '/api/session', [CREDENTIAL])],
    ['a public one', 200, () => ask('GET', '/healthz')],
    ['HEAD', 200, () => ask('HEAD', '/healthz')],
    ['the page', 200, () => ask('GET', '/')],
    ['a login link', 200, () => ask('GET', '/login?token=x')],
    ['metrics', 200, () => ask('GET', '/metrics', [CREDENTIAL])],
    ['a redirect', 303, () => askAt(`localhost:${stand.port}`, '/')],
    ['nobody', 401, () => ask('GET', '/api/session')],
    ['a preflight', 401, () => ask('OPTIONS', '/api/session', ['Access-Control-Request-Method: POST'])],
    ['a wrong Host', 403, () => sendRaw(stand.port, requestText(['GET / HTTP/1.1', 'Host: evil.test']))],
    ['a wrong Origin', 403, () => ask('GET', '/api/session', [CREDENTIAL, 'Origin: https://evil.test'])],
    ['a wrong path', 400, () => ask('GET', '//', [CREDENTIAL])],
    ['nothing there', 404, () => ask('GET', '/nothing', [CREDENTIAL])],
    ['a wrong verb', 405, () => ask('DELETE', '/api/session', [CREDENTIAL])],
    ['a wrong body', 400, () => ask('POST', '/api/appserver/cwd', [CREDENTIAL, 'Content-Type: application/json'], '{')],
    ['a wrong type', 415, () => ask('POST', '/api/appserver/cwd', [CREDENTIAL, 'Content-Type: text/plain'], '{}')],
    ['headers too long', 431, () => ask('GET', '/healthz', [`X-Long: ${'x'.repeat(17_000)}`])],
    ['cookies too long', 431, () => ask('GET', '/healthz', [`Cookie: ${'x'.repeat(800_000)}`])],
    ['too many headers', 431, () => ask('GET', '/healthz', Array<string>(201).fill('X: y'))],
    ['no HTTP at all', 400, () => sendRaw(stand.port, 'hello there\r\n\r\n')],
    ['an expectation', 401, () => ask('GET', '/api/session', ['Expect: something'])],
    ['a refused upgrade', 401, () => ask('GET', '/ws/appserver', ['Connection: Upgrade', 'Upgrade: websocket'])],
    [
      'a bad handshake',
      400,
      () => ask('GET', '/ws/appserver', [CREDENTIAL, 'Connection: Upgrade', 'Upgrade: websocket']),
    ],
  ];

  test.each(kinds)('[HT7] %s (%d) carries the security headers and no CORS header', async (_name, status, send) => {
    const answer = await send();
    expect(answer.status).toBe(status);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      expect([name, answer.headers.get(name.toLowerCase())]).toEqual([name, value]);
    }
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('[HT7] a failure inside carries them too', async () => {
    stand.answers.set('status', () => Promise.reject(new Error('a bug')));
    const answer = await ask('GET', '/api/appserver/status', [CREDENTIAL]);
    expect(answer.status).toBe(500);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      expect(answer.headers.get(name.toLowerCase())).toBe(value);
    }
  });
});
