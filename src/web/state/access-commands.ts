/** Tokens of programs, the password of the second confirmation, and that confirmation itself. */
import type { ConfirmationDetails } from '../../contract/access.ts';
import type { Failure } from '../../contract/result.ts';
import type { RouteCall, RouteOutput } from '../../contract/routes.ts';
import type { CommandPorts } from './command-ports.ts';
import type { Said } from './confirm-calls.ts';
import type { AppStore } from './store.ts';

type Tokens = RouteOutput<'listTokens'>['tokens'];

export interface AccessCommands {
  listTokens(): Promise<Tokens | null>;
  /** Null: not made, and the reason was said. */
  createToken(wanted: RouteCall<'createToken'>): Promise<RouteOutput<'createToken'> | null>;
  revokeToken(id: string): Promise<boolean>;
  hasPassword(): Promise<boolean | null>;
  /** The new browsers that wait to be let in. */
  readLogins(): Promise<void>;
  answerLogin(id: string, answer: 'allow' | 'refuse'): Promise<void>;
  /** Null when it was done; else why not. */
  writePassword(change: RouteCall<'writePassword'>): Promise<Failure | null>;
}

export function createAccessCommands({ call, said, store }: CommandPorts): AccessCommands {
  async function readLogins(): Promise<void> {
    const read = await call('listLogins', {});
    if (read.ok) store.setState({ logins: read.value.logins });
  }
  return {
    readLogins,
    answerLogin: async (id, answer) => {
      await said(call('answerLogin', { login_id: id, answer }));
      await readLogins();
    },
    listTokens: async () => (await said(call('listTokens', {})))?.tokens ?? null,
    createToken: (wanted) => said(call('createToken', wanted)),
    revokeToken: async (id) => (await said(call('revokeToken', { token_id: id }))) !== null,
    hasPassword: async () => (await said(call('readPassword', {})))?.is_set ?? null,
    writePassword: async (change) => {
      const done = await call('writePassword', change);
      return done.ok ? null : done.error;
    },
  };
}

/** Shows the dialog of a confirmation and waits for the answer. A newer one takes the place of an older one, which is then cancelled. */
export function createAskPerson(store: AppStore): (details: ConfirmationDetails) => Promise<Said> {
  return (details) =>
    new Promise((done) => {
      store.getState().confirmation?.answer(null);
      const answer = (said: Said) => {
        store.setState({ confirmation: null });
        done(said);
      };
      store.setState({ confirmation: { details, answer } });
    });
}
