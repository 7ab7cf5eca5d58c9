/** Examples of a command, kept beside it: its `--help` and its part of the man page are made from the same lines. */
import type { Command } from 'commander';

/** A command line, and what it is for. */
export type Example = readonly [line: string, purpose: string];

const known = new WeakMap<Command, readonly Example[]>();

export function withExamples(command: Command, ...examples: readonly Example[]): Command {
  known.set(command, examples);
  const lines = examples.map(([line, purpose]) => `  $ ${line}\n      ${purpose}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

export const examplesOf = (command: Command): readonly Example[] => known.get(command) ?? [];
