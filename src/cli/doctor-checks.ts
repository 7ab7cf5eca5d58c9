/** The doctor's single checks. Each looks at one thing and never throws. */
import { execFile } from 'node:child_process';
import { existsSync, lstatSync, statfsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { errorCode } from '../node/atomic-file.ts';
import { codexTmpDir } from '../node/places.ts';
import { findSs } from '../node/unix-table.ts';
import { findServer } from './find-server.ts';
import { findProgram } from './open-browser.ts';

/** Stable: scripts look for these. */
type CheckCode =
  | 'node_version'
  | 'config'
  | 'webhooks'
  | 'adapters'
  | 'codex_binary'
  | 'codex_login'
  | 'codex_home'
  | 'sandbox'
  | 'directories'
  | 'port'
  | 'disk'
  | 'git'
  | 'rg'
  | 'worktrees'
  | 'ss';

export interface Check {
  readonly code: CheckCode;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do. */
  readonly fix?: string;
}

/** What `engines` in package.json asks for. */
const MIN_NODE = [20, 19] as const;
const MIB = 1024 * 1024;
/** Below the first nothing can be written for long; below the second a long session may fill it. */
const FAIL_DISK_BYTES = 100 * MIB;
const WARN_DISK_BYTES = 1024 * MIB;
/** A program that takes longer to say its version hangs. */
const ASK_TIMEOUT_MS = 15_000;

/** How to start Codex: program and first arguments; null when there is none. */
export type CodexCommand = readonly [program: string, ...args: string[]] | null;

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  return isEnough
    ? { code: 'node_version', status: 'ok', message: `Node ${version}` }
    : {
        code: 'node_version',
        status: 'fail',
        message: `Node ${version} is too old`,
        fix: `install Node ${MIN_NODE.join('.')} or later`,
      };
}

/** Codex writes into its home also when it only tells its version: it is asked with the home it will have. */
export async function checkCodex(
  named: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<{ check: Check; command: CodexCommand }> {
  const command = named === undefined ? bundledCodex() : ([named] as const);
  const answer = command === null ? null : await ask(command, ['--version'], env);
  if (answer?.ok === true)
    return { check: { code: 'codex_binary', status: 'ok', message: firstLine(answer.text) }, command };
  const fix =
    named === undefined
      ? 'run `npm ci` in the folder of Signalbox, or name a Codex with --codex-bin'
      : 'check --codex-bin or codex.command';
  const message = `${named ?? 'the bundled Codex'} does not run: ${firstLine(answer?.text ?? 'not installed')}`;
  return { check: { code: 'codex_binary', status: 'fail', message, fix }, command: null };
}

export async function checkLogin(given: {
  readonly command: CodexCommand;
  readonly codexHome: string;
  readonly env: NodeJS.ProcessEnv;
  readonly demo: 'auto' | 'always' | 'never';
}): Promise<Check> {
  const { command, codexHome, env, demo } = given;
  if (demo === 'always')
    return { code: 'codex_login', status: 'ok', message: 'the demo model, which is not an AI, is asked for' };
  if ((env.OPENAI_API_KEY ?? env.CODEX_API_KEY ?? '') !== '')
    return { code: 'codex_login', status: 'ok', message: 'an API key is in the environment' };
  const config = await readFile(join(codexHome, 'config.toml'), 'utf8').catch(() => '');
  const provider = /^[ \t]*model_provider[ \t]*=[ \t]*["']([^"'\n]+)["']/m.exec(config)?.[1];
  if (provider !== undefined && provider !== 'openai')
    return { code: 'codex_login', status: 'ok', message: `Codex uses the provider ${provider}` };
  const answer =
    command === null || !existsSync(codexHome)
      ? null
      : await ask(command, ['login', 'status'], { ...env, CODEX_HOME: codexHome });
  if (answer?.ok === true) return { code: 'codex_login', status: 'ok', message: firstLine(answer.text) };
  return {
    code: 'codex_login',
    status: demo === 'never' ? 'fail' : 'warn',
    message: demo === 'never' ? 'Codex is not logged in' : 'Codex is not logged in: the demo model, not an AI, answers',
    fix: 'sign in from the page, or run `codex login`',
  };
}

export function checkCodexHome(codexHome: string, env: NodeJS.ProcessEnv): Check {
  const tmpDir = codexTmpDir(codexHome, env);
  const note = tmpDir === null ? '' : ` (in the temporary directory: Codex gets ${tmpDir} as its own)`;
  return { code: 'codex_home', status: 'ok', message: `${codexHome}${note}` };
}

/** Codex's own sandbox is tried out. */
export async function checkSandbox(given: {
  readonly command: CodexCommand;
  readonly codexHome: string;
  readonly env: NodeJS.ProcessEnv;
}): Promise<Check> {
  const { command, codexHome, env } = given;
  if (command === null) return { code: 'sandbox', status: 'warn', message: 'not tried, since Codex does not run' };
  const spare = existsSync(codexHome) ? null : await spareCodexHome(codexHome);
  const tried = spare ?? codexHome;
  const tmpDir = codexTmpDir(tried, env);
  if (tmpDir !== null) await mkdir(tmpDir, { recursive: true, mode: 0o700 });
  const temporary = tmpDir === null ? {} : { TMPDIR: tmpDir };
  const answer = await ask(command, ['sandbox', '--', 'true'], { ...env, ...temporary, CODEX_HOME: tried });
  if (spare !== null && tmpDir !== null) await rm(tmpDir, { recursive: true, force: true });
  if (spare !== null) await rm(spare, { recursive: true, force: true });
  if (answer.ok) return { code: 'sandbox', status: 'ok', message: 'Codex can run commands in its sandbox' };
  const fix =
    process.platform === 'linux'
      ? 'install bubblewrap, and allow unprivileged user namespaces (kernel.unprivileged_userns_clone, AppArmor)'
      : 'run `codex sandbox -- true` to see why';
  const reason = answer.text.split('\n').findLast((line) => line.trim() !== '') ?? '';
  return { code: 'sandbox', status: 'fail', message: `the sandbox fails: ${reason}`, fix };
}

async function spareCodexHome(codexHome: string): Promise<string | null> {
  return mkdtemp(join(existingParent(dirname(codexHome)), '.signalbox-doctor-')).catch(() => null);
}

export function checkDirectories(home: string): Check {
  const code: CheckCode = 'directories';
  for (const path of [home, join(home, 'run'), join(home, 'run', 'server.json')]) {
    try {
      const found = lstatSync(path);
      if (process.getuid !== undefined && found.uid !== process.getuid())
        return { code, status: 'fail', message: `${path} belongs to another user`, fix: 'choose another --home' };
      if (!found.isSymbolicLink() && (found.mode & 0o077) !== 0)
        return { code, status: 'warn', message: `others may read ${path}`, fix: `chmod -R go= '${home}'` };
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        return { code, status: 'fail', message: `${path}: ${errorCode(error)}`, fix: 'choose another --home' };
    }
  }
  return { code, status: 'ok', message: existsSync(home) ? home : `${home} will be made` };
}

export async function checkPort(given: { host: string; port: number; home: string }): Promise<Check> {
  const { host, port, home } = given;
  const server = findServer(home);
  if (server.ok && new URL(server.value.url).port === String(port))
    return { code: 'port', status: 'ok', message: `${port}: the server of this home runs there` };
  const problem = await tryListen(host, port);
  if (problem === null)
    return { code: 'port', status: 'ok', message: port === 0 ? 'any free port' : `${host}:${port} is free` };
  const message = problem === 'EADDRINUSE' ? `port ${port} is in use` : `cannot listen on ${host}:${port}: ${problem}`;
  return { code: 'port', status: 'fail', message, fix: 'choose another with --port; 0 takes any that is free' };
}

export function checkDisk(home: string): Check {
  try {
    const { bavail, bsize } = statfsSync(existingParent(home));
    const free = bavail * bsize;
    const message = `${Math.floor(free / MIB)} MiB free for ${home}`;
    if (free >= WARN_DISK_BYTES) return { code: 'disk', status: 'ok', message };
    return { code: 'disk', status: free < FAIL_DISK_BYTES ? 'fail' : 'warn', message, fix: 'free some space' };
  } catch (error) {
    return { code: 'disk', status: 'warn', message: `free space is not known: ${errorCode(error)}` };
  }
}

export function checkProgram(given: { code: 'git' | 'rg'; env: NodeJS.ProcessEnv; use: string }): Check {
  const path = findProgram(given.code, given.env);
  return path === null
    ? { code: given.code, status: 'warn', message: `not found: ${given.use}`, fix: `install ${given.code}` }
    : { code: given.code, status: 'ok', message: path };
}

/** `places`: where to look. Without `ss` the server cannot find out which process is at the other end of a Unix socket. */
export function checkSs(places?: readonly string[]): Check {
  const path = findSs(places);
  if (path !== null) return { code: 'ss', status: 'ok', message: path };
  return {
    code: 'ss',
    status: 'warn',
    message:
      'not found: on event sockets the token alone counts, so a command of an agent can use the event token of another conversation there',
    fix: 'install iproute2',
  };
}

function bundledCodex(): CodexCommand {
  try {
    return [process.execPath, createRequire(import.meta.url).resolve('@openai/codex/bin/codex.js')];
  } catch {
    return null;
  }
}

function ask(
  [program, ...first]: NonNullable<CodexCommand>,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  return new Promise((resolve) => {
    execFile(
      program,
      [...first, ...args],
      { env, timeout: ASK_TIMEOUT_MS, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        const text = stdout.trim() || stderr.trim() || (error?.message ?? '');
        resolve({ ok: error === null, text });
      },
    );
  });
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

/** Null when the address can be had; else why not. */
function tryListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(errorCode(error)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

function existingParent(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingParent(dirname(path));
}
