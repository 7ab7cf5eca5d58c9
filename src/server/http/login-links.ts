/** Tokens of login links: each works once, within ten minutes. */
import { fail, ok, type Result } from '../../contract/result.ts';
import type { LinkMaker } from '../../core/access/login-confirmation.ts';
import type { Clock } from '../../node/clock.ts';
import { createAttemptLimit } from '../attempt-limit.ts';
import { hashOf, pickBySecret } from './secret-hash.ts';

const LOGIN_MS = 10 * 60_000;
/** Links minted and not used; more only come from a script gone wrong. */
const MAX_LOGINS = 50;

export interface LoginLink {
  readonly hash: Buffer;
  readonly expiresMs: number;
  readonly madeBy: LinkMaker;
  /** It has to be confirmed in an open browser, also if none is open when the link is. */
  readonly isBound: boolean;
}

export interface LoginLinks {
  mint(of: Pick<LoginLink, 'madeBy' | 'isBound'>): string;
  /** Does not use the token up. A right token is found even after many wrong ones: others must not be able to lock the person out. */
  find(token: string): Result<LoginLink>;
  use(link: LoginLink): void;
}

export function createLoginLinks(clock: Clock, newSecret: () => string): LoginLinks {
  const limit = createAttemptLimit(clock);
  let links: LoginLink[] = [];
  return {
    mint(of) {
      const token = newSecret();
      const fresh = links.filter(({ expiresMs }) => expiresMs > clock.monotonicMs());
      const link = { ...of, hash: hashOf(token), expiresMs: clock.monotonicMs() + LOGIN_MS };
      links = [...fresh, link].slice(-MAX_LOGINS);
      return token;
    },
    find(token) {
      const link = pickBySecret(links, token, ({ hash }) => hash);
      if (link !== undefined && link.expiresMs > clock.monotonicMs()) return ok(link);
      return limit.count()
        ? fail('unauthorized', 'this login link was used already, is too old, or never was one')
        : fail('rate_limited', 'too many wrong login links: wait a minute');
    },
    use(link) {
      links = links.filter((one) => one !== link);
    },
  };
}
