/** Credentials with a clock that stands still and a file in memory. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { TOKEN_SCOPES } from '../../contract/access.ts';
import { PROOF_MS, socketProtocolsOf, textToSign } from '../../core/access/session-proof.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createAttemptLimit } from '../attempt-limit.ts';
import { type Credentials, createCredentials } from './credentials.ts';

const ORIGIN = 'http://127.0.0.1:12359';
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
    origin: ORIGIN,
    tokens: { find: (token) => (token === 'api' ? API : null), isValid: () => true, onEnd: () => () => undefined },
    presence: { isOpen: () => false, isConnected: () => false },
    onLoginsChange: () => {},
    saved,
    save: save ?? keep,
  });
  return { clock, file, credentials };
}

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { privateKey, public_key: { x, y } };
}

async function logIn(credentials: Credentials) {
  const { privateKey, public_key } = newKey();
  const session = await credentials.logIn({ token: credentials.mintLogin(), public_key });
  if (!session.ok || 'waiting' in session.value) throw new Error('not logged in');
  return { ...session.value, privateKey };
}

function whoIs(credentials: Credentials, proof: string) {
  return credentials.authenticate({ authorization: `Proof ${proof}` });
}

/** As the page signs. */
function signed(session_id: string, challenge: string, key: KeyObject, origin = ORIGIN) {
  const text = Buffer.from(textToSign({ origin, sessionId: session_id, challenge }));
  const signature = sign('sha256', text, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  return { session_id, challenge, signature };
}

describe('authenticate', () => {
  test('[HT12] nothing, the empty, the huge and the odd are nobody, without an exception', async () => {
    const { credentials } = createStand();
    await logIn(credentials);
    const huge = 'x'.repeat(10 * 1024 * 1024);
    for (const token of ['', 'Bearer', 'Bearer ', `Bearer ${huge}`, 'Bearer api api', 'bearer\0api', huge, 'api']) {
      expect(credentials.authenticate({ authorization: token })).toBeNull();
    }
    for (const proof of ['', huge, 'x'.repeat(43), '\0'.repeat(43)]) expect(whoIs(credentials, proof)).toBeNull();
    for (const protocols of ['', huge, 'signalbox', ',,,', `signalbox.proof.${huge}`]) {
      expect(credentials.authenticate({ protocols })).toBeNull();
    }
    expect(credentials.authenticate({ authorization: 'Bearer api' })).toEqual(API);
  });

  test('[HT5] a login gives the first proof, in either header', async () => {
    const { credentials } = createStand();
    const { session_id: id, proof, expires_in_ms } = await logIn(credentials);
    expect(whoIs(credentials, proof)).toEqual({ kind: 'session', id });
    expect(credentials.authenticate({ protocols: socketProtocolsOf(proof).join(', ') })).toEqual({
      kind: 'session',
      id,
    });
    expect([id, expires_in_ms]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), PROOF_MS]);
  });

  test('[HT12] a stolen proof ends with its time', async () => {
    const { credentials, clock } = createStand();
    const { proof } = await logIn(credentials);
    clock.advance(PROOF_MS - 1);
    expect(whoIs(credentials, proof)).toMatchObject({ kind: 'session' });
    clock.advance(1);
    expect(whoIs(credentials, proof)).toBeNull();
  });
});

describe('a signature', () => {
  test('[HT12] gives a proof, once', async () => {
    const { credentials } = createStand();
    const { session_id, privateKey } = await logIn(credentials);
    const answer = signed(session_id, credentials.challenge(session_id), privateKey);
    const proven = credentials.prove(answer);
    expect(proven.ok && whoIs(credentials, proven.value.proof)).toEqual({ kind: 'session', id: session_id });
    expect(credentials.prove(answer)).toMatchObject({ ok: false, error: { code: 'proof_expired' } });
    const respelled = signed(session_id, `0${answer.challenge}`, privateKey);
    expect(credentials.prove(respelled)).toMatchObject({ ok: false, error: { code: 'proof_expired' } });
  });

  test('[HT12] of another key, origin, session, time or server gives nothing', async () => {
    const { credentials, clock } = createStand();
    const { session_id, privateKey } = await logIn(credentials);
    const other = await logIn(credentials);
    const challenge = credentials.challenge(session_id);
    const foreign = createStand().credentials.challenge(session_id);
    for (const [name, answer] of Object.entries({
      key: signed(session_id, challenge, other.privateKey),
      origin: signed(session_id, challenge, privateKey, 'http://127.0.0.1:12360'),
      name: signed(session_id, challenge, privateKey, 'http://localhost:12359'),
      session: signed(other.session_id, challenge, other.privateKey),
      server: signed(session_id, foreign, privateKey),
      made_up: signed(
        session_id,
        challenge.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
        privateKey,
      ),
      odd: signed(session_id, 'x', privateKey),
      unsigned: { session_id, challenge, signature: 'A'.repeat(86) },
    })) {
      expect([name, credentials.prove(answer)]).toMatchObject([name, { ok: false, error: { code: 'proof_expired' } }]);
    }
    // None of them has used the challenge up.
    expect(credentials.prove(signed(session_id, challenge, privateKey)).ok).toBe(true);
    const late = signed(session_id, credentials.challenge(session_id), privateKey);
    clock.advance(60_000);
    expect(credentials.prove(late).ok).toBe(false);
  });

  test('[HT12] of a session that was ended is told to log in', async () => {
    const { credentials } = createStand();
    const { session_id, privateKey, proof } = await logIn(credentials);
    await credentials.endSession(session_id);
    expect(whoIs(credentials, proof)).toBeNull();
    const answer = credentials.prove(signed(session_id, credentials.challenge(session_id), privateKey));
    expect(answer).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
  });

  test('[HT12] two hundred proofs of a session work at most; the oldest gives way', async () => {
    const { credentials } = createStand();
    const { session_id, privateKey, proof } = await logIn(credentials);
    const other = await logIn(credentials);
    for (let n = 0; n < 200; n += 1) {
      expect(whoIs(credentials, proof) !== null).toBe(n < 200);
      credentials.prove(signed(session_id, credentials.challenge(session_id), privateKey));
    }
    expect(whoIs(credentials, proof)).toBeNull();
    expect(whoIs(credentials, other.proof)).toMatchObject({ kind: 'session' });
  });
});

describe('sessions', () => {
  test('[HT12] last 30 days', async () => {
    const { credentials, clock } = createStand();
    const { session_id: id } = await logIn(credentials);
    clock.advance(30 * DAY_MS - 1);
    expect(credentials.isValid({ kind: 'session', id })).toBe(true);
    clock.advance(1);
    expect(credentials.isValid({ kind: 'session', id })).toBe(false);
  });

  test('[HT12] outlive a restart by their key, proofs do not, and the file opens nothing', async () => {
    const before = createStand();
    const { session_id, proof, privateKey } = await logIn(before.credentials);
    expect(before.file.text).not.toContain(proof);
    expect(before.file.text).not.toContain(privateKey.export({ format: 'jwk' }).d);
    const after = createStand(before.file.text).credentials;
    expect(whoIs(after, proof)).toBeNull();
    const stale = signed(session_id, before.credentials.challenge(session_id), privateKey);
    expect(after.prove(stale).ok).toBe(false);
    const proven = after.prove(signed(session_id, after.challenge(session_id), privateKey));
    expect(proven.ok && whoIs(after, proven.value.proof)).toEqual({ kind: 'session', id: session_id });
  });

  test('[HT12] a damaged file, and one whose sessions have no key, cost a login, nothing else', async () => {
    const dates = '"created_at":"2026-01-01T00:00:00Z","expires_at":"2096-01-01T00:00:00Z"';
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{"sessions":7}',
      '{"sessions":[null]}',
      `{"sessions":[{"id":"0011223344556677","hash":"${'a'.repeat(64)}",${dates}}]}`,
      `{"sessions":[{"id":"0011223344556677","public_key":{"x":"${'A'.repeat(43)}","y":"${'A'.repeat(43)}"},${dates}}]}`,
    ]) {
      const { credentials } = createStand(text);
      expect(credentials.isValid({ kind: 'session', id: '0011223344556677' })).toBe(false);
      expect(whoIs(credentials, (await logIn(credentials)).proof)).toMatchObject({ kind: 'session' });
    }
  });

  test('[HT12] a full disk keeps nobody out', async () => {
    const { credentials } = createStand(null, () => Promise.reject(new Error('ENOSPC')));
    expect(whoIs(credentials, (await logIn(credentials)).proof)).toMatchObject({ kind: 'session' });
  });

  test('[HT12] fifty at most: the oldest gives way and is told', async () => {
    const { credentials, file } = createStand();
    const ended: string[] = [];
    credentials.onSessionEnd((id) => ended.push(id));
    const first = await logIn(credentials);
    for (let n = 0; n < 49; n += 1) await logIn(credentials);
    expect(ended).toEqual([]);
    await logIn(credentials);
    expect(ended).toEqual([first.session_id]);
    expect(whoIs(credentials, first.proof)).toBeNull();
    expect(credentials.isValid({ kind: 'session', id: first.session_id })).toBe(false);
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
  const { public_key } = newKey();
  const tokens = Array.from({ length: 51 }, () => credentials.mintLogin());
  const results = [0, 1, 50].map((n) => credentials.logIn({ token: tokens[n] ?? '', public_key }));
  expect((await Promise.all(results)).map(({ ok }) => ok)).toEqual([false, true, true]);
});

test('[HT10] a key that is none does not use the link up', async () => {
  const { credentials } = createStand();
  const token = credentials.mintLogin();
  const none = { x: 'A'.repeat(43), y: 'A'.repeat(43) };
  expect(await credentials.logIn({ token, public_key: none })).toMatchObject({ error: { code: 'invalid_request' } });
  expect((await credentials.logIn({ token, public_key: newKey().public_key })).ok).toBe(true);
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
