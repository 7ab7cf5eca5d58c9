/** Workspace trust, and what the conversations ask of it before they open a thread. */
import { fail, ok } from '../../contract/result.ts';
import { obeysLevels } from '../../core/trust/project-levels.ts';
import type { Clock } from '../../node/clock.ts';
import type { Seals } from '../../node/seals.ts';
import type { ShipOptions } from '../changes/ship.ts';
import type { CodexControl } from '../codex/codex-control.ts';
import type { ProjectPort } from '../conversations/ports.ts';
import { createWorkspaceTrust, type WorkspaceTrust } from '../trust/trust.ts';
import { openTrustStore } from '../trust/trust-store.ts';

interface TrustOptions {
  readonly home: string;
  readonly codexHome: string;
  readonly seals: Seals;
  readonly link: Pick<CodexControl, 'start' | 'status'>;
  readonly clock: Clock;
}

export async function composeTrust({ home, codexHome, seals, link, clock }: TrustOptions): Promise<{
  readonly trust: WorkspaceTrust;
  readonly project: ProjectPort;
  readonly programs: ShipOptions['trust'];
}> {
  const store = await openTrustStore(home, seals);
  const trust = createWorkspaceTrust({ store, codexHome, nowMs: clock.now });
  const project: ProjectPort = async (cwd) => {
    const access = await trust.accessOf(cwd);
    if (access.withheld.length === 0) return ok(access);
    // Its version is known when it has started; one that is stopped on purpose stays so.
    if (['starting', 'restarting'].includes(link.status().state)) await link.start();
    const { version } = link.status();
    if (obeysLevels(version)) return ok(access);
    return fail(
      'conflict',
      `Codex ${version} loads every project configuration without asking, and ${access.withheld.join(', ')} has one that nobody trusted: trust it in the page, remove its .codex folder, or use a newer Codex`,
    );
  };
  // A decision about the programs of a repository stands beside those about project configurations, so the same commands list and revoke it.
  const programs: ShipOptions['trust'] = {
    isTrusted: (path, hash) =>
      store.decisions().some((one) => one.path === path && one.hash === hash && one.decision === 'trusted'),
    trust: (path, hash) =>
      store.add([{ path, hash, decision: 'trusted', decided_at: new Date(clock.now()).toISOString() }]),
  };
  return { trust, project, programs };
}
