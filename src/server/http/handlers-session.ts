/** Route id → service call, for browser sessions. No logic. */
import { TOKEN_SCOPES } from '../../contract/access.ts';
import { ok } from '../../contract/result.ts';
import type { SESSION_ROUTES } from '../../contract/routes-session.ts';
import { stepsOfLogin } from '../../core/access/step-up.ts';
import type { HandlersFor, Services } from './services.ts';

export function sessionHandlers({ sessions, access }: Services): HandlersFor<typeof SESSION_ROUTES> {
  return {
    session: async (_input, caller) =>
      ok(
        caller.kind === 'token'
          ? {
              credential: 'api_token',
              may: [...caller.scopes],
              token_id: caller.id,
              ...(caller.conversationId !== undefined && { conversation_id: caller.conversationId }),
            }
          : caller.kind === 'agent'
            ? { credential: 'agent', may: [] }
            : { credential: 'session', may: [...TOKEN_SCOPES, 'owner'] },
      ),
    logIn: sessions.logIn,
    awaitLogin: ({ wait }, _caller, signal) => sessions.awaitLogin(wait, signal),
    listLogins: async () => ok({ logins: sessions.waiting.list() }),
    async answerLogin({ login_id, answer, confirm }, caller) {
      const browser = sessions.waiting.list().find(({ id }) => id === login_id)?.browser;
      // The card is the confirmation; a password, where there is one, is asked for besides.
      const needsPassword = answer === 'allow' && browser !== undefined && (await access.password.isSet());
      const steps = needsPassword ? stepsOfLogin(browser) : [];
      const change = ['answerLogin', login_id, answer];
      const confirmed = await access.confirmations.require({ caller, steps, change, confirm });
      if (!confirmed.ok) return confirmed;
      const answered = sessions.waiting.answer(login_id, answer);
      return answered.ok ? ok({ ok: true }) : answered;
    },
    challenge: async ({ session_id }) => ok({ challenge: sessions.challenge(session_id) }),
    prove: async (input) => sessions.prove(input),
    async logout(_input, caller) {
      if (caller.kind === 'session') await sessions.endSession(caller.id);
      return ok({ ok: true });
    },
  };
}
