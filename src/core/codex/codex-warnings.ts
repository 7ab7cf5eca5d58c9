/** Warnings of Codex that belong to no thread, for example about its configuration: which of them are shown. Pure. */
import type { Signal } from './signal.ts';

/** A person reads so many at most; a Codex that warns without end must not fill the page. */
const MAX_WARNINGS = 5;
/** Longer than any warning of Codex, and short enough for a banner that scrolls. */
const MAX_LENGTH = 2_000;

/**
 * What Codex says where it leaves out the `.codex` folder of a project. Signalbox asks about each such folder itself, and what Codex advises
 * (an entry in `config.toml`) changes nothing here.
 */
const ABOUT_TRUST = /^Project-local config.* until the project is trusted/;

/** The warnings after `signal`: the newest last, each once. The same list if `signal` is no such warning. */
export function addWarning(warnings: readonly string[], signal: Signal): readonly string[] {
  if (signal.type !== 'warning' || signal.threadId !== null) return warnings;
  const text = signal.text.trim().slice(0, MAX_LENGTH);
  if (text === '' || ABOUT_TRUST.test(text) || warnings.includes(text)) return warnings;
  return [...warnings, text].slice(-MAX_WARNINGS);
}
