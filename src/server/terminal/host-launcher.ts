/** Finds the pty host of a home, or starts one: detached, with a log of its own and nothing of ours in its environment. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HostRecord } from '../../contract/pty-host.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { isSameProcess } from '../../node/process-identity.ts';
import { fitSocketPath } from '../../node/socket-path.ts';

export interface HostLauncher {
  /** The host that runs; starts one when there is none. */
  ensure(): Promise<Result<{ readonly socket: string }>>;
  /** The host that runs, if one does. */
  find(): HostRecord | null;
}

/** Of the bundled command; from the compiled sources, in tests, the host lies elsewhere. */
const HOST_PROGRAM = resolve(import.meta.dirname, 'pty-host.js');
/** A process that says nothing for so long will not become a host. */
const START_MS = 15_000;

export function createHostLauncher(runDir: string, env: NodeJS.ProcessEnv, program = HOST_PROGRAM): HostLauncher {
  const recordPath = join(runDir, 'pty-host.json');
  let starting: Promise<Result<{ socket: string }>> | null = null;

  const find = (): HostRecord | null => {
    try {
      const record = HostRecord.safeParse(JSON.parse(readFileSync(recordPath, 'utf8')));
      return record.success && isSameProcess(record.data) ? record.data : null;
    } catch {
      return null;
    }
  };

  const start = async (): Promise<Result<{ socket: string }>> => {
    const socket = await fitSocketPath(join(runDir, 'pty-host.sock'));
    await mkdir(join(runDir, 'shells'), { recursive: true, mode: 0o700 });
    const log = openSync(join(runDir, 'pty-host.log'), 'w', 0o600);
    const child = spawn(process.execPath, [program, socket, recordPath], {
      cwd: '/',
      env: terminalEnvironment(env),
      detached: true,
      stdio: ['ignore', 'pipe', log],
    });
    closeSync(log);
    const isReady = await new Promise<boolean>((done) => {
      const late = setTimeout(() => done(false), START_MS);
      const settle = (answer: boolean) => {
        clearTimeout(late);
        done(answer);
      };
      child.once('error', () => settle(false));
      child.once('exit', () => settle(false));
      child.stdout?.once('data', () => settle(true));
    });
    child.stdout?.destroy();
    child.unref();
    if (isReady) return ok({ socket });
    child.kill('SIGKILL');
    return fail('not_running', 'the pty host could not be started: see run/pty-host.log');
  };

  return {
    find,
    ensure() {
      const found = find();
      if (found !== null) return Promise.resolve(ok({ socket: found.socket }));
      starting ??= start().finally(() => {
        starting = null;
      });
      return starting;
    },
  };
}

/** What a person's shell may see: their environment, and nothing of ours. */
export function terminalEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (/^(SIGNALBOX_|FRAMEWORK_SHELLS_|npm_|NODE_OPTIONS$|VITEST|TMUX|STY$|COLUMNS$|LINES$)/.test(name)) continue;
    own[name] = value;
  }
  return own;
}
