/** New logins that wait until an open browser, or a person at a terminal, allows them. In memory only: a restart of the server ends them. */
import { randomBytes, randomInt } from 'node:crypto';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { LoginRequest, PublicKey, WaitingLogin } from '../../contract/routes-session.ts';
import {
  describeBrowser,
  type LinkMaker,
  LOGIN_WAIT_MS,
  terminalDelayMs,
} from '../../core/access/login-confirmation.ts';
import type { Clock, Timer } from '../../node/clock.ts';

export interface NewLogin {
  readonly publicKey: PublicKey;
  readonly browser: string;
  readonly madeBy: LinkMaker;
  /** Called when it was allowed, refused or given up: its link is used up then, and not before. */
  settle(): void;
}

export interface LoginRequests {
  ask(login: NewLogin): Result<WaitingLogin>;
  /** The key to make a session for, once it was allowed; `waiting` after a while without an answer. */
  wait(secret: string, signal: AbortSignal): Promise<Result<{ readonly publicKey: PublicKey } | WaitingLogin>>;
  list(): LoginRequest[];
  answer(id: string, answer: 'allow' | 'refuse'): Result<null>;
  /** A person at a terminal allows it; answers in how many milliseconds it gets in. */
  allowAtTerminal(code: string, hasPassword: boolean): Result<number>;
  /** Drops a request whose link was opened again. */
  forget(login: NewLogin): void;
}

type State = 'waiting' | 'allowed' | 'refused' | 'timed_out' | 'replaced';

interface Pending {
  readonly id: string;
  readonly secret: string;
  readonly code: string;
  readonly login: NewLogin;
  readonly askedMs: number;
  state: State;
  /** When it gets in by a terminal's yes; null without one. */
  opensMs: number | null;
  timer: Timer;
  /** Ends the wait of the browser, if it waits now. */
  wake: () => void;
}

/** Links come from one person; more waiting browsers are a script gone wrong, or an attack. */
const MAX_WAITING = 5;
/** Shorter than what lies between may keep a silent connection. */
const LONGEST_WAIT_MS = 20_000;
/** How long the outcome is kept for a browser that asks late, such as a tab that was asleep. */
const KEEP_OUTCOME_MS = 60_000;

export function createLoginRequests(options: {
  readonly clock: Clock;
  /** Whether a page is connected that can show the question. */
  readonly isAnswerable: () => boolean;
  /** The list has changed. */
  readonly onChange: () => void;
}): LoginRequests {
  const { clock, isAnswerable, onChange } = options;
  const all = new Map<string, Pending>();
  const waiting = () => [...all.values()].filter(({ state }) => state === 'waiting');

  function settle(pending: Pending, state: Exclude<State, 'waiting'>): void {
    pending.state = state;
    pending.timer.cancel();
    pending.timer = clock.setTimer(KEEP_OUTCOME_MS, () => all.delete(pending.secret));
    if (state !== 'replaced') pending.login.settle();
    pending.wake();
    onChange();
  }

  function newCode(): string {
    const taken = new Set(waiting().map(({ code }) => code));
    for (;;) {
      const code = String(randomInt(10_000)).padStart(4, '0');
      if (!taken.has(code)) return code;
    }
  }

  const leftMs = ({ askedMs }: Pending) => Math.max(0, Math.round(askedMs + LOGIN_WAIT_MS - clock.monotonicMs()));
  const opensInMs = ({ opensMs }: Pending) =>
    opensMs === null ? null : Math.max(0, Math.round(opensMs - clock.monotonicMs()));
  const render = (pending: Pending): WaitingLogin => ({
    wait: pending.secret,
    code: pending.code,
    expires_in_ms: leftMs(pending),
    is_answerable: isAnswerable(),
    opens_in_ms: opensInMs(pending),
  });

  function outcomeOf(pending: Pending): Result<{ readonly publicKey: PublicKey } | WaitingLogin> {
    switch (pending.state) {
      case 'waiting':
        return ok(render(pending));
      case 'allowed':
        // Once: the session belongs to who asks first, which only the browser with the secret can.
        all.delete(pending.secret);
        pending.timer.cancel();
        return ok({ publicKey: pending.login.publicKey });
      case 'refused':
        return fail('forbidden', 'the open browser refused this login', { reason: 'login_refused' });
      case 'timed_out':
        return fail('stale', 'nobody answered in the open browser', { reason: 'login_timed_out' });
      case 'replaced':
        return fail('stale', 'this login link was opened again', { reason: 'login_replaced' });
      default:
        return pending.state satisfies never;
    }
  }

  return {
    ask(login) {
      if (waiting().length >= MAX_WAITING) {
        return fail('rate_limited', `${MAX_WAITING} new browsers wait to be let in: answer them first`);
      }
      const pending: Pending = {
        id: randomBytes(8).toString('hex'),
        secret: randomBytes(32).toString('base64url'),
        code: newCode(),
        login,
        askedMs: clock.monotonicMs(),
        state: 'waiting',
        opensMs: null,
        timer: clock.setTimer(LOGIN_WAIT_MS, () => settle(pending, 'timed_out')),
        wake: () => {},
      };
      all.set(pending.secret, pending);
      onChange();
      return ok(render(pending));
    },

    async wait(secret, signal) {
      const pending = all.get(secret);
      if (pending === undefined) return fail('stale', 'this login does not wait any more', { reason: 'login_unknown' });
      if (pending.state === 'waiting') {
        // A second wait for the same login ends the first, so a login holds one connection at most.
        pending.wake();
        const stop = new AbortController();
        const wake = () => stop.abort();
        pending.wake = wake;
        signal.addEventListener('abort', wake);
        await clock.sleep(LONGEST_WAIT_MS, stop.signal);
        signal.removeEventListener('abort', wake);
        if (pending.wake === wake) pending.wake = () => {};
      }
      // Who has hung up must not take the session along.
      return signal.aborted ? ok(render(pending)) : outcomeOf(pending);
    },

    list: () =>
      waiting().map((pending) => ({
        id: pending.id,
        code: pending.code,
        browser: describeBrowser(pending.login.browser),
        made_by: pending.login.madeBy,
        expires_in_ms: leftMs(pending),
        opens_in_ms: opensInMs(pending),
      })),

    answer(id, answer) {
      const pending = waiting().find((one) => one.id === id);
      if (pending === undefined) return fail('not_found', 'this login does not wait any more');
      settle(pending, answer === 'allow' ? 'allowed' : 'refused');
      return ok(null);
    },

    allowAtTerminal(code, hasPassword) {
      const pending = waiting().find((one) => one.code === code);
      if (pending === undefined) return fail('not_found', `no login with the code ${code} waits`);
      const nowMs = clock.monotonicMs();
      const delayMs = terminalDelayMs({ askedMs: pending.askedMs, nowMs, hasPassword });
      if (delayMs === 0) {
        settle(pending, 'allowed');
        return ok(0);
      }
      pending.opensMs = nowMs + delayMs;
      pending.timer.cancel();
      pending.timer = clock.setTimer(delayMs, () => settle(pending, 'allowed'));
      pending.wake();
      onChange();
      return ok(Math.round(delayMs));
    },

    forget(login) {
      const pending = waiting().find((one) => one.login === login);
      if (pending !== undefined) settle(pending, 'replaced');
    },
  };
}
