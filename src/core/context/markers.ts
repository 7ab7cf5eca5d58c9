/** Tells contextual state from a person's words in history, where both have the user's role. */

/** Tags Codex, of any version, wraps round what no person said. */
const TAGS = [
  'environment_context',
  'user_instructions',
  'user_shell_command',
  'turn_aborted',
  'skill',
  'user_action',
  'codex_internal_context',
  'subagent_notification',
  'external_[\\w.:-]*',
];
const WHOLE = new RegExp(`^<(${TAGS.join('|')})(?:\\s[^>]*)?>.*</\\1>$`, 's');
const OPENINGS = [
  /^# AGENTS\.md instructions for [^\n]*\n\n<INSTRUCTIONS>.*<\/INSTRUCTIONS>$/s,
  /^These AGENTS\.md instructions replace all previously provided AGENTS\.md instructions\./,
  /^Another language model started to solve this problem and produced a summary/,
];

/** Whether the whole text is such state. Only for text whose author is unknown: what we handed to Codex ourselves is the person's. */
export function isContextual(text: string): boolean {
  const body = text.trim();
  return WHOLE.test(body) || OPENINGS.some((opening) => opening.test(body));
}
