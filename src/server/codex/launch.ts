/** Starting a Codex process, and finding again the one that outlived us. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodexRecord } from '../../contract/run-files.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import { isSameProcess, startTimeOf } from '../../node/process-identity.ts';
import { fitSocketPath } from '../../node/socket-path.ts';

export interface LaunchPlan {
  readonly binary: string;
  /** Arguments after `app-server`, without the transport. */
  readonly args: readonly string[];
  readonly codexHome: string;
  readonly runDir: string;
  readonly env: NodeJS.ProcessEnv;
}

const recordPath = (runDir: string): string => join(runDir, 'codex.json');
const codexLogPath = (runDir: string): string => join(runDir, 'codex.log');

/** Same binary, arguments and home: same Codex. */
export const launchKey = (plan: LaunchPlan): string => JSON.stringify([plan.binary, plan.args, plan.codexHome]);

export function readCodexRecord(runDir: string): CodexRecord | null {
  try {
    const record = CodexRecord.safeParse(JSON.parse(readFileSync(recordPath(runDir), 'utf8')));
    return record.success && isSameProcess(record.data) ? record.data : null;
  } catch {
    return null;
  }
}

export async function forgetCodex(runDir: string): Promise<void> {
  await rm(recordPath(runDir), { force: true });
}

/** Detached, with its own log: it lives on when we are killed. */
export async function launchDetached(
  plan: LaunchPlan,
  epoch: string,
): Promise<{ record: CodexRecord; child: ChildProcess }> {
  const socket = await fitSocketPath(join(plan.runDir, 'codex.sock'));
  await rm(socket, { force: true });
  const log = openSync(codexLogPath(plan.runDir), 'w', 0o600);
  try {
    const child = spawn(plan.binary, ['app-server', '--listen', `unix://${socket}`, ...plan.args], {
      cwd: plan.codexHome,
      env: codexEnvironment(plan),
      detached: true,
      stdio: ['ignore', log, log],
    });
    // Without a listener a failed spawn would end us; the missing pid below tells.
    child.on('error', () => undefined);
    child.unref();
    const pid = child.pid ?? 0;
    const record = { pid, start_time: startTimeOf(pid) ?? '', epoch, socket, launch: launchKey(plan) };
    await writeFileAtomic(recordPath(plan.runDir), `${JSON.stringify(record)}\n`);
    return { record, child };
  } finally {
    closeSync(log);
  }
}

export function launchPiped(plan: LaunchPlan) {
  return spawn(plan.binary, ['app-server', ...plan.args], {
    cwd: plan.codexHome,
    env: codexEnvironment(plan),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Nothing of ours goes into the agent's environment. */
function codexEnvironment(plan: LaunchPlan): NodeJS.ProcessEnv {
  const own = Object.entries(plan.env).filter(
    ([name]) => !/^(SIGNALBOX_|FRAMEWORK_SHELLS_|npm_|NODE_OPTIONS$|VITEST)/.test(name),
  );
  return { ...Object.fromEntries(own), CODEX_HOME: plan.codexHome };
}

/** Last words of a process that died, without colours. */
export function lastLogLines(runDir: string, count: number): string[] {
  try {
    const text = readFileSync(codexLogPath(runDir), 'utf8').slice(-64 * 1024);
    return text
      .replace(/\x1b\[[0-9;]*m/g, '')
      .trim()
      .split('\n')
      .slice(-count);
  } catch {
    return [];
  }
}
