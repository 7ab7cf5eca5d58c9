/**
 * Who a request comes from: the API token, or a browser session that began with a one-time link.
 * Of a session only the hash is on disk, so that nobody who can read files can act as the person at the page.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import { bearerToken } from '../../core/text/bearer.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import type { Clock } from '../../node/clock.ts';
import { createSerial } from '../../node/serial.ts';
import { createAttemptLimit } from '../attempt-limit.ts';
import type { Caller } from '../caller.ts';

export type KnownCaller = Exclude<Caller, { kind: 'anonymous' }>;

interface CredentialHeaders {
  readonly cookie: string | undefined;
  readonly authorization: string | undefined;
  /** Cookies do not know ports, so the name of ours carries it. */
  readonly port: number;
}

export interface Credentials {
  /** Null for nobody. An Authorization header, when there is one, decides alone. */
  authenticate(headers: CredentialHeaders): KnownCaller | null;
  /** A token for a link that works once, within ten minutes. */
  mintLogin(): string;
  /** Turns the token of a link into a session: the value of its cookie. */
  login(token: string): Promise<Result<{ readonly sessionToken: string }>>;
  endSession(id: string): Promise<void>;
  /** False once a session was ended or is too old. */
  isValid(caller: Caller): boolean;
  /** Hears the ids of sessions and tokens that end; returns how to stop hearing. */
  onSessionEnd(listener: (id: string) => void): () => void;
}

/** The tokens of programs, which have a file of their own: `server/access`. */
interface TokenPort {
  find(token: string): Extract<Caller, { kind: 'token' }> | null;
  /** False once a token was revoked or has expired. */
  isValid(id: string): boolean;
  /** Hears the ids of tokens that are revoked; returns how to stop hearing. */
  onEnd(listener: (id: string) => void): () => void;
}

export interface CredentialOptions {
  readonly clock: Clock;
  readonly tokens: TokenPort;
  readonly random?: (bytes: number) => Buffer;
  /** What `save` was last given, before a restart. */
  readonly saved: string | null;
  readonly save: (text: string) => Promise<void>;
}

/** Long enough that a daily user never logs in again by chance, short enough that a forgotten browser is forgotten. */
const SESSION_MS = 30 * 24 * 3_600_000;
/** Browsers of one person; the oldest gives way. */
const MAX_SESSIONS = 50;
const LOGIN_MS = 10 * 60_000;
/** Links minted and not used; more only come from a script gone wrong. */
const MAX_LOGINS = 50;
/** Ours have 43 characters; whatever is longer is not worth hashing. */
const MAX_TOKEN_CHARS = 256;
/** Another service on this machine may set cookies of our name; the right one is among the first few, or not there. */
const MAX_COOKIES = 8;

interface Session {
  readonly id: string;
  readonly hash: Buffer;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Sessions in `run/sessions.json`. They work without the file too, until the next restart. */
export async function openCredentials(options: {
  readonly runDir: string;
  readonly clock: Clock;
  readonly tokens: TokenPort;
}): Promise<Credentials> {
  const { runDir, ...rest } = options;
  const path = join(runDir, 'sessions.json');
  const saved = await readFile(path, 'utf8').catch(() => null);
  return createCredentials({ ...rest, saved, save: (text) => writeFileAtomic(path, text) });
}

export function createCredentials(options: CredentialOptions): Credentials {
  const { clock, save, random = randomBytes } = options;
  const limit = createAttemptLimit(clock);
  const listeners = new Set<(id: string) => void>();
  let logins: { readonly hash: Buffer; readonly expiresMs: number }[] = [];
  let sessions = parseSessions(options.saved);
  const saving = createSerial();

  const newToken = () => random(32).toString('base64url');
  const isFresh = (session: Session) => session.expiresAt > clock.now();

  /** A disk that is full must not keep a person out. */
  function keep(): Promise<void> {
    const text = renderSessions(sessions);
    return saving.run(() => save(text)).catch(() => {});
  }

  function drop(isDropped: (session: Session) => boolean): void {
    const dropped = sessions.filter(isDropped);
    sessions = sessions.filter((session) => !dropped.includes(session));
    for (const { id } of dropped) for (const listener of listeners) listener(id);
  }

  function sessionOf(token: string): Session | undefined {
    return pick(sessions, token, ({ hash }) => hash);
  }

  return {
    authenticate({ cookie, authorization, port }) {
      if (authorization !== undefined) {
        const token = bearerToken(authorization);
        return token === null ? null : options.tokens.find(token);
      }
      for (const token of cookiesNamed(cookieName(port), cookie)) {
        const session = sessionOf(token);
        if (session !== undefined && isFresh(session)) return { kind: 'session', id: session.id };
      }
      return null;
    },

    mintLogin() {
      const token = newToken();
      const fresh = logins.filter(({ expiresMs }) => expiresMs > clock.monotonicMs());
      logins = [...fresh, { hash: hashOf(token), expiresMs: clock.monotonicMs() + LOGIN_MS }].slice(-MAX_LOGINS);
      return token;
    },

    /** A right token is taken even after many wrong ones: others must not be able to lock the person out. */
    async login(token) {
      const login = pick(logins, token, ({ hash }) => hash);
      logins = logins.filter((one) => one !== login);
      if (login === undefined || login.expiresMs <= clock.monotonicMs()) {
        return limit.count()
          ? fail('unauthorized', 'this login link was used already, is too old, or never was one')
          : fail('rate_limited', 'too many wrong login links: wait a minute');
      }
      const sessionToken = newToken();
      const now = clock.now();
      const id = random(8).toString('hex');
      sessions = [...sessions, { id, hash: hashOf(sessionToken), createdAt: now, expiresAt: now + SESSION_MS }];
      const oldest = sessions.slice(0, -MAX_SESSIONS);
      drop((session) => !isFresh(session) || oldest.includes(session));
      await keep();
      return ok({ sessionToken });
    },

    async endSession(id) {
      drop((session) => session.id === id);
      await keep();
    },

    isValid(caller) {
      if (caller.kind === 'token') return options.tokens.isValid(caller.id);
      return caller.kind !== 'session' || sessions.some((session) => session.id === caller.id && isFresh(session));
    },

    onSessionEnd(listener) {
      listeners.add(listener);
      const forgetTokens = options.tokens.onEnd(listener);
      return () => {
        forgetTokens();
        listeners.delete(listener);
      };
    },
  };
}

export function renderSessionCookie(port: number, sessionToken: string): string {
  return `${cookieName(port)}=${sessionToken}; Path=/; Max-Age=${SESSION_MS / 1000}; HttpOnly; SameSite=Strict`;
}

export function renderEndedCookie(port: number): string {
  return `${cookieName(port)}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`;
}

function cookieName(port: number): string {
  return `signalbox_${port}`;
}

function cookiesNamed(name: string, header: string | undefined): string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
    .slice(0, MAX_COOKIES);
}

/** The one whose hash is the token's. Looks at all of them, so that the time taken tells nothing. */
function pick<T>(all: readonly T[], token: string, hashIn: (one: T) => Buffer): T | undefined {
  if (token === '' || token.length > MAX_TOKEN_CHARS) return undefined;
  const hash = hashOf(token);
  return all.filter((one) => timingSafeEqual(hashIn(one), hash))[0];
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function renderSessions(sessions: readonly Session[]): string {
  const records = sessions.map(({ id, hash, createdAt, expiresAt }) => ({
    id,
    hash: hash.toString('hex'),
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
  }));
  return `${JSON.stringify({ sessions: records })}\n`;
}

/** A damaged file costs a new login, nothing else. */
function parseSessions(text: string | null): Session[] {
  try {
    const { sessions } = JSON.parse(text ?? '{"sessions":[]}');
    return sessions.flatMap(decodeSession);
  } catch {
    return [];
  }
}

function decodeSession(record: Record<string, unknown>): Session[] {
  const { id, hash, created_at, expires_at } = record;
  if (typeof id !== 'string' || typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return [];
  const createdAt = Date.parse(String(created_at));
  const expiresAt = Date.parse(String(expires_at));
  if (Number.isNaN(createdAt) || Number.isNaN(expiresAt)) return [];
  return [{ id, hash: Buffer.from(hash, 'hex'), createdAt, expiresAt }];
}
