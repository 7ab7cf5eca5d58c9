/** Route id → service call, for workspace trust. No logic. */
import { ok } from '../../contract/result.ts';
import type { TRUST_ROUTES } from '../../contract/routes-trust.ts';
import type { HandlersFor, Services } from './services.ts';

export function trustHandlers({ trust }: Services): HandlersFor<typeof TRUST_ROUTES> {
  return {
    trustList: async () => ok({ decisions: [...trust.decisions()] }),
    trustProject: async ({ cwd }) => ok(await trust.check(cwd)),
    trustDecide: ({ cwd, decision, folders }) => trust.decide(cwd, decision, folders),
    async trustRevoke({ path }) {
      const revoked = await trust.revoke(path);
      return revoked.ok ? ok({ ok: true }) : revoked;
    },
  };
}
