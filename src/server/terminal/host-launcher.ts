/** Finds the pty host of a home, or has one started; how is the starter's business. */
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HostRecord } from '../../contract/pty-host.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import type { Clock } from '../../node/clock.ts';
import { newSecret, parseSecret } from '../../node/mutual-proof.ts';
import { isSameProcess } from '../../node/process-identity.ts';
import { readJsonSync } from '../../node/read-json.ts';
import { fitSocketPath } from '../../node/socket-path.ts';

/** Where a host listens, and what it wants proved. */
export interface HostAddress {
  readonly pid: number;
  readonly socket: string;
  /** Null for a host of an earlier version, which was started without a key file. */
  readonly secret: Buffer | null;
}

export interface HostLauncher {
  /** The host that runs; starts one when there is none. */
  ensure(): Promise<Result<HostAddress>>;
  /** The host that runs, if one does. */
  find(): (HostRecord & HostAddress) | null;
}

/** Starts the program of the host, on its own: it outlives us. */
export type StartHost = (order: {
  readonly socket: string;
  readonly recordPath: string;
  /** The file with the secret that the host asks its clients to prove. */
  readonly keyPath: string;
  readonly env: Readonly<Record<string, string>>;
}) => Promise<Result<StartedHost>>;

interface StartedHost {
  isRunning(): boolean;
  end(): Promise<void>;
  /** Its last words. */
  lastLines(count: number): Promise<readonly string[]>;
}

/** A process that says nothing for so long will not become a host. */
const START_MS = 15_000;
/** Somebody waits for the first prompt. */
const LOOK_MS = 5;

export interface HostLauncherOptions {
  readonly runDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly startHost: StartHost;
  readonly clock: Clock;
}

export function createHostLauncher({ runDir, env, startHost, clock }: HostLauncherOptions): HostLauncher {
  const recordPath = join(runDir, 'pty-host.json');
  const keyPath = join(runDir, 'pty-host.key');
  let starting: Promise<Result<HostAddress>> | null = null;

  const find = (): (HostRecord & HostAddress) | null => {
    const record = readJsonSync(recordPath, HostRecord);
    return record !== null && isSameProcess(record) ? { ...record, secret: readSecret(keyPath) } : null;
  };

  const start = async (): Promise<Result<HostAddress>> => {
    const socket = await fitSocketPath(join(runDir, 'pty-host.sock'));
    await mkdir(join(runDir, 'shells'), { recursive: true, mode: 0o700 });
    await writeFileAtomic(keyPath, `${newSecret()}\n`);
    const host = await startHost({ socket, recordPath, keyPath, env: terminalEnvironment(env) });
    if (!host.ok) return host;
    const deadline = clock.monotonicMs() + START_MS;
    // Its record is the last thing it does before it serves.
    while (host.value.isRunning() && clock.monotonicMs() < deadline) {
      const found = find();
      if (found !== null) return ok(found);
      await clock.sleep(LOOK_MS);
    }
    await host.value.end();
    const words = (await host.value.lastLines(5)).join('\n');
    return fail('not_running', `the pty host could not be started: ${words || 'it said nothing'}`);
  };

  return {
    find,
    ensure() {
      const found = find();
      if (found !== null) return Promise.resolve(ok(found));
      starting ??= start().finally(() => {
        starting = null;
      });
      return starting;
    },
  };
}

/** A file that was damaged is a secret too, and a wrong one: the host then refuses us, instead of being taken for an older one. */
function readSecret(path: string): Buffer | null {
  try {
    return parseSecret(readFileSync(path, 'utf8')) ?? Buffer.alloc(0);
  } catch {
    return null;
  }
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
