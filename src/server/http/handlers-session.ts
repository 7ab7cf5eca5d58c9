/** Route id → service call, for browser sessions. No logic. */
import { TOKEN_SCOPES } from '../../contract/access.ts';
import { ok } from '../../contract/result.ts';
import type { SESSION_ROUTES } from '../../contract/routes-session.ts';
import type { HandlersFor, Services } from './services.ts';

export function sessionHandlers({ sessions }: Services): HandlersFor<typeof SESSION_ROUTES> {
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
    challenge: async ({ session_id }) => ok({ challenge: sessions.challenge(session_id) }),
    prove: async (input) => sessions.prove(input),
    async logout(_input, caller) {
      if (caller.kind === 'session') await sessions.endSession(caller.id);
      return ok({ ok: true });
    },
  };
}
