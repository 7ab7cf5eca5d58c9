/** What a person calls the program of Codex that a command line started, or that began a turn. Pure. */

export const OTHER_PROGRAM = 'another Codex program';
export const APP_SERVER = 'an editor or another app server';

/** `words`: the command line of a Codex process. */
export function programOfCommand(words: readonly string[]): string {
  const [command, ...args] = words;
  if (command === undefined) return OTHER_PROGRAM;
  const isNamed = (name: string) => args.includes(name);
  if (isNamed('exec') || isNamed('e')) return 'codex exec';
  if (isNamed('app-server')) return APP_SERVER;
  if (isNamed('mcp-server')) return 'an MCP client';
  return /(^|\/)codex[^/]*$/.test(command) ? 'Codex TUI' : OTHER_PROGRAM;
}

/** `trigger`: what Codex notes about who began a turn; null where it notes nothing. */
export function programOfTrigger(trigger: string | null): string {
  switch (trigger) {
    case 'exec':
      return 'codex exec';
    case 'cli':
    case 'tui':
      return 'Codex TUI';
    default:
      return OTHER_PROGRAM;
  }
}
