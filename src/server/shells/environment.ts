/** What a shell is started with: an environment without anything of ours but the mark, and a program that is there. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import { errorCode } from '../../node/atomic-file.ts';
import { isDirectory } from '../../node/path-kind.ts';

/** By this we find again whatever a shell has started, also what left its family. */
export const MARK = 'FRAMEWORK_SHELLS_SHELL';

/** What a terminal of the pty host is, whatever the server's own window is; its size is asked of the terminal. */
export const TERMINAL_VARIABLES = {
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  COLUMNS: undefined,
  LINES: undefined,
} as const;

const OURS = /^(SIGNALBOX_|FRAMEWORK_SHELLS_|npm_|NODE_OPTIONS$|VITEST)/;

/** Nothing of ours goes into what we start: it may be an agent, or run one. */
export function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OURS.test(name)));
}

/** Told before anything starts: `spawn` says ENOENT for a missing directory and a missing program alike. */
export async function checkStart(
  command: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Result<null>> {
  if (!isAbsolute(cwd)) return fail('missing_cwd', `the directory ${JSON.stringify(cwd)} is not absolute`, { cwd });
  if (!(await isDirectory(cwd))) {
    return fail('missing_cwd', `the directory ${cwd} does not exist: make it, or correct \`cwd\``, { cwd });
  }
  const [program = ''] = command;
  const places = program.includes('/')
    ? [resolve(cwd, program)]
    : (env.PATH ?? '/usr/bin:/bin').split(delimiter).map((dir) => join(dir === '' ? cwd : dir, program));
  let isThere = false;
  for (const place of places) {
    try {
      await access(place, constants.X_OK);
      if ((await stat(place)).isFile()) return ok(null);
    } catch (error) {
      isThere ||= errorCode(error) === 'EACCES';
    }
  }
  if (isThere) return fail('forbidden', `${program} may not be run: is it executable?`, { program });
  return fail('not_found', `the program ${program} is not there: install it, or correct \`command\``, { program });
}
