/** Routes about workspace trust: what a project would load, and what a person decides about it. */
import { z } from 'zod';
import { Confirm } from './access.ts';
import { base, Ok, type RouteDef } from './route.ts';
import { ProjectTrust, SeenFolders, TrustDecision } from './trust.ts';

const path = z.string().min(1).max(4096).startsWith('/', 'expected an absolute path');

export const TRUST_ROUTES = {
  trustList: {
    method: 'GET',
    path: `${base}/trust`,
    scope: 'read',
    summary: 'What was decided about project configurations, the newest first',
    output: z.object({ decisions: z.array(TrustDecision) }),
    errors: [],
  },
  trustProject: {
    method: 'GET',
    path: `${base}/trust/project`,
    scope: 'read',
    summary: 'What the project configuration of a directory would run or change, and what was decided about it',
    query: z.object({ cwd: path }),
    output: ProjectTrust,
    errors: [],
  },
  trustDecide: {
    method: 'POST',
    path: `${base}/trust/project`,
    scope: 'owner',
    summary: 'Trusts the project configuration of a directory, or keeps it off, with the content that was shown',
    body: z.object({
      cwd: path,
      decision: TrustDecision.shape.decision,
      folders: SeenFolders,
      confirm: Confirm.optional(),
    }),
    output: ProjectTrust,
    errors: ['stale', 'conflict', 'storage_full', 'confirmation_required'],
  },
  trustRevoke: {
    method: 'POST',
    path: `${base}/trust/revoke`,
    scope: 'operate',
    summary: 'Forgets a decision: the configuration is off, and asked about again',
    body: z.object({ path }),
    output: Ok,
    errors: ['not_found', 'storage_full'],
  },
} as const satisfies Record<string, RouteDef>;
