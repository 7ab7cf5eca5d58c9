/** How a shell is started so that it gives marks, and a nonce that only it knows. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { OpenTerminal } from '../contract/pty-host.ts';
import type { ShellId } from '../contract/terminal.ts';
import type { ShellName } from '../core/terminal/type-command.ts';

export interface ShellStart {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Null: a shell we have no marks for. */
  readonly name: ShellName | null;
  readonly title: string;
  /** The shell has read what was laid out for it. */
  forget(): void;
}

/** Beside `dist` in the package, and beside `src`. */
const SCRIPTS = resolve(import.meta.dirname, '../../shell-integration');

/**
 * node-pty leaves every PTY open in the children that come after it: whoever ran in one terminal could type into another. So each
 * command begins as a shell that closes what it inherited and becomes the command.
 */
const CLOSE_INHERITED = `for f in /dev/fd/*; do n=\${f##*/}; if [[ $n -gt 2 ]]; then eval "exec $n>&-"; fi; done; unset f n; exec -- "$@"`;
const CLOSER = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path));

export function planShell(request: OpenTerminal, shellId: ShellId, nonce: string): ShellStart {
  const [file = '/bin/sh', ...args] = request.command;
  const title = basename(file);
  const name = request.is_shell ? knownShell(title) : null;
  const env: Record<string, string> = {
    ...request.env,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'signalbox',
    // What a sweep looks for, and what tells a command line that it runs inside of us.
    SIGNALBOX_TERMINAL: shellId,
    PWD: request.cwd,
  };
  if (name === null) return { command: closing([file, ...args]), env, name, title, forget: () => undefined };
  const dir = join(request.run_dir, shellId);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const nonceFile = join(dir, 'nonce');
  // The second line: this host follows a shell that changes its nonce. A script of a newer version asks a host of an older one no more.
  writeFileSync(nonceFile, `${nonce}\nrotate\n`, { mode: 0o600 });
  env.SIGNALBOX_NONCE_FILE = nonceFile;
  if (name === 'zsh') {
    writeFileSync(join(dir, '.zshenv'), `. ${quote(join(SCRIPTS, 'zsh.zsh'))}\n`, { mode: 0o600 });
    if (env.ZDOTDIR !== undefined) env.SIGNALBOX_ZDOTDIR = env.ZDOTDIR;
    env.ZDOTDIR = dir;
  }
  return {
    command: closing([file, ...args, ...scriptArguments(name)]),
    env,
    name,
    title,
    forget: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function scriptArguments(name: ShellName): readonly string[] {
  switch (name) {
    case 'bash':
      return ['--init-file', join(SCRIPTS, 'bash.sh')];
    case 'fish':
      return ['--init-command', `source ${quote(join(SCRIPTS, 'fish.fish'))}`];
    case 'zsh':
      return [];
    default:
      return name satisfies never;
  }
}

export function closing(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  return CLOSER === undefined ? command : [CLOSER, '-p', '-c', CLOSE_INHERITED, 'signalbox', ...command];
}

function knownShell(title: string): ShellName | null {
  const bare = title.replace(/^-/, '');
  return bare === 'bash' || bare === 'zsh' || bare === 'fish' ? bare : null;
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
