/**
 * The tokens a program can show as `Authorization: Bearer …`: the one of `run/server.json`, and those a person made. Of the latter
 * only a hash is stored; their text is shown once.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccessToken, TokenScope } from '../../contract/access.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Caller } from '../../core/access/caller.ts';
import { SERVER_TOKEN_ID } from '../../core/access/refuse-call.ts';
import { isoTime } from '../../core/text/iso-time.ts';
import { createBus } from '../../node/bus.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { createSerial } from '../../node/serial.ts';
import { storageFailure } from '../storage-failure.ts';
import type { TokenRecord, TokenStore } from './token-file.ts';

type TokenCaller = Extract<Caller, { kind: 'token' }>;

interface NewToken {
  readonly label: string;
  readonly scopes: readonly TokenScope[];
  readonly expiresInDays: number | undefined;
  readonly conversationId: string | undefined;
}

export interface AccessTokens {
  /** Null for a token that is not ours, was revoked or has expired. */
  find(token: string): TokenCaller | null;
  /** False once a token was revoked or has expired. */
  isValid(id: string): boolean;
  /** Hears the ids of tokens that are revoked; returns how to stop hearing. */
  onEnd(listener: (id: string) => void): () => void;
  list(): readonly AccessToken[];
  /** `secret` is the text of the token; it cannot be had again. */
  create(token: NewToken): Promise<Result<{ readonly token: AccessToken; readonly secret: string }>>;
  revoke(id: string): Promise<Result<null>>;
}

/** Ours have 47 or 64 characters; longer ones are refused before any hashing. */
const MAX_TOKEN_CHARS = 256;
/** So that a token in a log or a repository is recognized. */
const PREFIX = 'sbx_';
/** A person gives each program one; more come from a script gone wrong. */
const MAX_TOKENS = 100;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export async function openAccessTokens(options: {
  /** The one in `run/server.json`. */
  readonly serverToken: string;
  readonly serverScopes: readonly TokenScope[];
  readonly store: TokenStore;
  readonly clock: Clock;
  readonly log: Logger;
}): Promise<AccessTokens> {
  const { store, clock } = options;
  const serverHash = hashOf(options.serverToken);
  const server = { kind: 'token', id: SERVER_TOKEN_ID, scopes: options.serverScopes } as const;
  let tokens = await store.read();
  const saving = createSerial();
  const ended = createBus<string>((error) => options.log.error({ error }, 'the end of a token was not told'));

  const isFresh = ({ expires_at }: TokenRecord) => expires_at === null || Date.parse(expires_at) > clock.now();
  const keep = async (next: readonly TokenRecord[]): Promise<Result<null>> => {
    const before = tokens;
    tokens = next;
    try {
      await saving.run(() => store.write(tokens));
      return ok(null);
    } catch (error) {
      tokens = before;
      return storageFailure(error, 'the tokens were not stored');
    }
  };
  const noteUse = (used: TokenRecord) => {
    const hour = isoTime(Math.floor(clock.now() / HOUR_MS) * HOUR_MS);
    if (used.last_used_at === hour) return;
    // A full disk costs the time of the last use, nothing else.
    tokens = tokens.map((one) => (one.id === used.id ? { ...one, last_used_at: hour } : one));
    saving.run(() => store.write(tokens)).catch(() => undefined);
  };

  return {
    find(token) {
      if (token === '' || token.length > MAX_TOKEN_CHARS) return null;
      const hash = hashOf(token);
      const isServer = timingSafeEqual(hash, serverHash);
      // All of them are compared, so that the time taken tells nothing.
      const [found] = tokens.filter((one) => timingSafeEqual(hash, Buffer.from(one.hash, 'hex')));
      if (isServer) return server;
      if (found === undefined || !isFresh(found)) return null;
      noteUse(found);
      const { id, scopes, conversation_id } = found;
      return { kind: 'token', id, scopes, ...(conversation_id !== null && { conversationId: conversation_id }) };
    },
    isValid: (id) => id === SERVER_TOKEN_ID || tokens.some((one) => one.id === id && isFresh(one)),
    onEnd: ended.subscribe,
    list: () => tokens.map(shown),
    async create({ label, scopes, expiresInDays, conversationId }) {
      const fresh = tokens.filter(isFresh);
      if (fresh.length >= MAX_TOKENS) {
        return fail('conflict', `there are ${MAX_TOKENS} tokens already: revoke those nobody uses`);
      }
      const secret = `${PREFIX}${randomBytes(32).toString('base64url')}`;
      const now = clock.now();
      const record: TokenRecord = {
        id: `tok_${randomBytes(6).toString('hex')}`,
        label,
        scopes: [...new Set(scopes)],
        conversation_id: conversationId ?? null,
        created_at: isoTime(now),
        last_used_at: null,
        expires_at: expiresInDays === undefined ? null : isoTime(now + expiresInDays * DAY_MS),
        hash: hashOf(secret).toString('hex'),
      };
      const kept = await keep([...fresh, record]);
      return kept.ok ? ok({ token: shown(record), secret }) : kept;
    },
    async revoke(id) {
      if (!tokens.some((one) => one.id === id)) return fail('not_found', `there is no token ${id}`);
      const kept = await keep(tokens.filter((one) => one.id !== id));
      if (kept.ok) ended.emit(id);
      return kept;
    },
  };
}

function shown({ hash: _hash, ...token }: TokenRecord): AccessToken {
  return token;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
