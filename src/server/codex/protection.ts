/** Keeps the server's home and Codex's credentials out of the sandbox, with the Codex versions that offer it. */

import type { Profiles } from '../../core/codex/params.ts';
import { type ProtectedPaths, profilesConfig, readWorkspaceWrite } from '../../core/codex/permission-profiles.ts';
import { isWrongType } from '../../core/codex/refusal.ts';
import type { Requester } from './ask.ts';

export interface Protection {
  /** Whether the threads that were loaded into this Codex have profiles. */
  hasProfiles(): boolean;
  /** The profiles for a thread in this directory, with what the user's config says now; null if Codex knows none. */
  profiles(cwd: string): Promise<Profiles>;
}

const TIMEOUT_MS = 10_000;
const NO_THREAD = '00000000-0000-0000-0000-000000000000';

export function createProtection(link: Requester, paths: ProtectedPaths): Protection {
  let known: { readonly epoch: string; readonly answer: Promise<boolean> } | null = null;
  let epochWithProfiles: string | null = null;

  /** A turn in no thread, with a number where the name goes: a Codex that knows profiles complains of the number, an older one of the thread. */
  const probe = async (): Promise<boolean> => {
    const params = { threadId: NO_THREAD, input: [], permissions: 0 };
    const answer = await link.request('turn/start', params, { timeoutMs: TIMEOUT_MS });
    if (!answer.ok && answer.error.code !== 'codex_error') known = null;
    return !answer.ok && isWrongType(answer.error);
  };

  const offersProfiles = (): Promise<boolean> => {
    const { epoch } = link.dialect();
    if (known === null || known.epoch !== epoch) known = { epoch, answer: probe() };
    return known.answer;
  };

  return {
    hasProfiles: () => epochWithProfiles === link.dialect().epoch,
    async profiles(cwd) {
      if (!(await offersProfiles())) return null;
      epochWithProfiles = link.dialect().epoch;
      const config = await link.request('config/read', { includeLayers: false }, { timeoutMs: TIMEOUT_MS });
      return profilesConfig(paths, cwd, readWorkspaceWrite(config.ok ? config.value : null));
    },
  };
}
