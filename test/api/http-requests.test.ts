/** Bodies, verbs, failures and files, over HTTP. */
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fail } from '../../src/contract/result.ts';
import { startListening } from '../../src/server/http/listen.ts';
import { API_TOKEN, type HttpStand, PAGE, requestText, sendRaw, startHttpStand } from '../../src/testing/http-stand.ts';

const MEBI = 1024 * 1024;
const ID = `conv_${'0'.repeat(32)}`;
/** Half of what a connection may take to send its headers, and far less than looking at a deep text badly takes; a loaded machine needs room. */
const AT_ONCE_MS = 5_000;

let stand: HttpStand;

beforeAll(async () => {
  stand = await startHttpStand();
});
afterAll(() => stand.stop());
beforeEach(() => {
  stand.calls.length = 0;
  stand.answers.clear();
});

function ask(path: string, init: RequestInit & { duplex?: 'half' } = {}): Promise<Response> {
  return fetch(`${stand.url}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { Authorization: `Bearer ${API_TOKEN}`, ...init.headers },
  });
}

function post(path: string, body: string | Uint8Array, type = 'application/json'): Promise<Response> {
  return ask(path, { method: 'POST', body, headers: { 'Content-Type': type } });
}

async function failureOf(answer: Response): Promise<unknown> {
  return { status: answer.status, ...JSON.parse(await answer.text()) };
}

describe('bodies', () => {
  test('[HT13] a body may have 1 MiB, a message 20', async () => {
    const padded = (bytes: number) => `{"cwd":"/"${' '.repeat(bytes - 11)}}`;
    expect((await post('/api/appserver/cwd', padded(MEBI))).status).toBe(200);
    expect(await failureOf(await post('/api/appserver/cwd', padded(MEBI + 1)))).toMatchObject({
      status: 413,
      code: 'too_large',
      details: { max_bytes: MEBI },
    });
    const images = [{ kind: 'url', value: `data:${'x'.repeat(8 * MEBI)}` }];
    const message = JSON.stringify({ conversation_id: ID, text: 'look', images });
    expect((await post('/api/appserver/messages', message)).status).toBe(200);
    expect(stand.calls.map(({ id }) => id)).toEqual(['setCwd', 'sendMessage']);
  });

  test('[HT13] one that does not say its length is cut off when it has had its share', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 64 * 1024;
        controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
        if (sent > 200 * MEBI) controller.close();
      },
    });
    const headers = { 'Content-Type': 'application/json' };
    const answer = ask('/api/appserver/cwd', { method: 'POST', body: endless, headers, duplex: 'half' });
    // Either the refusal arrives, or the connection is gone before it is read.
    const status = await answer.then((one) => one.status).catch(() => 413);
    expect(status).toBe(413);
    expect(sent).toBeLessThan(100 * MEBI);
    expect(stand.calls).toEqual([]);
  });

  test('[HT13] one that claims to be too long is refused unread', async () => {
    const head = [
      `POST /api/appserver/cwd HTTP/1.1`,
      `Host: 127.0.0.1:${stand.port}`,
      `Authorization: Bearer ${API_TOKEN}`,
    ];
    const lines = [...head, 'Content-Type: application/json', `Content-Length: ${2 * MEBI}`];
    const answer = await sendRaw(stand.port, requestText(lines));
    expect([answer.status, answer.headers.get('connection')]).toEqual([413, 'close']);
  });

  test.each([
    ['half an object', '{"cwd":'],
    ['nothing but a word', 'cwd'],
    ['33 levels', `{"method":"x","params":{"a":${'['.repeat(31)}${']'.repeat(31)}}}`],
    ['very deep nesting', `{"method":"x","params":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`],
    ['very deep objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['a prototype', '{"method":"x","__proto__":{"isAdmin":true}}'],
    ['a prototype further in', '{"method":"x","params":{"x":[{"__proto__":{}}]}}'],
    ['a constructor', '{"method":"x","params":{"constructor":{"prototype":{}}}}'],
    ['a list', '[]'],
    ['a string', '"cwd"'],
    ['null', 'null'],
    ['a byte that is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('[HT14] %s is refused at once', async (_name, body) => {
    const start = performance.now();
    const failure = await failureOf(await post('/api/appserver/rpc', body));
    expect(failure).toMatchObject({ status: 400, ok: false, code: 'invalid_request' });
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS);
    expect(stand.calls).toEqual([]);
  });

  test('[HT14] 32 levels are deep enough for anybody', async () => {
    const body = `{"method":"x","params":{"a":${'['.repeat(30)}${']'.repeat(30)}}}`;
    expect((await post('/api/appserver/rpc', body)).status).toBe(200);
  });

  test('[HT14] what is not called JSON is not read as JSON; no body is an empty one', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']) {
      expect((await post('/api/appserver/cwd', '{"cwd":"/"}', type)).status).toBe(415);
    }
    expect((await post('/api/appserver/cwd', '{"cwd":"/"}', 'application/json; charset=utf-8')).status).toBe(200);
    expect((await ask('/api/appserver/start', { method: 'POST' })).status).toBe(200);
    expect((await ask(`/api/appserver/conversations/${ID}/fork`, { method: 'POST' })).status).toBe(200);
    expect(stand.calls.map(({ input }) => input)).toEqual([{ cwd: '/' }, {}, { id: ID }]);
  });

  test('[HT15] the refusal names the field', async () => {
    const answers = await Promise.all([
      post('/api/appserver/cwd', '{"cwd":7}'),
      post('/api/appserver/cwd', '{}'),
      post('/api/appserver/cwd', '{"cwd":"/","cdw":"/"}'),
      ask('/api/appserver/conversations?limit=501'),
      ask('/api/appserver/conversations?limt=5'),
      ask('/api/appserver/conversations?limit=5&limit=6'),
      ask('/api/appserver/conversations/conv_1'),
    ]);
    const failures = await Promise.all(answers.map(failureOf));
    expect(failures.map((one) => JSON.stringify(one))).toEqual([
      expect.stringContaining('body: cwd: expected string, received number'),
      expect.stringContaining('body: cwd: expected string'),
      expect.stringContaining('body: there is no \\"cdw\\" here'),
      expect.stringContaining('query: limit: Too big: expected number to be <=500'),
      expect.stringContaining('query: there is no \\"limt\\" here'),
      expect.stringContaining('query: limit is given twice'),
      expect.stringContaining('path: id: expected conv_ and 32 hex digits'),
    ]);
    expect(failures).toEqual(Array(7).fill(expect.objectContaining({ status: 400, details: expect.anything() })));
    expect(stand.calls).toEqual([]);
  });

  test('[HT15] a handler gets path, query and body in one, defaults filled in', async () => {
    const review = `/api/appserver/conversations/${ID}/review`;
    await post(review, '{"target":{"type":"commit","sha":"abcd"}}');
    await ask('/api/appserver/conversations?archived=true');
    expect(stand.calls.map(({ input }) => input)).toEqual([
      { id: ID, target: { type: 'commit', sha: 'abcd', title: null } },
      { limit: 100, archived: true },
    ]);
  });
});

describe('answers', () => {
  test('[HT16] a wrong verb is told the right ones', async () => {
    const path = `/api/appserver/conversations/${ID}`;
    const answer = await ask(path, { method: 'PUT' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH, DELETE']);
    for (const [one, allow] of [
      ['/', 'GET, HEAD'],
      ['/metrics', 'GET, HEAD'],
      ['/login', 'GET, HEAD'],
      ['/api/appserver/stop', 'POST'],
    ]) {
      const refused = await ask(one ?? '', { method: 'DELETE' });
      expect([one, refused.status, refused.headers.get('allow')]).toEqual([one, 405, allow]);
    }
    expect((await ask('/api/appserver/STATUS')).status).toBe(404);
    expect((await ask('/api/appserver/status/')).status).toBe(404);
    expect((await ask('/ws/appserver')).status).toBe(404);
  });

  test('[HT16] HEAD answers like GET, without the body', async () => {
    for (const path of ['/healthz', '/', '/login', '/api/appserver/status']) {
      const answer = await ask(path, { method: 'HEAD' });
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, '']);
    }
  });

  test('[HT17] an expected failure has the status of its code', async () => {
    stand.answers.set('status', async () => fail('storage_full', 'the disk is full', { free: 0 }));
    expect(await failureOf(await ask('/api/appserver/status'))).toEqual({
      status: 507,
      ok: false,
      code: 'storage_full',
      message: 'the disk is full',
      details: { free: 0 },
    });
  });

  test('[HT17] an unexpected one has an id that the log has too, and tells no more', async () => {
    stand.answers.set('status', () => Promise.reject(new Error('the reason nobody outside must read')));
    const answer = await ask('/api/appserver/status');
    const text = await answer.text();
    const { code, details } = JSON.parse(text);
    expect([answer.status, code]).toEqual([500, 'internal']);
    expect(details.error_id).toMatch(/^[0-9a-f]{12}$/);
    expect(text).not.toMatch(/the reason|at .*:\d+/);
    const log = await stand.readLog();
    expect(log).toContain(details.error_id);
    expect(log).toContain('the reason nobody outside must read');
  });

  test('[HT19] the OpenAPI document is made for this server', async () => {
    const { openApiDocument } = await import('../../src/server/http/openapi.ts');
    expect(openApiDocument('1.2.3')).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
  });

  test('[HT24] metrics are text for who may read', async () => {
    const answer = await ask('/metrics');
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([
      'text/plain; version=0.0.4; charset=utf-8',
      'signalbox_clients 0\n',
    ]);
  });
});

describe('files', () => {
  test('[HT18] the page and what it loads, each at its one path', async () => {
    for (const path of ['/', '/codex-agent/']) {
      const answer = await ask(path);
      expect(await answer.text()).toBe(PAGE);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    const hashed = await ask('/assets/main-B1a_2cD3.js');
    expect(hashed.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    expect(hashed.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const icon = await ask('/icon.svg');
    expect([icon.headers.get('content-type'), icon.headers.get('cache-control')]).toEqual([
      'image/svg+xml',
      'no-store',
    ]);
  });

  test.each(['/codex-agent', '/fws'])('[HT45] %s leads to the page, also without a credential', async (path) => {
    const answer = await fetch(`${stand.url}${path}?x=1`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${stand.url}${path}/?x=1`]);
    expect((await fetch(`${stand.url}${path}`, { method: 'POST' })).status).toBe(401);
  });

  test.each(['/index.html', '/assets', '/assets/', '/secret.txt', '/ICON.SVG', '/assets/main-B1a_2cD3.js/'])(
    '[HT18] %s is not one of them',
    async (path) => {
      expect((await ask(path)).status).toBe(404);
    },
  );

  test.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
  ])('[HT18] %s leads nowhere', async (target) => {
    const lines = [`GET ${target} HTTP/1.1`, `Host: 127.0.0.1:${stand.port}`, `Authorization: Bearer ${API_TOKEN}`];
    const answer = await sendRaw(stand.port, requestText(lines));
    expect(answer.status).toBe(400);
    expect(answer.body).not.toContain('outside');
  });
});

describe('the listener', () => {
  test('[HT25] a port that is taken, or a host that is not loopback, is said so', async () => {
    const options = { webRoot: '/nonexistent', clock: stand.clock };
    const start = (host: string, port: number) => startListening({ ...options, host, port });
    expect(await start('127.0.0.1', stand.port)).toMatchObject({
      ok: false,
      error: { code: 'conflict', details: { port: stand.port } },
    });
    expect(await start('0.0.0.0', 0)).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
  });

  test('[HT25] two hundred connections that say nothing do not keep others waiting', async () => {
    const idle = await Promise.all(
      Array.from({ length: 200 }, () => {
        const socket = connect(stand.port, '127.0.0.1');
        socket.on('error', () => {});
        return new Promise<typeof socket>((done) => socket.on('connect', () => done(socket)));
      }),
    );
    for (const socket of idle) socket.write('GET /healthz HTTP/1.1\r\nHost:');
    const start = performance.now();
    expect((await ask('/healthz')).status).toBe(200);
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS);
    for (const socket of idle) socket.destroy();
  });

  test('[HT30] a thousand connections of strangers keep nobody out, and a known one stays', async () => {
    const other = await startHttpStand();
    const credential = `Authorization: Bearer ${API_TOKEN}`;
    const request = (...lines: readonly string[]) =>
      requestText(['GET /healthz HTTP/1.1', `Host: 127.0.0.1:${other.port}`, ...lines]);
    const known = await hold(other.port, request(credential));
    // `/healthz` answers everybody and keeps the connection; 401 does not.
    const strangers: Held[] = [];
    for (let n = 0; n < 25; n += 1) {
      strangers.push(...(await Promise.all(Array.from({ length: 44 }, () => hold(other.port, request())))));
    }
    expect(strangers.filter(({ socket }) => !socket.destroyed).length).toBeLessThan(1_000);
    const started = performance.now();
    expect((await sendRaw(other.port, request(credential, 'Connection: close'))).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(AT_ONCE_MS);
    expect(await known.askAgain(request(credential))).toContain('200 OK');
    const refused = await hold(other.port, request().replace('/healthz', '/metrics'));
    await refused.closed;
    for (const { socket } of [known, ...strangers]) socket.destroy();
    await other.stop();
  });

  test('[HT40] a thousand connections of one program keep nobody out: one of them is closed, and none of a browser', async () => {
    const other = await startHttpStand();
    const request = (credential: string) =>
      requestText(['GET /healthz HTTP/1.1', `Host: 127.0.0.1:${other.port}`, `Authorization: ${credential}`]);
    const session = await other.logIn();
    const page = await hold(other.port, request(session));
    const held: Held[] = [];
    for (let n = 0; n < 25; n += 1) {
      const token = request(`Bearer ${API_TOKEN}`);
      held.push(...(await Promise.all(Array.from({ length: 44 }, () => hold(other.port, token)))));
    }
    expect(held.filter(({ socket }) => !socket.destroyed).length).toBeLessThan(1_000);
    expect(await (await hold(other.port, request(session))).askAgain(request(session))).toContain('200 OK');
    expect(await page.askAgain(request(session))).toContain('200 OK');
    for (const { socket } of [page, ...held]) socket.destroy();
    await other.stop();
  });

  test('[HT25] stopping ends idle connections and frees the port', async () => {
    const other = await startHttpStand();
    const idle = connect(other.port, '127.0.0.1');
    idle.on('error', () => {});
    const ended = new Promise((done) => idle.on('close', done));
    await fetch(`${other.url}/healthz`);
    const stopped = other.stop();
    // The grace begins when the requests under way are all that is left.
    await expect.poll(() => other.clock.waiting()).toBeGreaterThan(0);
    other.clock.advance(1_000);
    await stopped;
    await ended;
    const next = createServer();
    await new Promise<void>((done) => next.listen(other.port, '127.0.0.1', done));
    next.close();
  });
});

interface Held {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  askAgain(text: string): Promise<string>;
}

/** A connection that has had its answer and stays, if the server lets it. */
async function hold(port: number, text: string): Promise<Held> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const closed = new Promise<void>((done) => socket.once('close', () => done()));
  const askAgain = (words: string): Promise<string> => {
    const answered = new Promise<string>((done) => socket.once('data', (chunk) => done(chunk.toString())));
    socket.write(words);
    return Promise.race([answered, closed.then(() => 'closed')]);
  };
  await askAgain(text);
  return { socket, closed, askAgain };
}
