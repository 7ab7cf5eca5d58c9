/** From a login link to a session: at once, or after somebody has allowed it in a browser that is open. */
import { randomBytes } from 'node:crypto';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { PublicKey, WaitingLogin } from '../../contract/routes-session.ts';
import { isLinkBound, type LinkMaker } from '../../core/access/login-confirmation.ts';
import type { Clock } from '../../node/clock.ts';
import { createLoginLinks, type LoginLink } from './login-links.ts';
import { createLoginRequests, type LoginRequests, type NewLogin } from './login-requests.ts';
import { keyFrom } from './session-file.ts';
import type { OpenedSession, Sessions } from './sessions.ts';

type Arrival = OpenedSession | { readonly waiting: WaitingLogin };

export interface Logins {
  /** The token of a link that works once, within ten minutes. */
  mintLogin(maker?: LinkMaker): string;
  /** Turns the token of a link into a session of this key, or into a login that waits. */
  logIn(input: {
    readonly token: string;
    readonly public_key: PublicKey;
    readonly browser?: string | undefined;
  }): Promise<Result<Arrival>>;
  awaitLogin(wait: string, signal: AbortSignal): Promise<Result<Arrival>>;
  /** The logins that wait, and the answers to them. */
  readonly waiting: Pick<LoginRequests, 'list' | 'answer' | 'allowAtTerminal'>;
}

export interface LoginOptions {
  readonly clock: Clock;
  /** Whether a browser that is logged in is open. */
  readonly presence: { isOpen(): boolean; isConnected(): boolean };
  /** The logins that wait have changed. */
  readonly onLoginsChange: () => void;
}

/** Reloads of a page that waits; each shows a new code in the open browser. */
const MAX_ASKS_PER_LINK = 10;

interface Asked {
  login: NewLogin;
  count: number;
}

export function createLogins(options: LoginOptions & { readonly open: Sessions['open'] }): Logins {
  const { clock, presence, open } = options;
  const links = createLoginLinks(clock, () => randomBytes(32).toString('base64url'));
  const requests = createLoginRequests({
    clock,
    isAnswerable: presence.isConnected,
    onChange: options.onLoginsChange,
  });
  /** A link that waits can be opened again, such as by a reload: then only the newest login of it counts. */
  const asked = new WeakMap<LoginLink, Asked>();

  function ask(link: LoginLink, input: Parameters<Logins['logIn']>[0]): Result<Arrival> {
    const before = asked.get(link);
    if (before !== undefined) requests.forget(before.login);
    const count = (before?.count ?? 0) + 1;
    if (count > MAX_ASKS_PER_LINK) {
      links.use(link);
      return fail('rate_limited', 'this login link was opened too often');
    }
    const login: NewLogin = {
      publicKey: input.public_key,
      browser: input.browser ?? '',
      madeBy: link.madeBy,
      settle: () => links.use(link),
    };
    const made = requests.ask(login);
    if (!made.ok) return made;
    asked.set(link, { login, count });
    return ok({ waiting: made.value });
  }

  return {
    mintLogin: (madeBy = 'server') => links.mint({ madeBy, isBound: isLinkBound(madeBy, presence.isOpen()) }),

    async logIn(input) {
      // Before the token is used up: a browser that sends nonsense may try again.
      if (keyFrom(input.public_key) === null)
        return fail('invalid_request', 'public_key is no point of the curve P-256');
      const link = links.find(input.token);
      if (!link.ok) return link;
      // A login that waits is not let in by a reload after the open browser was closed: its owner may have closed it for fright.
      if (link.value.isBound || asked.has(link.value) || presence.isOpen()) return ask(link.value, input);
      links.use(link.value);
      return open(input.public_key);
    },

    async awaitLogin(wait, signal) {
      const outcome = await requests.wait(wait, signal);
      if (!outcome.ok) return outcome;
      return 'publicKey' in outcome.value ? open(outcome.value.publicKey) : ok({ waiting: outcome.value });
    },

    waiting: requests,
  };
}
