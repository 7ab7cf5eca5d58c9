/** Codex's account: signing in and out, and starting Codex again when that decides whether the demo model answers. Keeps no secret. */
import { AccountResult, CancelLoginResult, DeviceLoginResult } from '../../contract/codex.ts';
import { type Failure, fail, ok, type Result } from '../../contract/result.ts';
import type { AccountLimits, AccountState } from '../../contract/routes-server.ts';
import { readLimits } from '../../core/codex/limits.ts';
import { isUnknownLogin } from '../../core/codex/refusal.ts';
import type { Signal } from '../../core/codex/signal.ts';
import type { Logger } from '../../node/logger.ts';
import { hasLogin, loginMark } from './login.ts';
import type { CodexLink } from './supervisor.ts';

interface LoginBegun {
  readonly login_id: string | null;
  readonly verification_url?: string;
  readonly user_code?: string;
}

export interface Account {
  read(): Promise<AccountState>;
  loginWithKey(apiKey: string): Promise<Result<LoginBegun>>;
  loginWithDevice(): Promise<Result<LoginBegun>>;
  cancel(loginId: string): Promise<Result<null>>;
  logout(): Promise<Result<null>>;
  accept(signal: Signal): void;
  /** The login file has changed, by whatever hand. */
  noticeLogin(): void;
  /** Told whenever a turn may have ended. */
  settleWhenIdle(): void;
}

/** How Codex is started, as far as an account changes it. */
interface LauncherPort<Launch> {
  readonly codexHome: string;
  isDemo(): boolean;
  isOutdated(): boolean;
  next(): Promise<Launch>;
  use(launch: Launch): void;
}

interface AccountOptions<Launch> {
  readonly link: Pick<CodexLink, 'request' | 'restart'>;
  readonly launcher: LauncherPort<Launch>;
  /** No turn runs. */
  readonly isIdle: () => boolean;
  /** What `read` gives may be different from now on. */
  readonly onChange: () => void;
  readonly log: Logger;
}

/** Codex asks the sign-in service for a code before it answers. */
const DEVICE_TIMEOUT_MS = 30_000;
type LoginState = NonNullable<AccountState['login']>;

export function createAccount<Launch>(options: AccountOptions<Launch>): Account {
  const { link, launcher, log } = options;
  let login: LoginState | null = null;
  let limits: AccountLimits | null = null;
  /** What the login file was when the waiting login began: another one means that it came through. */
  let markBefore = '';
  let isWanted = false;
  let isSwitching = false;
  /** A login or logout that Codex has not answered yet: its file may change before its answer comes. */
  let asked = 0;

  /** Codex repeats them with every answer of a model; pages hear only of a change. */
  const setLimits = (next: AccountLimits | null) => {
    if (JSON.stringify(next) === JSON.stringify(limits)) return;
    limits = next;
    options.onChange();
  };
  const end = (state: LoginState['state'], reason: string | null = null) => {
    if (login?.state === 'waiting') login = { ...login, state, reason, verification_url: null, user_code: null };
    options.onChange();
  };

  /** Who answers depends on whether there is a login, and is decided when Codex starts; no turn is cut short for it. */
  const settle = async (): Promise<void> => {
    isWanted = launcher.isOutdated();
    if (!isWanted || isSwitching || asked > 0 || login?.state === 'waiting') return;
    isSwitching = true;
    try {
      const next = await launcher.next();
      if (!options.isIdle()) return;
      launcher.use(next);
      const started = await link.restart();
      if (!started.ok) log.warn({ message: started.error.message }, 'codex did not start for the new account');
    } finally {
      isSwitching = false;
      isWanted = launcher.isOutdated();
      options.onChange();
    }
  };
  const ask = async (...call: Parameters<typeof link.request>): Promise<Result<unknown>> => {
    asked += 1;
    try {
      return await link.request(...call);
    } finally {
      asked -= 1;
    }
  };
  const settleSoon = () =>
    void settle().catch((error: unknown) => log.error({ error }, 'codex was not started for the new account'));

  return {
    async read() {
      // Somebody may have signed in with the codex command.
      settleSoon();
      const answer = await link.request('account/read', { refreshToken: false });
      // While Codex, or its sign-in service, cannot be asked who it is, the login file still says whether there is one.
      const account = answer.ok ? (AccountResult.safeParse(answer.value).data?.account ?? null) : null;
      return {
        signed_in: account !== null || hasLogin(launcher.codexHome),
        demo: launcher.isDemo(),
        account,
        login,
        restart_pending: isWanted || isSwitching,
        limits,
      };
    },
    async loginWithKey(apiKey) {
      const answer = await ask('account/login/start', { type: 'apiKey', apiKey });
      if (!answer.ok) return withoutKey(answer.error, apiKey);
      login = {
        login_id: null,
        type: 'api_key',
        state: 'completed',
        verification_url: null,
        user_code: null,
        reason: null,
      };
      options.onChange();
      settleSoon();
      return ok({ login_id: null });
    },
    async loginWithDevice() {
      markBefore = loginMark(launcher.codexHome);
      const answer = await link.request(
        'account/login/start',
        { type: 'chatgptDeviceCode' },
        { timeoutMs: DEVICE_TIMEOUT_MS },
      );
      if (!answer.ok && answer.error.code === 'codex_error') {
        return fail(
          'codex_error',
          `Codex got no sign-in code: ${answer.error.message}. Check the network, or use an API key.`,
          { method: 'account/login/start' },
        );
      }
      if (!answer.ok) return answer;
      const code = DeviceLoginResult.safeParse(answer.value);
      if (!code.success) return fail('codex_error', 'Codex gave an unreadable answer to account/login/start');
      const { loginId, verificationUrl, userCode } = code.data;
      login = {
        login_id: loginId,
        type: 'chatgpt_device',
        state: 'waiting',
        verification_url: verificationUrl,
        user_code: userCode,
        reason: null,
      };
      options.onChange();
      return ok({ login_id: loginId, verification_url: verificationUrl, user_code: userCode });
    },
    async cancel(loginId) {
      const answer = await link.request('account/login/cancel', { loginId });
      const isUnknown = answer.ok
        ? CancelLoginResult.safeParse(answer.value).data?.status === 'notFound'
        : isUnknownLogin(answer.error);
      if (isUnknown) return fail('not_found', 'no login waits under this id');
      if (!answer.ok) return answer;
      if (login?.login_id === loginId) end('cancelled');
      settleSoon();
      return ok(null);
    },
    async logout() {
      const answer = await ask('account/logout', {});
      if (!answer.ok) return answer;
      login = null;
      limits = null;
      options.onChange();
      settleSoon();
      return ok(null);
    },
    accept(signal) {
      if (signal.type === 'limits.updated') {
        setLimits(readLimits(signal.limits));
        return;
      }
      const isAccount = signal.type === 'ignored' && signal.method.startsWith('account/');
      if (signal.type === 'login.completed') {
        const { codexHome } = launcher;
        const isIn = hasLogin(codexHome) && loginMark(codexHome) !== markBefore;
        end(isIn ? 'completed' : 'failed', isIn ? null : signal.error);
      } else if (isAccount) options.onChange();
      else return;
      settleSoon();
    },
    noticeLogin() {
      options.onChange();
      settleSoon();
    },
    settleWhenIdle() {
      if (isWanted) settleSoon();
    },
  };
}

/** Whatever Codex says of a key it refuses, the key itself is not repeated. */
function withoutKey({ code, message }: Failure, apiKey: string): Result<never> {
  return fail(code, message.replaceAll(apiKey, '…'), { method: 'account/login/start' });
}
