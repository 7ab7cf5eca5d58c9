/** Credentials with a clock that stands still and a file in memory. */
import { describe, expect, test } from 'vitest';
import { TOKEN_SCOPES } from '../../contract/access.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createAttemptLimit } from '../attempt-limit.ts';
import { type Credentials, createCredentials, renderSessionCookie } from './credentials.ts';

const PORT = 12_359;
const API = { kind: 'token', id: 'server', scopes: TOKEN_SCOPES } as const;
const DAY_MS = 24 * 3_600_000;

function createStand(saved: string | null = null, save?: (text: string) => Promise<void>) {
  const clock = createManualClock();
  const file = { text: saved };
  const keep = async (text: string) => {
    file.text = text;
  };
  const credentials = createCredentials({
    clock,
    tokens: { find: (token) => (token === 'api' ? API : null), isValid: () => true, onEnd: () => () => undefined },
    saved,
    save: save ?? keep,
  });
  return { clock, file, credentials };
}

async function logIn(credentials: Credentials): Promise<string> {
  const session = await credentials.login(credentials.mintLogin());
  if (!session.ok) throw new Error(session.error.message);
  return renderSessionCookie(PORT, session.value.sessionToken).split(';')[0] ?? '';
}

function whoIs(credentials: Credentials, cookie: string | undefined, authorization?: string) {
  return credentials.authenticate({ cookie, authorization, port: PORT });
}

describe('authenticate', () => {
  test('[HT12] nothing, the empty, the huge and the odd are nobody, without an exception', async () => {
    const { credentials } = createStand();
    await logIn(credentials);
    const huge = 'x'.repeat(10 * 1024 * 1024);
    for (const cookie of [undefined, '', huge, `signalbox_${PORT}=`, `signalbox_${PORT}=${huge}`, ';;=;', '\0']) {
      expect(whoIs(credentials, cookie)).toBeNull();
    }
    for (const token of ['', 'Bearer', 'Bearer ', `Bearer ${huge}`, 'Bearer api api', 'bearer\0api', huge, 'api']) {
      expect(whoIs(credentials, undefined, token)).toBeNull();
    }
    expect(whoIs(credentials, undefined, 'Bearer api')).toEqual(API);
  });

  test('[HT12] a session is one for 30 days, and only under the cookie of its port', async () => {
    const { credentials, clock } = createStand();
    const cookie = await logIn(credentials);
    const caller = whoIs(credentials, cookie);
    expect(caller).toMatchObject({ kind: 'session', id: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(credentials.authenticate({ cookie, authorization: undefined, port: PORT + 1 })).toBeNull();
    clock.advance(30 * DAY_MS - 1);
    expect(whoIs(credentials, cookie)).toEqual(caller);
    clock.advance(1);
    expect(whoIs(credentials, cookie)).toBeNull();
  });
});

describe('sessions', () => {
  test('[HT12] outlive a restart, though the file does not hold them', async () => {
    const before = createStand();
    const cookie = await logIn(before.credentials);
    const token = cookie.split('=')[1] ?? '';
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(before.file.text).not.toContain(token);
    const after = createStand(before.file.text);
    expect(whoIs(after.credentials, cookie)).toEqual(whoIs(before.credentials, cookie));
    const hash = /"hash":"([0-9a-f]+)"/.exec(before.file.text ?? '')?.[1];
    expect(whoIs(after.credentials, `signalbox_${PORT}=${hash}`)).toBeNull();
  });

  test('[HT12] a damaged file costs a login, nothing else', async () => {
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{"sessions":7}',
      '{"sessions":[null]}',
      '{"sessions":[{"hash":"xy"}]}',
    ]) {
      const { credentials } = createStand(text);
      expect(whoIs(credentials, await logIn(credentials))).toMatchObject({ kind: 'session' });
    }
  });

  test('[HT12] a full disk keeps nobody out', async () => {
    const { credentials } = createStand(null, () => Promise.reject(new Error('ENOSPC')));
    expect(whoIs(credentials, await logIn(credentials))).toMatchObject({ kind: 'session' });
  });

  test('[HT12] fifty at most: the oldest gives way and is told', async () => {
    const { credentials, file } = createStand();
    const ended: string[] = [];
    credentials.onSessionEnd((id) => ended.push(id));
    const first = await logIn(credentials);
    const caller = whoIs(credentials, first);
    for (let n = 0; n < 49; n += 1) await logIn(credentials);
    expect(ended).toEqual([]);
    await logIn(credentials);
    expect(ended).toEqual([caller?.kind === 'session' && caller.id]);
    expect(whoIs(credentials, first)).toBeNull();
    expect(caller !== null && credentials.isValid(caller)).toBe(false);
    expect(JSON.parse(file.text ?? '').sessions).toHaveLength(50);
  });

  test('[HT12] the file is written in the order things happened', async () => {
    const written: string[] = [];
    const waiting: (() => void)[] = [];
    const { credentials } = createStand(null, (text) => {
      written.push(text);
      return new Promise((done) => waiting.push(done));
    });
    const logins = [logIn(credentials), logIn(credentials)];
    for (let n = 0; n < 2; n += 1) {
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      expect(written).toHaveLength(n + 1);
      waiting[n]?.();
    }
    await Promise.all(logins);
    expect(written.map((text) => JSON.parse(text).sessions.length)).toEqual([1, 2]);
  });
});

test('[HT10] fifty links wait at most, and the newest work', async () => {
  const { credentials } = createStand();
  const tokens = Array.from({ length: 51 }, () => credentials.mintLogin());
  expect((await credentials.login(tokens[0] ?? '')).ok).toBe(false);
  expect((await credentials.login(tokens[1] ?? '')).ok).toBe(true);
  expect((await credentials.login(tokens[50] ?? '')).ok).toBe(true);
});

test('[HT11] three wrong at once, then two a minute, twelve an hour', () => {
  const clock = createManualClock();
  const limit = createAttemptLimit(clock);
  const tries = (count: number) => Array.from({ length: count }, () => limit.count()).filter(Boolean).length;
  expect(tries(20)).toBe(3);
  clock.advance(60_000);
  expect(tries(20)).toBe(2);
  let counted = 5;
  for (let minute = 0; minute < 20; minute += 1) {
    clock.advance(60_000);
    counted += tries(20);
  }
  expect(counted).toBe(12);
  clock.advance(3_600_000);
  expect(tries(20)).toBe(3);
});
