/** Runs the set-up command of a repository in a new work tree, as a shell that the Shells panel shows. */
import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { ok, type Result } from '../../contract/result.ts';
import { hasProcess } from '../../core/shells/lifecycle.ts';
import type { LazyShells } from '../shells/lazy-shells.ts';
import type { Shell } from '../shells/shell.ts';

/** Beside the bundled command, and beside the sources. */
const SPEC_FILE = resolve(import.meta.dirname, '../../shellspec/worktree-setup.yaml');
/** With the hash, what a name of a shell may have. */
const MAX_FOLDER_CHARS = 20;

interface SetupRequest {
  /** The work tree. */
  readonly path: string;
  readonly branch: string;
  readonly command: string;
  /** Called when the command has ended, with why if it failed. */
  readonly onEnd: (failure: string | null) => void;
}

export type RunSetup = (request: SetupRequest) => Promise<Result<null>>;

export function createRunSetup(lazy: Pick<LazyShells, 'open'>): RunSetup {
  return async ({ path, branch, command, onEnd }) => {
    const shells = await lazy.open();
    if (!shells.ok) return shells;
    const up = await shells.value.up({
      file: SPEC_FILE,
      shell: 'setup',
      name: nameOf(path),
      cwd: path,
      ctx: { COMMAND: command, BRANCH: branch },
    });
    if (!up.ok) return up;
    const shell = up.value[0]?.shell;
    if (shell === undefined) return ok(null);
    let isOver = false;
    const look = (): void => {
      if (isOver || hasProcess(shell.record().state)) return;
      isOver = true;
      unsubscribe();
      onEnd(failureOf(shell));
    };
    const unsubscribe = shells.value.onChange(look);
    look();
    return ok(null);
  };
}

/** A command that a person stopped has not failed. */
function failureOf(shell: Shell): string | null {
  const { state, exit } = shell.record();
  if (state === 'stopped' || exit?.code === 0) return null;
  return exit?.reason ?? 'it ended, and nobody saw how';
}

/** One for each work tree. */
function nameOf(path: string): string {
  const folder = basename(path)
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .slice(0, MAX_FOLDER_CHARS);
  return `w${createHash('sha256').update(path).digest('hex').slice(0, 8)}-${folder}`;
}
