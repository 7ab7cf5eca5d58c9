/** How a command is typed into a shell so that it runs as one block, whatever it holds. */

export type ShellName = 'bash' | 'zsh' | 'fish';

/** Would end the line early, or be completed or expanded while it is typed, or leave the shell waiting for more. */
const NEEDS_EVAL = /[\u0000-\u001f\u007f!]|<<|\\$|(?:\||&&)\s*$/;
/** Words that open and close: a shell waits for the second. */
const PAIRS: Readonly<Record<ShellName, readonly (readonly [RegExp, RegExp])[]>> = {
  bash: [
    [word('if'), word('fi')],
    [word('case'), word('esac')],
    [word('do'), word('done')],
    [word('for|while|until|select'), word('done')],
  ],
  zsh: [
    [word('if'), word('fi')],
    [word('case'), word('esac')],
    [word('do'), word('done')],
    [word('for|while|until|select'), word('done')],
  ],
  fish: [[word('if|for|while|switch|begin|function'), word('end')]],
};
const BRACKETS = ['()', '[]', '{}'] as const;
const QUOTES = [`'`, '"', '`'] as const;
/** Ctrl-E, Ctrl-U: what somebody had begun to type goes; Ctrl-Y brings it back. */
const KILL_LINE = '\u0005\u0015';

/** What to type, with the Enter: a plain command as it is, any other one as the argument of `eval`. */
export function typeCommand(shell: ShellName, command: string, hasTyped: boolean): string {
  const isPlain = !NEEDS_EVAL.test(command) && isComplete(shell, command);
  return `${hasTyped ? KILL_LINE : ''}${isPlain ? command : evalOf(shell, command)}\r`;
}

function evalOf(shell: ShellName, command: string): string {
  if (shell === 'fish') return `eval ${command.replace(/[^A-Za-z0-9_./\u0080-\u{10ffff}]/gu, hexOf)}`;
  return `eval $'${command.replace(/[\u0000-\u001f\u007f\\'!]/g, hexOf)}'`;
}

const hexOf = (char: string): string => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Roughly: a wrong "no" only makes the typed line longer, and a wrong "yes" needs a quote inside a quote. */
function isComplete(shell: ShellName, command: string): boolean {
  return (
    QUOTES.every((quote) => command.split(quote).length % 2 === 1) &&
    BRACKETS.every(([left = '', right = '']) => command.split(left).length === command.split(right).length) &&
    PAIRS[shell].every(([opens, closes]) => count(command, opens) === count(command, closes))
  );
}

function word(words: string): RegExp {
  return new RegExp(`(?<![\\w-])(?:${words})(?![\\w-])`, 'g');
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
