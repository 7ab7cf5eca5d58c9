/** Which server gets the token, and what its answers become. */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTimeOf } from '../node/process-identity.ts';
import { connect } from './client.ts';
import { findServer } from './find-server.ts';

interface Heard {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly body: string;
}

let home = '';
let server: Server;
let url = '';
let heard: Heard[] = [];
let answer: { readonly status: number; readonly body: string } = { status: 200, body: '{}' };

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-find-'));
  mkdirSync(join(home, 'run'));
  heard = [];
  server = createServer(async (request, response) => {
    heard.push({ ...pick(request), body: await textOf(request) });
    response.writeHead(answer.status, { location: 'http://127.0.0.1:9/' }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(home, { recursive: true, force: true });
});

const pick = ({ method, url, headers }: IncomingMessage) => ({ method, url, token: headers.authorization });
async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const recordPath = () => join(home, 'run', 'server.json');
function writeRecord(change: Record<string, unknown> = {}): void {
  const record = {
    pid: process.pid,
    start_time: startTimeOf(process.pid),
    url,
    api_token: 'secret',
    started_at: '2026-01-01T00:00:00.000Z',
    version: '0.1.0',
    ...change,
  };
  writeFileSync(recordPath(), JSON.stringify(record), { mode: 0o600 });
}
function client() {
  const found = connect(home);
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

test('[CL10] the process that wrote the record is believed', () => {
  writeRecord();
  expect(findServer(home)).toMatchObject({ ok: true, value: { pid: process.pid, url } });
});

describe('[CL11] there is no server', () => {
  test.each([
    ['when its process is another one now', { start_time: '1' }],
    ['when its process has gone', { pid: 2 ** 22 }],
    ['when it cannot be told from another', { start_time: null }],
  ])('%s', (_name, change) => {
    writeRecord(change);
    expect(findServer(home)).toMatchObject({ ok: false, error: { code: 'not_running' } });
  });
  test('when there is no record, or half of one', () => {
    expect(findServer(home)).toMatchObject({ ok: false, error: { code: 'not_running' } });
    writeFileSync(recordPath(), '{"pid":', { mode: 0o600 });
    expect(findServer(home)).toMatchObject({ ok: false, error: { code: 'not_running' } });
  });
});

describe('[CL10] the token stays here', () => {
  test('when others may change the record', () => {
    writeRecord();
    chmodSync(recordPath(), 0o622);
    expect(findServer(home)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  });
  test('when the record is a link', () => {
    writeRecord();
    renameSync(recordPath(), join(home, 'elsewhere.json'));
    symlinkSync(join(home, 'elsewhere.json'), recordPath());
    expect(findServer(home)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  });
  test.each(['http://192.0.2.1:1', 'https://127.0.0.1:1', 'http://127.0.0.1.evil.test', 'file:///x', 'nonsense'])(
    'when the server would be %s',
    (elsewhere) => {
      writeRecord({ url: elsewhere });
      expect(findServer(home)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    },
  );
  test('when the server leads elsewhere', async () => {
    writeRecord();
    answer = { status: 307, body: '' };
    expect(await client().call('status', {})).toMatchObject({ ok: false, error: { code: 'internal' } });
  });
});

describe('[CL6] calls follow the table of routes', () => {
  test('path, query and body each get their part', async () => {
    writeRecord();
    answer = { status: 200, body: '{"ok":true}' };
    const id = `conv_${'a'.repeat(32)}`;
    await client().callRaw('transcriptRange', { conversation_id: id, before: 7, limit: 5 });
    await client().callRaw('markRead', { id, seq: 3 });
    await client().callRaw('readQueue', { id });
    expect(heard).toEqual([
      {
        method: 'GET',
        url: `/api/appserver/transcript/range?conversation_id=${id}&before=7&limit=5`,
        token: 'Bearer secret',
        body: '',
      },
      { method: 'POST', url: `/api/appserver/conversations/${id}/read`, token: 'Bearer secret', body: '{"seq":3}' },
      { method: 'GET', url: `/api/appserver/conversations/${id}/queue`, token: 'Bearer secret', body: '' },
    ]);
  });
  test('an answer of another shape is a failure, not a crash', async () => {
    writeRecord();
    for (const body of ['{"ok":1}', 'not json', '']) {
      answer = { status: 200, body };
      expect(await client().call('health', {})).toMatchObject({ ok: false, error: { code: 'internal' } });
    }
  });
  test('a refusal keeps its code, message and details', async () => {
    writeRecord();
    answer = { status: 409, body: '{"ok":false,"code":"stale","message":"old","details":{"revision":2}}' };
    expect(await client().call('status', {})).toEqual({
      ok: false,
      error: { code: 'stale', message: 'old', details: { revision: 2 } },
    });
    answer = { status: 401, body: '<html>' };
    expect(await client().call('status', {})).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
    answer = { status: 500, body: '{"code":"made_up"}' };
    expect(await client().call('status', {})).toMatchObject({ ok: false, error: { code: 'internal' } });
  });
  test('a server that has gone is not running', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const address = gone.address();
    await new Promise((resolve) => gone.close(resolve));
    writeRecord({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` });
    expect(await client().call('status', {})).toMatchObject({ ok: false, error: { code: 'not_running' } });
  });
});
