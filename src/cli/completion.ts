/**
 * Completion scripts for bash, zsh and fish, made from the tree of commands. They start a process of ours only where names of
 * conversations or threads are wanted; without a server it prints none.
 */
import { type CommandNode, flatten, type OptionNode, type ValueKind } from './command-tree.ts';

export const COMPLETED_SHELLS = ['bash', 'zsh', 'fish'] as const;
export type CompletedShell = (typeof COMPLETED_SHELLS)[number];

/** Without a command the program is `serve`, so its options are offered there as well. */
const DEFAULT_COMMAND = 'serve';
const HELP: OptionNode = { flags: '-h, --help', short: '-h', long: '--help', description: 'show help', value: null };

export function renderCompletion(shell: CompletedShell, tree: CommandNode): string {
  switch (shell) {
    case 'bash':
      return renderBash(tree);
    case 'zsh':
      return renderZsh(tree);
    case 'fish':
      return renderFish(tree);
    default:
      return shell satisfies never;
  }
}

/** The command that prints the names a value can have, one a line; null for values that are not names. */
function namesCommand({ kind }: ValueKind): string | null {
  if (kind === 'conversation') return 'command signalbox conversations names 2>/dev/null';
  return kind === 'codex-thread' ? 'command signalbox conversations names --threads 2>/dev/null' : null;
}

/** Where somebody is: ` conversations list`, each name with a blank before it; empty at the program itself. */
const placeOf = (path: readonly string[]): string => path.map((name) => ` ${name}`).join('');

interface Place {
  readonly at: string;
  readonly node: CommandNode;
  readonly options: readonly OptionNode[];
}

function placesOf(tree: CommandNode): readonly Place[] {
  const fallback = tree.children.find(({ path }) => path[0] === DEFAULT_COMMAND)?.options ?? [];
  return flatten(tree).map((node) => {
    const isRoot = node.path.length === 0;
    const own = isRoot ? fallback : node.options;
    return { at: placeOf(node.path), node, options: [...own, ...tree.options, HELP].filter(isOffered(isRoot)) };
  });
}

/** `--version` belongs to the program alone. */
const isOffered =
  (isRoot: boolean) =>
  (option: OptionNode): boolean =>
    isRoot || option.long !== '--version';

const namesOf = (option: OptionNode): string[] => [option.short, option.long].filter((name) => name !== null);
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const caseOf = (patterns: readonly string[]): string => patterns.map(quote).join('|');

/** The same walk in bash and zsh: `at` is where we are, `skip` an option whose value comes next. */
function walk(tree: CommandNode, words: string): string {
  const places = placesOf(tree);
  const known = flatten(tree).filter(({ path }) => path.length > 0);
  const valued = places.flatMap(({ at, options }) =>
    options.filter(({ value }) => value !== null).flatMap((option) => namesOf(option).map((name) => `${at}|${name}`)),
  );
  return `  local at='' skip='' word
  for word in ${words}; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case "$at|$word" in
      ${caseOf(valued)}) skip=$word; continue ;;
    esac
    case "$at $word" in
      ${caseOf(known.map(({ path }) => placeOf(path)))}) at="$at $word" ;;
    esac
  done`;
}

/** Lines of a `case "$at|$skip"`: what follows an option. */
function valueCases(tree: CommandNode, complete: (value: ValueKind) => string): string {
  return placesOf(tree)
    .flatMap(({ at, options }) =>
      options.flatMap((option) =>
        option.value === null
          ? []
          : [`      ${caseOf(namesOf(option).map((name) => `${at}|${name}`))}) ${complete(option.value)} ;;`],
      ),
    )
    .join('\n');
}

function renderBash(tree: CommandNode): string {
  const complete = (value: ValueKind): string => {
    if (value.kind === 'choice') return `_signalbox_words ${quote(value.choices.join(' '))}`;
    const names = namesCommand(value);
    if (names !== null) return `_signalbox_names "$(${names})"`;
    return value.kind === 'text' ? ':' : `_signalbox_files ${value.kind === 'directory' ? '-d' : '-f'}`;
  };
  const places = placesOf(tree).map(({ at, node, options }) => {
    const words = quote(options.flatMap(namesOf).join(' '));
    const [first] = node.arguments;
    const rest =
      node.children.length > 0
        ? `_signalbox_words ${quote(node.children.map(({ path }) => path.at(-1)).join(' '))}`
        : complete(first?.value ?? { kind: 'text' });
    return `    ${quote(at)}) if [[ $cur == -* ]]; then _signalbox_words ${words}; else ${rest}; fi ;;`;
  });
  return `# bash completion for signalbox. Load it with: source <(signalbox completion bash)
_signalbox_words() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}
_signalbox_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$cur"))
}
_signalbox_names() {
  local name typed=\${cur//\\\\/}
  typed=\${typed#[\\"\\']}
  while IFS= read -r name; do
    [[ -n $name && $name == "$typed"* ]] || continue
    if [[ $cur == [\\"\\']* ]]; then COMPREPLY+=("$name"); else COMPREPLY+=("$(printf %q "$name")"); fi
  done <<< "$1"
}
_signalbox() {
  local cur=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
${walk(tree, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  if [[ -n $skip ]]; then
    case "$at|$skip" in
${valueCases(tree, complete)}
    esac
    return
  fi
  case "$at" in
${places.join('\n')}
  esac
}
complete -F _signalbox signalbox
`;
}

function renderZsh(tree: CommandNode): string {
  const described = (names: readonly string[], text: string): string =>
    names.map((name) => quote(`${name}:${text.replaceAll(':', '\\:')}`)).join(' ');
  const complete = (value: ValueKind): string => {
    if (value.kind === 'choice') return `compadd -- ${value.choices.map(quote).join(' ')}`;
    const names = namesCommand(value);
    if (names !== null) return `compadd -- "\${(@f)$(${names})}"`;
    return value.kind === 'text' ? "_message 'a value'" : `_files${value.kind === 'directory' ? ' -/' : ''}`;
  };
  const places = placesOf(tree).map(({ at, node, options }) => {
    const offered = options.map((option) => described(namesOf(option), option.description)).join(' ');
    const [first] = node.arguments;
    const commands = node.children.map(({ path, description }) => described([path.at(-1) ?? ''], description));
    const rest =
      commands.length > 0
        ? `offered=(${commands.join(' ')}); _describe -t commands command offered`
        : complete(first?.value ?? { kind: 'text' });
    return `    ${quote(at)})
      if [[ $PREFIX == -* ]]; then offered=(${offered}); _describe -o -t options option offered
      else ${rest}; fi ;;`;
  });
  return `#compdef signalbox
# zsh completion for signalbox. Load it with: source <(signalbox completion zsh)
_signalbox() {
  local -a offered
${walk(tree, `"\${(@)words[2,CURRENT-1]}"`)}
  if [[ -n $skip ]]; then
    case "$at|$skip" in
${valueCases(tree, complete)}
    esac
    return
  fi
  case "$at" in
${places.join('\n')}
  esac
}
if [[ \${funcstack[1]} == _signalbox ]]; then _signalbox "$@"; else compdef _signalbox signalbox; fi
`;
}

function renderFish(tree: CommandNode): string {
  const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const complete = (value: ValueKind): string => {
    if (value.kind === 'choice') return `-x -a ${literal(value.choices.join(' '))}`;
    const names = namesCommand(value);
    if (names !== null) return `-x -a ${literal(`(${names})`)}`;
    if (value.kind === 'text') return '-x';
    return value.kind === 'directory' ? "-x -a '(__fish_complete_directories)'" : '-r -F';
  };
  const lines = placesOf(tree).flatMap(({ at, node, options }) => {
    const here = `complete -c signalbox -n ${literal(`__signalbox_at "${at}"`)}`;
    const [first] = node.arguments;
    return [
      ...node.children.map(({ path, description }) => `${here} -a ${path.at(-1)} -d ${literal(description)}`),
      ...(first === undefined || first.value.kind === 'text'
        ? []
        : [`${here} ${complete(first.value).replace(/^-[xr] /, '')}`]),
      ...options.map((option) => {
        const names = `${option.short === null ? '' : `-s ${option.short.slice(1)} `}-l ${option.long.slice(2)}`;
        const value = option.value === null ? '' : ` ${complete(option.value)}`;
        return `${here} ${names}${value} -d ${literal(option.description)}`;
      }),
    ];
  });
  const valued = placesOf(tree).flatMap(({ at, options }) =>
    options.filter(({ value }) => value !== null).flatMap((option) => namesOf(option).map((name) => `${at}|${name}`)),
  );
  const known = flatten(tree).flatMap(({ path }) => (path.length === 0 ? [] : [placeOf(path)]));
  return `# fish completion for signalbox. Load it with: signalbox completion fish | source
function __signalbox_at
    set -l at ''
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
        else if contains -- "$at|$word" ${valued.map(literal).join(' ')}
            set skip 1
        else if contains -- "$at $word" ${known.map(literal).join(' ')}
            set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c signalbox -f
${lines.join('\n')}
`;
}
