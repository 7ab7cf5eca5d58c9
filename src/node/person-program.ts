/**
 * Runs git, gh or glab as a person's terminal would: with the person's configuration, hooks, filters and keys. Only for what a person asked
 * for, in a repository whose own programs the person trusts. Nothing can ask a question: there is no terminal, and every way to ask refuses.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface PersonRun {
  readonly program: 'git' | 'gh' | 'glab';
  /** Of `gh` and `glab`: the host that is asked. Only its own login goes along. */
  readonly host?: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly stdin?: Uint8Array;
  /** Settings of git that outrank every file. */
  readonly config?: readonly (readonly [key: string, value: string])[];
  /** Ssh as the configuration names it; `-o BatchMode=yes` is added. */
  readonly sshCommand?: string | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Both streams, in the order in which they arrive. */
  readonly onOutput: (text: string) => void;
  /** Lines of `GIT_TRACE2_EVENT`, which name the hooks. */
  readonly onTrace?: (line: string) => void;
}

export type PersonAnswer =
  | { readonly kind: 'ended'; readonly code: number; readonly stdout: string }
  | { readonly kind: 'not_started'; readonly reason: string }
  | { readonly kind: 'time_limit' }
  | { readonly kind: 'cancelled' };

export type RunAsPerson = (run: PersonRun) => Promise<PersonAnswer>;

/** What programs of a person need to find themselves, their keys and their network. Our own tokens and Codex's are in none of these. */
const PASSED_ON =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|TZ|TMPDIR|XDG_.*|SSH_AUTH_SOCK|SSH_AGENT_PID|GNUPGHOME|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|(https?|no|all|HTTPS?|NO|ALL)_(proxy|PROXY)|GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL)|GIT_SSL_CAINFO|GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|NVM_DIR|PNPM_HOME|VOLTA_HOME|ASDF_(DIR|DATA_DIR)|CARGO_HOME|RUSTUP_HOME|GOPATH|GOROOT|JAVA_HOME|VIRTUAL_ENV|PYENV_ROOT|RBENV_ROOT)$/;
const CONFIG_OF_TOOLS = /^(GH|GLAB)_CONFIG_DIR$/;

/**
 * The logins in the environment that belong to a host. These tools send what they find to whatever host they are asked about, and a repository
 * names the host.
 */
function loginsFor(host: string, env: NodeJS.ProcessEnv): readonly string[] {
  const own = (text: string | undefined) => text?.replace(/^https?:\/\//, '').replace(/[:/].*$/s, '') === host;
  return [
    ...(host === 'github.com' || host.endsWith('.ghe.com') ? ['GH_TOKEN', 'GITHUB_TOKEN'] : []),
    ...(own(env.GH_HOST) ? ['GH_HOST', 'GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'] : []),
    ...(own(env.GITLAB_HOST ?? 'gitlab.com') ? ['GITLAB_TOKEN', 'GITLAB_HOST'] : []),
  ];
}

const FIXED_ENV: Readonly<Record<string, string>> = {
  LC_ALL: 'C.UTF-8',
  TERM: 'dumb',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_MERGE_AUTOEDIT: 'no',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  // A helper such as `ext::` runs any command, whatever the configuration allows.
  GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
  GH_PROMPT_DISABLED: '1',
  GH_NO_UPDATE_NOTIFIER: '1',
  NO_PROMPT: '1',
  NO_COLOR: '1',
  BROWSER: 'false',
};

const FIXED_CONFIG: readonly (readonly [key: string, value: string])[] = [
  ['core.quotePath', 'false'],
  ['core.fsmonitor', 'false'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  // A line break in this format would begin a command of the rebase.
  ['rebase.instructionFormat', '%s'],
  ['status.submoduleSummary', 'false'],
  ['submodule.recurse', 'false'],
];

/** Git removes its lock files when it is asked to end; a hook that does not listen is killed. */
const GRACE_MS = 5_000;
/** A hook may leave a process behind that keeps the streams open; what the ended program printed is there long before. */
const DRAIN_MS = 500;
/** Of the text that is evaluated: the answers are names and addresses. */
const MAX_STDOUT = 256 * 1024;

export function createRunAsPerson(env: NodeJS.ProcessEnv): RunAsPerson {
  return (run) => {
    const logins = run.program === 'git' ? [] : loginsFor(run.host ?? '', env);
    const passed = Object.entries(env).filter(
      ([name]) =>
        PASSED_ON.test(name) || (run.program !== 'git' && CONFIG_OF_TOOLS.test(name)) || logins.includes(name),
    );
    const config = [...FIXED_CONFIG, ...(run.config ?? [])];
    const counted = config.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key] as const,
      [`GIT_CONFIG_VALUE_${at}`, value] as const,
    ]);
    const whole = {
      ...Object.fromEntries(passed),
      ...FIXED_ENV,
      ...(run.program === 'git' && {
        GIT_SSH_COMMAND: batchMode(run.sshCommand ?? 'ssh'),
        GIT_CONFIG_COUNT: String(config.length),
        ...Object.fromEntries(counted),
        ...(run.onTrace !== undefined && { GIT_TRACE2_EVENT: '3' }),
      }),
    };
    return start(run, whole);
  };
}

/** Another program than ssh may not know the option; without a terminal it cannot ask either. */
const batchMode = (command: string): string =>
  /^(\S*\/)?ssh(\s|$)/.test(command.trim()) ? `${command} -o BatchMode=yes` : command;

function start(run: PersonRun, env: Record<string, string | undefined>): Promise<PersonAnswer> {
  return new Promise((resolve) => {
    if (run.signal.aborted) return resolve({ kind: 'cancelled' });
    // A session of its own: it has no terminal to ask at, and everything in it can be ended together.
    const child = spawn(run.program, [...run.args], {
      cwd: run.cwd,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stopped: 'time_limit' | 'cancelled' | null = null;
    let killer: NodeJS.Timeout | undefined;
    const stop = (why: 'time_limit' | 'cancelled') => {
      if (stopped !== null) return;
      stopped = why;
      endGroup(child, 'SIGTERM');
      killer = setTimeout(() => endGroup(child, 'SIGKILL'), GRACE_MS);
    };
    const cancel = () => stop('cancelled');
    const limit = setTimeout(() => stop('time_limit'), run.timeoutMs);
    run.signal.addEventListener('abort', cancel, { once: true });
    read(child.stdout, (text) => {
      if (stdout.length < MAX_STDOUT) stdout += text;
      run.onOutput(text);
    });
    read(child.stderr, run.onOutput);
    const trace = child.stdio[3] as Readable | null | undefined;
    if (trace) readLines(trace, run.onTrace ?? (() => undefined));
    const clear = () => {
      clearTimeout(limit);
      clearTimeout(killer);
      run.signal.removeEventListener('abort', cancel);
    };
    child.once('error', (error) => {
      clear();
      resolve({ kind: 'not_started', reason: error.message });
    });
    const settle = (code: number | null) => {
      clear();
      if (stopped !== null) {
        // What the program had started is ended with it.
        endGroup(child, 'SIGKILL');
        resolve({ kind: stopped });
      } else resolve({ kind: 'ended', code: code ?? -1, stdout });
      for (const stream of [child.stdout, child.stderr, trace]) stream?.destroy();
    };
    let drain: NodeJS.Timeout | undefined;
    let isClosed = false;
    child.once('close', (code) => {
      isClosed = true;
      clearTimeout(drain);
      settle(code);
    });
    child.once('exit', (code) => {
      if (!isClosed) drain = setTimeout(() => settle(code), DRAIN_MS);
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(run.stdin);
  });
}

function read(stream: Readable, onText: (text: string) => void): void {
  stream.setEncoding('utf8');
  stream.on('data', onText);
  stream.on('error', () => undefined);
}

function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  read(stream, (text) => {
    const lines = (rest + text).split('\n');
    // A line of a trace is short; what has no end is not kept.
    rest = (lines.pop() ?? '').slice(0, 64 * 1024);
    for (const line of lines) onLine(line);
  });
}

function endGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended by itself.
  }
}
