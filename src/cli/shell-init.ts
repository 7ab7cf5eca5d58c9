/** `shell-init`: the prompt marks of the shared terminal for a shell that was started inside of one. */
import { readFileSync } from 'node:fs';

/** Above this line of each script is what only the first shell of a terminal needs. */
const SHARED_FROM = /^# From here on: also for a nested shell.*\n/m;
const SCRIPTS = { bash: 'bash.sh', zsh: 'zsh.zsh', fish: 'fish.fish' } as const;
type MarkedShell = keyof typeof SCRIPTS;

/**
 * A mark counts only with the nonce of its terminal, which no child inherits: whoever wants blocks from a nested shell hands it on
 * by name. It is taken out of the environment at once, before any command could see it. It does not change with each prompt there: the
 * shell outside, which knows only this nonce, could not go on.
 */
const TAKE_NONCE: Readonly<Record<MarkedShell, string>> = {
  bash: `__sb_nonce=\${SIGNALBOX_NONCE-}\n__sb_rotates=\nunset SIGNALBOX_NONCE\n`,
  zsh: `typeset -g +x __sb_nonce=\${SIGNALBOX_NONCE-}\ntypeset -g __sb_rotates=\nunset SIGNALBOX_NONCE\n`,
  fish: `set -g __sb_nonce "$SIGNALBOX_NONCE"\nset -g __sb_rotates ''\nset -e SIGNALBOX_NONCE\n`,
};

export function renderShellInit(shell: MarkedShell): string {
  const text = readFileSync(new URL(`../../shell-integration/${SCRIPTS[shell]}`, import.meta.url), 'utf8');
  const [, marks] = text.split(SHARED_FROM);
  if (marks === undefined) throw new Error(`shell-integration/${SCRIPTS[shell]} has no part for nested shells`);
  return `# Prompt marks for a ${shell} in a Signalbox terminal; without SIGNALBOX_NONCE it does nothing.\n${TAKE_NONCE[shell]}${marks}`;
}
