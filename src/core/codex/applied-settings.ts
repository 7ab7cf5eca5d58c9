/** Codex's words for the settings a thread runs with → ours. It says them in two places, and the sandbox under two names. Pure. */
import { isRecord } from '../text/is-record.ts';
import type { AppliedSettings } from './signal.ts';

export const NOTHING_APPLIED: AppliedSettings = { sandboxType: null, model: null, mode: null };

interface SaidSettings {
  readonly sandbox?: unknown;
  readonly model?: unknown;
  readonly collaborationMode?: unknown;
}

export function appliedSettings({ sandbox, model, collaborationMode: mode }: SaidSettings): AppliedSettings {
  return {
    sandboxType: isRecord(sandbox) && typeof sandbox.type === 'string' ? sandbox.type : null,
    model: typeof model === 'string' ? model : null,
    mode: isRecord(mode) && typeof mode.mode === 'string' ? mode.mode : null,
  };
}

/** A setting that Codex does not mention keeps its last known value. */
export function mergeApplied(before: AppliedSettings, said: AppliedSettings): AppliedSettings {
  return {
    sandboxType: said.sandboxType ?? before.sandboxType,
    model: said.model ?? before.model,
    mode: said.mode ?? before.mode,
  };
}
