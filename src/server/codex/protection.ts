/** Keeps the server's home and Codex's credentials out of the sandbox, with the Codex versions that offer it. */

import { ok, type Result } from '../../contract/result.ts';
import type { Profiles } from '../../core/codex/params.ts';
import { type ProtectedPaths, profilesConfig, readWorkspaceWrite } from '../../core/codex/permission-profiles.ts';
import { isWrongType } from '../../core/codex/refusal.ts';
import type { Requester } from './ask.ts';

export interface Protection {
  /** Whether the threads that were loaded into this Codex have profiles. */
  hasProfiles(): boolean;
  /**
   * The profiles for a thread in this directory, with what the user's config says now; null if Codex knows none. Fails if Codex does not
   * answer: a thread must not be loaded without protection because a question about it was not heard.
   */
  profiles(cwd: string): Promise<Result<Profiles>>;
}

/** Codex answers both from memory; a thread waits for them. */
const TIMEOUT_MS = 5_000;
const NO_THREAD = '00000000-0000-0000-0000-000000000000';

/**
 * 0.140.0 and 0.155.0 know profiles, but forget those of the thread when a turn names one, and refuse the turn; 0.166.0 is the first version that
 * was seen to keep them. A version that cannot be read is taken for a newer one.
 */
const FIRST_WITH_PROFILES = [0, 166];
export function keepsProfiles(version: string | null): boolean {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  if (version === null || Number.isNaN(major) || Number.isNaN(minor)) return true;
  const [firstMajor = 0, firstMinor = 0] = FIRST_WITH_PROFILES;
  return major > firstMajor || (major === firstMajor && minor >= firstMinor);
}

export function createProtection(link: Requester, paths: ProtectedPaths, version: () => string | null): Protection {
  let known: { readonly epoch: string; readonly answer: Promise<Result<boolean>> } | null = null;
  let epochWithProfiles: string | null = null;

  /** A turn in no thread, with a number where the name goes: a Codex that knows profiles complains of the number, an older one of the thread. */
  const probe = async (): Promise<Result<boolean>> => {
    const params = { threadId: NO_THREAD, input: [], permissions: 0 };
    const answer = await link.request('turn/start', params, { timeoutMs: TIMEOUT_MS });
    if (!answer.ok && answer.error.code !== 'codex_error') {
      known = null;
      return answer;
    }
    return ok(!answer.ok && isWrongType(answer.error));
  };

  const offersProfiles = (): Promise<Result<boolean>> => {
    const { epoch } = link.dialect();
    if (known === null || known.epoch !== epoch) known = { epoch, answer: probe() };
    return known.answer;
  };

  return {
    hasProfiles: () => epochWithProfiles === link.dialect().epoch,
    async profiles(cwd) {
      const offered = await offersProfiles();
      if (!offered.ok) return offered;
      if (!offered.value || !keepsProfiles(version())) return ok(null);
      epochWithProfiles = link.dialect().epoch;
      const config = await link.request('config/read', { includeLayers: false }, { timeoutMs: TIMEOUT_MS });
      return ok(profilesConfig(paths, cwd, readWorkspaceWrite(config.ok ? config.value : null)));
    },
  };
}
