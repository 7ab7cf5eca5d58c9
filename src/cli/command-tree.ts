/** The tree of commands as plain values: what completions and the man page are made from. */
import type { Argument, Command, Option } from 'commander';
import { type Example, examplesOf } from './examples.ts';

/** What follows an option, or stands in the place of an argument. */
export type ValueKind =
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'file' | 'directory' | 'conversation' | 'codex-thread' | 'text' };

export interface OptionNode {
  /** As a person reads it: `-n, --limit <count>`. */
  readonly flags: string;
  readonly short: string | null;
  readonly long: string;
  readonly description: string;
  /** Null for a switch. */
  readonly value: ValueKind | null;
}

interface ArgumentNode {
  readonly name: string;
  readonly description: string;
  readonly value: ValueKind;
}

export interface CommandNode {
  /** Without the program's name; empty for the program itself. */
  readonly path: readonly string[];
  readonly description: string;
  /** What follows the name: `[options] <conversation>`. */
  readonly usage: string;
  readonly options: readonly OptionNode[];
  readonly arguments: readonly ArgumentNode[];
  readonly examples: readonly Example[];
  readonly children: readonly CommandNode[];
}

export function readTree(command: Command, path: readonly string[] = []): CommandNode {
  return {
    path,
    description: command.description(),
    usage: command.usage(),
    options: command.options.filter((option) => !option.hidden).map(readOption),
    arguments: command.registeredArguments.map(readArgument),
    examples: examplesOf(command),
    children: command.commands.map((child) => readTree(child, [...path, child.name()])),
  };
}

/** A command and all below it, in the order of the help. */
export function flatten(node: CommandNode): readonly CommandNode[] {
  return [node, ...node.children.flatMap(flatten)];
}

function readOption(option: Option): OptionNode {
  const takesValue = option.required || option.optional;
  return {
    flags: option.flags,
    short: option.short ?? null,
    long: option.long ?? '',
    description: option.description,
    value: takesValue ? kindOf(option.argChoices, option.flags) : null,
  };
}

function readArgument(argument: Argument): ArgumentNode {
  const name = argument.name();
  const term = argument.required ? `<${name}>` : `[${name}]`;
  return { name: term, description: argument.description, value: kindOf(argument.argChoices, term) };
}

/** The word in the brackets says what is meant, to people and to the shell. */
function kindOf(choices: readonly string[] | undefined, term: string): ValueKind {
  if (choices !== undefined) return { kind: 'choice', choices };
  if (/[<[](dir|folder)[.\]>]/.test(term)) return { kind: 'directory' };
  // An option `--thread` takes what names a conversation; the argument of `import` is a thread that may have none yet.
  if (/[<[]conversation[.\]>]|--thread /.test(term)) return { kind: 'conversation' };
  if (term === '<thread>') return { kind: 'codex-thread' };
  return { kind: /[<[](file|path|spec)[.\]>]/.test(term) ? 'file' : 'text' };
}
