/** The tokens a program can show as `Authorization: Bearer …`, and which caller each one makes it. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { TokenScope } from '../../contract/access.ts';
import { type Caller, SERVER_TOKEN_ID } from '../../core/access/refuse-call.ts';

export interface AccessTokens {
  /** Null for a token that is not ours. */
  find(token: string): Extract<Caller, { kind: 'token' }> | null;
}

/** Ours have 64 characters; longer ones are refused before any hashing. */
const MAX_TOKEN_CHARS = 256;

export function createAccessTokens(options: {
  /** The one in `run/server.json`. */
  readonly serverToken: string;
  readonly serverScopes: readonly TokenScope[];
}): AccessTokens {
  const serverHash = hashOf(options.serverToken);
  const server = { kind: 'token', id: SERVER_TOKEN_ID, scopes: options.serverScopes } as const;
  return {
    find(token) {
      if (token === '' || token.length > MAX_TOKEN_CHARS) return null;
      return timingSafeEqual(hashOf(token), serverHash) ? server : null;
    },
  };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
