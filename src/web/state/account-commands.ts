/** Who Codex is signed in as, and signing in. The key passes through and is kept nowhere. */
import type { RouteCall } from '../../contract/routes.ts';
import type { Call } from './call.ts';
import type { AppStore } from './store.ts';

export interface AccountCommands {
  readAccount(): Promise<void>;
  /** Null when it was begun; else why not. */
  logIn(how: RouteCall<'accountLogin'>): Promise<string | null>;
  cancelLogin(loginId: string): Promise<void>;
  logOut(): Promise<string | null>;
  /** Ends the session of this browser on the server; null when done, else why not. */
  endSession(): Promise<string | null>;
}

/** A person types a code elsewhere meanwhile; nobody notices a second. */
const LOOK_MS = 1_500;

export function createAccountCommands(store: AppStore, call: Call): AccountCommands {
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function readAccount(): Promise<void> {
    clearTimeout(timer);
    const read = await call('account', {});
    if (read.ok) store.setState({ account: read.value });
    const account = store.getState().account;
    const isMoving = account !== null && (account.login?.state === 'waiting' || account.restart_pending);
    clearTimeout(timer);
    if (isMoving) timer = setTimeout(() => void readAccount(), LOOK_MS);
  }

  return {
    readAccount,
    logIn: async (how) => {
      const begun = await call('accountLogin', how);
      await readAccount();
      return begun.ok ? null : begun.error.message;
    },
    cancelLogin: async (loginId) => {
      await call('accountLoginCancel', { login_id: loginId });
      await readAccount();
    },
    endSession: async () => {
      const ended = await call('logout', {});
      return ended.ok ? null : ended.error.message;
    },
    logOut: async () => {
      const out = await call('accountLogout', {});
      await readAccount();
      return out.ok ? null : out.error.message;
    },
  };
}
