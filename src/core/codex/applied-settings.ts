/** Codex's words for the settings a thread runs with → ours. It says them in two places, and the sandbox under two names. Pure. */
import { isRecord } from '../text/is-record.ts';
import type { AppliedSettings } from './signal.ts';

export const NOTHING_APPLIED: AppliedSettings = {
  sandboxType: null,
  networkAccess: null,
  model: null,
  effort: null,
  mode: null,
};

interface SaidSettings {
  readonly sandbox?: unknown;
  readonly model?: unknown;
  /** The answer to a started or resumed thread says `reasoningEffort`, the notification `effort`. */
  readonly reasoningEffort?: unknown;
  readonly effort?: unknown;
  readonly collaborationMode?: unknown;
}

export function appliedSettings(said: SaidSettings): AppliedSettings {
  const { sandbox, model, collaborationMode: mode } = said;
  const effort = said.reasoningEffort ?? said.effort;
  return {
    sandboxType: isRecord(sandbox) && typeof sandbox.type === 'string' ? sandbox.type : null,
    networkAccess: isRecord(sandbox) ? readNetwork(sandbox.networkAccess) : null,
    model: typeof model === 'string' ? model : null,
    effort: typeof effort === 'string' ? effort : null,
    mode: isRecord(mode) && typeof mode.mode === 'string' ? mode.mode : null,
  };
}

/** Codex says it as a boolean or as a word, depending on the kind of sandbox. */
function readNetwork(said: unknown): boolean | null {
  if (typeof said === 'boolean') return said;
  return said === 'enabled' ? true : said === 'restricted' ? false : null;
}

/** A setting that Codex does not mention keeps its last known value. */
export function mergeApplied(before: AppliedSettings, said: AppliedSettings): AppliedSettings {
  return {
    sandboxType: said.sandboxType ?? before.sandboxType,
    networkAccess: said.sandboxType === null ? before.networkAccess : said.networkAccess,
    model: said.model ?? before.model,
    // Codex names both in one place: no effort beside a model is the model's own default.
    effort: said.model === null ? before.effort : said.effort,
    mode: said.mode ?? before.mode,
  };
}
