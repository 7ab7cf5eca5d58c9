/** Tells contextual state from a person's words in history, where both have the user's role. */

import { CODEX_TAGS, matches } from './fragment.ts';
import { SPECS } from './specs.ts';

const WHOLE = new RegExp(`^<(${CODEX_TAGS.join('|')})(?:\\s[^>]*)?>.*</\\1>$`, 's');
const OPENINGS = [
  /^# AGENTS\.md instructions for [^\n]*\n\n<INSTRUCTIONS>.*<\/INSTRUCTIONS>$/s,
  /^These AGENTS\.md instructions replace all previously provided AGENTS\.md instructions\./,
  /^Another language model started to solve this problem and produced a summary/,
];

/** Whether the whole text is such state. Only for text whose author is unknown: what we handed to Codex ourselves is the person's. */
export function isContextual(text: string): boolean {
  const body = text.trim();
  const isOurs = Object.values(SPECS).some((spec) => spec.role === 'contextual-user' && matches(spec, body));
  return isOurs || WHOLE.test(body) || OPENINGS.some((opening) => opening.test(body));
}
