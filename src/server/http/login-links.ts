/** Tokens of login links: each works once, within ten minutes. */
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../node/clock.ts';
import { createAttemptLimit } from '../attempt-limit.ts';
import { hashOf, pickBySecret } from './secret-hash.ts';

const LOGIN_MS = 10 * 60_000;
/** Links minted and not used; more only come from a script gone wrong. */
const MAX_LOGINS = 50;

export interface LoginLinks {
  mint(): string;
  /** Uses the token up. A right token is taken even after many wrong ones: others must not be able to lock the person out. */
  redeem(token: string): Result<null>;
}

export function createLoginLinks(clock: Clock, newSecret: () => string): LoginLinks {
  const limit = createAttemptLimit(clock);
  let logins: { readonly hash: Buffer; readonly expiresMs: number }[] = [];
  return {
    mint() {
      const token = newSecret();
      const fresh = logins.filter(({ expiresMs }) => expiresMs > clock.monotonicMs());
      logins = [...fresh, { hash: hashOf(token), expiresMs: clock.monotonicMs() + LOGIN_MS }].slice(-MAX_LOGINS);
      return token;
    },
    redeem(token) {
      const login = pickBySecret(logins, token, ({ hash }) => hash);
      logins = logins.filter((one) => one !== login);
      if (login !== undefined && login.expiresMs > clock.monotonicMs()) return ok(null);
      return limit.count()
        ? fail('unauthorized', 'this login link was used already, is too old, or never was one')
        : fail('rate_limited', 'too many wrong login links: wait a minute');
    },
  };
}
