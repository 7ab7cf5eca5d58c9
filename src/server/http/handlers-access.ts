/** Route id → service call, for tokens and the password. Who may give which rights is decided in `core/access`. */
import { fail, ok } from '../../contract/result.ts';
import type { ACCESS_ROUTES } from '../../contract/routes-access.ts';
import { stepsOfToken } from '../../core/access/step-up.ts';
import { refuseNewToken, refuseRevoking } from '../../core/access/token-rights.ts';
import type { HandlersFor, Services } from './services.ts';

export function accessHandlers({ access, registry }: Services): HandlersFor<typeof ACCESS_ROUTES> {
  const { tokens, password, confirmations } = access;
  return {
    listTokens: async () => ok({ tokens: [...tokens.list()] }),
    async createToken({ confirm, ...wanted }, caller) {
      const refusal = refuseNewToken(caller, wanted);
      if (refusal !== null) return { ok: false, error: refusal };
      const { conversation_id: id } = wanted;
      if (id !== undefined && !registry.isKnown(id))
        return fail('unknown_conversation', `there is no conversation ${id}`);
      const change = ['createToken', wanted];
      const confirmed = await confirmations.require({ caller, steps: stepsOfToken(wanted.scopes), change, confirm });
      if (!confirmed.ok) return confirmed;
      const { label, scopes, expires_in_days } = wanted;
      return tokens.create({ label, scopes, expiresInDays: expires_in_days, conversationId: id });
    },
    async revokeToken({ token_id }, caller) {
      const token = tokens.list().find(({ id }) => id === token_id);
      if (token === undefined) return fail('not_found', `there is no token ${token_id}`);
      const refusal = refuseRevoking(caller, token);
      if (refusal !== null) return { ok: false, error: refusal };
      const revoked = await tokens.revoke(token_id);
      return revoked.ok ? ok({ ok: true }) : revoked;
    },
    readPassword: async () => ok({ is_set: await password.isSet() }),
    writePassword: ({ current, password: next }) => password.change(current, next),
  };
}
