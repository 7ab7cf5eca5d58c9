/** Keeps Codex's own calls of git from running programs that a repository names. See `shell-integration/codex/git`. */

/** What a system looks through when there is no PATH. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** The environment of Codex, with the folder of our `git` first in its PATH. */
export function withGitGuard(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  return { ...env, PATH: `${folder}:${env.PATH ?? DEFAULT_PATH}` };
}
