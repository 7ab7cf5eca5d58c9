/** Route id → service call, for workspace trust. No logic. */
import { ok } from '../../contract/result.ts';
import type { TRUST_ROUTES } from '../../contract/routes-trust.ts';
import { stepsOfTrust } from '../../core/access/step-up.ts';
import { confirmChange, type HandlersFor, type Services } from './services.ts';

export function trustHandlers(services: Services): HandlersFor<typeof TRUST_ROUTES> {
  const { trust } = services;
  return {
    trustList: async () => ok({ decisions: [...trust.decisions()] }),
    trustProject: async ({ cwd }) => ok(await trust.check(cwd)),
    async trustDecide({ confirm, ...decided }, caller) {
      const steps = stepsOfTrust(decided.decision, decided.folders);
      const confirmed = await confirmChange(services, { caller, steps, change: ['trustDecide', decided], confirm });
      return confirmed.ok ? trust.decide(decided.cwd, decided.decision, decided.folders) : confirmed;
    },
    async trustRevoke({ path }) {
      const revoked = await trust.revoke(path);
      return revoked.ok ? ok({ ok: true }) : revoked;
    },
  };
}
