/** Workspace trust: what a project would load, and the person's decision about it. */
import type { Result } from '../../contract/result.ts';
import type { RouteCall, RouteOutput } from '../../contract/routes.ts';
import type { Call } from './call.ts';

export interface TrustCommands {
  readProject(cwd: string): Promise<Result<RouteOutput<'trustProject'>>>;
  decideProject(decision: RouteCall<'trustDecide'>): Promise<Result<RouteOutput<'trustDecide'>>>;
  readDecisions(): Promise<Result<RouteOutput<'trustList'>>>;
  revokeTrust(path: string): Promise<Result<RouteOutput<'trustRevoke'>>>;
}

export function createTrustCommands(call: Call): TrustCommands {
  return {
    readProject: (cwd) => call('trustProject', { cwd }),
    decideProject: (decision) => call('trustDecide', decision),
    readDecisions: () => call('trustList', {}),
    revokeTrust: (path) => call('trustRevoke', { path }),
  };
}
