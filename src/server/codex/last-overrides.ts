/**
 * The settings that Codex accepted with the last turn of a thread. A turn that would repeat them names none: Codex rebuilds its
 * configuration for every turn that names a setting, also the one it has, and takes about 6 ms more for that.
 */
import type { AppliedSettings } from '../../core/codex/signal.ts';

export interface LastOverrides {
  /** Whether Codex has exactly these settings. Forgets them: the request that follows may change them and lose its answer. */
  take(applied: AppliedSettings, overrides: Record<string, unknown>): boolean;
  /** Codex has accepted these settings. */
  keep(applied: AppliedSettings, overrides: Record<string, unknown>): void;
}

/**
 * Keyed by the object that holds what Codex last said about the settings of a thread. Whoever changes a setting, with whatever
 * program, makes Codex announce it, and a thread that is loaded again is described anew: both make another object, and the next turn names
 * every setting.
 */
export function createLastOverrides(): LastOverrides {
  const accepted = new WeakMap<AppliedSettings, string>();
  return {
    take(applied, overrides) {
      const last = accepted.get(applied);
      accepted.delete(applied);
      return last === JSON.stringify(overrides);
    },
    keep(applied, overrides) {
      accepted.set(applied, JSON.stringify(overrides));
    },
  };
}
