/** The man page, written in the macros of man(7) from the same texts as `--help`. */
import { type CommandNode, flatten } from './command-tree.ts';
import type { Example } from './examples.ts';

export interface ManPage {
  readonly tree: CommandNode;
  readonly version: string;
  readonly exitCodes: readonly (readonly [code: number, meaning: string])[];
}

export function renderManPage({ tree, version, exitCodes }: ManPage): string {
  const commands = flatten(tree).filter(({ path, children }) => path.length > 0 && children.length === 0);
  return [
    `.TH SIGNALBOX 1 "" "Signalbox ${version}" "User Commands"`,
    '.SH NAME',
    'signalbox \\- the Codex agent server',
    '.SH SYNOPSIS',
    '.B signalbox',
    '[\\fIoptions\\fR] [\\fIcommand\\fR] [\\fIarguments\\fR]',
    '.SH DESCRIPTION',
    text(tree.description),
    'It runs the real Codex, keeps every conversation on disk, and shows them on a page on this machine.',
    '.SH OPTIONS',
    'Every command takes these.',
    ...tree.options.flatMap(({ flags, description }) => item(flags, description)),
    ...item('-h, --help', 'show help'),
    '.SH COMMANDS',
    ...commands.flatMap(renderCommand),
    '.SH EXAMPLES',
    ...renderExamples(tree.examples),
    '.SH EXIT STATUS',
    ...exitCodes.flatMap(([code, meaning]) => item(String(code), meaning)),
    '.SH ENVIRONMENT',
    ...item('SIGNALBOX_HOME', 'where the server keeps its files'),
    ...item('CODEX_HOME', 'where Codex keeps its files'),
    ...item('NO_COLOR', 'print no colors'),
    '.SH FILES',
    ...item('$XDG_CONFIG_HOME/signalbox/config.toml', 'settings'),
    ...item('$XDG_DATA_HOME/signalbox', 'the home of the server, unless SIGNALBOX_HOME names another'),
    ...item('run/server.json', 'in the home: the address and the token of the server that runs, for scripts'),
    '',
  ].join('\n');
}

function renderCommand(node: CommandNode): string[] {
  const line = `signalbox ${node.path.join(' ')} ${node.usage}`.trimEnd();
  return [
    `.SS ${quoted(line)}`,
    text(`${node.description}.`),
    ...node.arguments.flatMap(({ name, description }) => item(name, description)),
    ...node.options.flatMap(({ flags, description, value }) =>
      item(flags, value?.kind === 'choice' ? `${description} (${value.choices.join(', ')})` : description),
    ),
    ...renderExamples(node.examples),
  ];
}

function renderExamples(examples: readonly Example[]): string[] {
  return examples.flatMap(([line, purpose]) => ['.PP', text(`${purpose}:`), '.RS', '.nf', text(line), '.fi', '.RE']);
}

function item(term: string, description: string): string[] {
  return ['.TP', `.B ${quoted(term)}`, text(description)];
}

/** In roff a backslash begins an escape, a first period or quote a request, and a hyphen is not a minus. */
function text(line: string): string {
  const escaped = line.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('`', '\\(ga');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

const quoted = (line: string): string => `"${text(line).replaceAll('"', '\\(dq')}"`;
