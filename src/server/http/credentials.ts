/** Who a request comes from: a token, or a browser session that proves its key. There are no cookies: other ports would get them too. */
import { join } from 'node:path';
import { type ProofHeaders, proofIn } from '../../core/access/session-proof.ts';
import { bearerToken } from '../../core/text/bearer.ts';
import type { Clock } from '../../node/clock.ts';
import type { Seals } from '../../node/seals.ts';
import type { Caller } from '../caller.ts';
import { createLogins, type LoginOptions, type Logins } from './logins.ts';
import { createSessions, type SessionOptions, type Sessions } from './sessions.ts';

export type KnownCaller = Exclude<Caller, { kind: 'anonymous' }>;

export interface Credentials extends Omit<Sessions, 'sessionOf' | 'isOpen' | 'open'>, Logins {
  /** Null for nobody. An Authorization header, when there is one, decides alone. */
  authenticate(headers: ProofHeaders): KnownCaller | null;
  /** False once the session behind a caller was ended or is too old. */
  isValid(caller: Caller): boolean;
  /** Reports the ids of sessions and tokens that end; returns how to stop listening. */
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

export interface CredentialOptions extends SessionOptions, LoginOptions {
  readonly tokens: TokenPort;
}

/** Sessions in `run/sessions.json`. They work without the file too, until the next restart. */
export async function openCredentials(
  options: LoginOptions & {
    readonly runDir: string;
    readonly clock: Clock;
    readonly origin: string;
    readonly tokens: TokenPort;
    readonly seals: Seals;
  },
): Promise<Credentials> {
  const { runDir, seals, ...rest } = options;
  const name = 'sessions.json';
  const path = join(runDir, name);
  const saved = await seals.read(name, path);
  return createCredentials({ ...rest, saved, save: (text) => seals.write(name, path, text) });
}

export function createCredentials(options: CredentialOptions): Credentials {
  const { sessionOf, isOpen, open, ...sessions } = createSessions(options);
  return {
    ...sessions,
    ...createLogins({ ...options, open }),
    authenticate(headers) {
      const proof = proofIn(headers);
      if (proof !== null) return sessionOf(proof);
      const token = bearerToken(headers.authorization);
      return token === null ? null : options.tokens.find(token);
    },
    isValid(caller) {
      if (caller.kind === 'token') return options.tokens.isValid(caller.id);
      return caller.kind !== 'session' || isOpen(caller.id);
    },
    onSessionEnd(listener) {
      const forgetTokens = options.tokens.onEnd(listener);
      const forgetSessions = sessions.onSessionEnd(listener);
      return () => {
        forgetTokens();
        forgetSessions();
      };
    },
  };
}
