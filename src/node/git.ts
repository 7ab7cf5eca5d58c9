/**
 * Runs git without a shell, for repositories that nobody has to trust: no hook, filter, pager, credential helper, transport or other
 * program that the configuration of a repository names is started. Git's own ownership check (`safe.directory`) stays on.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';

export interface GitRun {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly stdin?: Uint8Array;
  /** Variables besides the fixed ones, such as `GIT_DIR` and `GIT_INDEX_FILE`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Configuration besides `INERT`; a later value of a key replaces an earlier one. */
  readonly config?: readonly (readonly [key: string, value: string])[];
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

export type GitAnswer =
  | { readonly kind: 'ended'; readonly code: number; readonly stdout: Buffer; readonly stderr: string }
  /** Git is not installed, or `cwd` does not exist. */
  | { readonly kind: 'not_started'; readonly reason: string }
  | { readonly kind: 'time_limit' }
  /** More than `maxBytes`; `stdout` has the beginning. */
  | { readonly kind: 'too_long'; readonly stdout: Buffer };

export type Git = (run: GitRun) => Promise<GitAnswer>;

/** A status of 100,000 files on a slow disk takes seconds; a process that takes longer than this hangs. */
const TIMEOUT_MS = 120_000;
/** The names of 500,000 files. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_STDERR_BYTES = 16 * 1024;
/** What git needs to find itself and the person's own configuration. Tokens and keys are in none of these. */
const PASSED_ON = /^(PATH|HOME|USER|LOGNAME|TZ|TMPDIR|XDG_CONFIG_HOME)$/;

/**
 * Settings that keep git from starting a program. They are given by environment, which outranks every file and reaches the git processes
 * that git itself starts. Filters are named by repositories: `server/changes/view.ts` looks at files without the repository's configuration.
 */
const INERT: readonly (readonly [key: string, value: string])[] = [
  ['core.quotePath', 'false'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.askPass', ''],
  ['core.sshCommand', 'false'],
  ['core.gitProxy', ''],
  ['core.alternateRefsCommand', 'false'],
  ['core.logAllRefUpdates', 'false'],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['diff.ignoreSubmodules', 'dirty'],
  ['gc.auto', '0'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.program', 'false'],
  ['gpg.ssh.defaultKeyCommand', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['log.showSignature', 'false'],
  ['maintenance.auto', 'false'],
  ['merge.verifySignatures', 'false'],
  ['protocol.allow', 'never'],
  // A line break in this format would begin a command of the rebase.
  ['rebase.instructionFormat', '%s'],
  ['sequence.editor', 'false'],
  ['status.submoduleSummary', 'false'],
  ['submodule.recurse', 'false'],
];

const FIXED_ENV: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  // Reads never take the lock of an index, so the person's own git command does not fail because of them.
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_LITERAL_PATHSPECS: '1',
  // A partial clone must not fetch: git 2.45 knows the first variable. Older versions obey the list of protocols. It has one name that no
  // repository can know: for a name that it knows, it could bring an alias, which git would run as the helper of this protocol.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: `none_${randomBytes(8).toString('hex')}`,
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  GIT_ASKPASS: 'false',
  GIT_SSH_COMMAND: 'false',
};

/** `env`: of the server; only what `PASSED_ON` names reaches git. */
export function createGit(env: NodeJS.ProcessEnv): Git {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.test(name)));
  return (run) => start({ ...own, ...FIXED_ENV, ...run.env, ...configEnv([...INERT, ...(run.config ?? [])]) }, run);
}

function configEnv(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(pairs.length) };
  pairs.forEach(([key, value], at) => {
    env[`GIT_CONFIG_KEY_${at}`] = key;
    env[`GIT_CONFIG_VALUE_${at}`] = value;
  });
  return env;
}

function start(env: Record<string, string | undefined>, run: GitRun): Promise<GitAnswer> {
  const { cwd, args, stdin, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = run;
  return new Promise((resolve) => {
    // A group of its own, so that the time limit ends processes that git started too.
    const child = spawn('git', [...args], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let outBytes = 0;
    let errBytes = 0;
    let stopped: 'time_limit' | 'too_long' | null = null;
    const stop = (why: 'time_limit' | 'too_long') => {
      stopped ??= why;
      killGroup(child.pid);
    };
    const limit = setTimeout(() => stop('time_limit'), timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => {
      if (outBytes < maxBytes) out.push(chunk.subarray(0, maxBytes - outBytes));
      outBytes += chunk.length;
      if (outBytes > maxBytes) stop('too_long');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (errBytes < MAX_STDERR_BYTES) err.push(chunk.subarray(0, MAX_STDERR_BYTES - errBytes));
      errBytes += chunk.length;
    });
    // Git may end before it has read all of its input.
    child.stdin.on('error', () => undefined);
    child.once('error', (error) => {
      clearTimeout(limit);
      resolve({ kind: 'not_started', reason: error.message });
    });
    child.once('close', (code) => {
      clearTimeout(limit);
      const stdout = Buffer.concat(out);
      if (stopped === 'time_limit') resolve({ kind: 'time_limit' });
      else if (stopped === 'too_long') resolve({ kind: 'too_long', stdout });
      else resolve({ kind: 'ended', code: code ?? -1, stdout, stderr: Buffer.concat(err).toString('utf8').trim() });
    });
    child.stdin.end(stdin);
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}
