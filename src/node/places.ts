/** Where things live by default: the XDG directories, as the environment says them. For the server's settings and the command line. */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve, sep } from 'node:path';

function userHome(env: NodeJS.ProcessEnv): string {
  return env.HOME !== undefined && isAbsolute(env.HOME) ? env.HOME : homedir();
}

/** `SIGNALBOX_HOME`: flag, then variable, then `$XDG_DATA_HOME/signalbox`. */
export function signalboxHome(flag: string | undefined, env: NodeJS.ProcessEnv): string {
  const named = flag ?? nonEmpty(env.SIGNALBOX_HOME);
  return named === undefined ? join(xdg(env, 'XDG_DATA_HOME', '.local/share'), 'signalbox') : expand(named, env);
}

export const configHome = (env: NodeJS.ProcessEnv): string => xdg(env, 'XDG_CONFIG_HOME', '.config');

export function configFile(env: NodeJS.ProcessEnv): string {
  return join(configHome(env), 'signalbox', 'config.toml');
}

export const serverRecordPath = (home: string): string => join(home, 'run', 'server.json');
/** What queue adapters and the server leave for each other, in a folder for each adapter. */
export const adaptersDir = (home: string): string => join(home, 'run', 'adapters');
export const adapterDir = (home: string, name: string): string => join(adaptersDir(home), name);
export const adapterCredentialPath = (home: string, name: string): string =>
  join(adapterDir(home, name), 'credential.json');
export const adapterStatusPath = (home: string, name: string): string => join(adapterDir(home, name), 'status.json');
/** Messages of a queue that are no events. Kept with the home: `run` is for what ends with a process. */
export const adapterRejectedPath = (home: string, name: string): string =>
  join(home, 'adapters', `${name}.rejected.jsonl`);
export const debugRawPath = (home: string): string => join(home, 'debug_raw.jsonl');
export const controlSocketPath = (home: string): string => join(home, 'run', 'control.sock');

/** An absolute path; a leading `~/` is the user's home, since no shell has seen a path from a file. */
export function expand(path: string, env: NodeJS.ProcessEnv): string {
  return path === '~' || path.startsWith('~/') ? join(userHome(env), path.slice(1)) : resolve(path);
}

/** The XDG specification: a relative path in one of its variables is invalid and ignored. */
function xdg(env: NodeJS.ProcessEnv, name: string, fallback: string): string {
  const named = env[name];
  return named !== undefined && isAbsolute(named) ? named : join(userHome(env), fallback);
}

export const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/**
 * The `TMPDIR` that Codex needs if its home lies in the temporary directory; null elsewhere. Codex refuses to put the programs of its sandbox
 * below the temporary directory, and without them sandboxed terminal commands fail. A sibling of its home is no parent of it.
 */
export function codexTmpDir(codexHome: string, env: NodeJS.ProcessEnv): string | null {
  const temporary = resolve(nonEmpty(env.TMPDIR) ?? '/tmp');
  return `${codexHome}${sep}`.startsWith(`${temporary}${sep}`) ? `${codexHome}-tmp` : null;
}
