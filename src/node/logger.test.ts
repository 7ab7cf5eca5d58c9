/** What the logger never writes. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from './logger.ts';

let dir = '';
let file = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sb-logger-'));
  file = join(dir, 'server.log');
});
afterEach(() => rmSync(dir, { recursive: true }));

const readLines = (): unknown[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('secrets are removed at any depth and spelling; look-alikes stay', () => {
  const log = createLogger({ level: 'info', file });
  log.info(
    {
      token: 'S1',
      Authorization: 'Bearer S2',
      request: { headers: { 'Set-Cookie': ['S3'], cookie: 'S4', accept: 'text/html' } },
      list: [{ api_token: 'S5' }, { deep: { deeper: { clientSecret: 'S6', password: { nested: 'S7' } } } }],
      login_url: 'http://127.0.0.1/?t=S8',
      usage: { max_tokens: 12, tokens: 3 },
      body: Buffer.from('S9'),
    },
    'hello',
  );
  const [line] = readLines();
  expect(JSON.stringify(line)).not.toMatch(/S\d/);
  expect(line).toMatchObject({
    level: 'info',
    msg: 'hello',
    token: '[redacted]',
    request: { headers: { accept: 'text/html', cookie: '[redacted]' } },
    usage: { max_tokens: 12, tokens: 3 },
    body: '[2 bytes]',
  });
});

test('child bindings, errors and formatted objects are covered too', () => {
  const log = createLogger({ level: 'debug', file });
  const child = log.child({ token: 'S1', client: { api_token: 'S2', name: 'cli' } });
  child.child({ secret: 'S3' }).debug('bound');
  child.error(Object.assign(new Error('broke'), { code: 'EIO', config: { authorization: 'S4' } }));
  log.warn({ reason: Object.assign(new Error('inner'), { password: 'S5' }) });
  log.info('%o', { token: 'S6', shown: 1 });
  expect(readFileSync(file, 'utf8')).not.toMatch(/S\d/);
  expect(readLines()).toMatchObject([
    { msg: 'bound', token: '[redacted]', client: { name: 'cli' }, secret: '[redacted]' },
    { msg: 'broke', err: { code: 'EIO', message: 'broke', stack: expect.stringContaining('logger.test') } },
    { reason: { message: 'inner' } },
    { msg: expect.stringContaining('shown') },
  ]);
});

test('cycles and deep values end, and the level is kept', () => {
  const log = createLogger({ level: 'warn', file });
  const cycle: Record<string, unknown> = { a: 1 };
  cycle.self = cycle;
  log.info('not shown');
  log.warn(cycle, 'shown');
  expect(readLines()).toMatchObject([{ msg: 'shown', self: { a: 1 } }]);
});

test('[ST3] the file is private whatever the umask', () => {
  const umask = process.umask(0);
  createLogger({ level: 'info', file }).info('x');
  process.umask(umask);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.skipIf(process.platform !== 'linux')('[ST1] a full disk loses log lines, not the server', () => {
  const log = createLogger({ level: 'info', file: '/dev/full' });
  const mode = statSync('/dev/full').mode;
  for (let i = 0; i < 100; i += 1) log.info({ i }, 'lost');
  expect(statSync('/dev/full').mode).toBe(mode);
});
