/** Starting a Codex process, and finding again the one that outlived us. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TOOL_TIMEOUT_SEC } from '../../contract/mcp.ts';
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
  /** Our own tools. Not part of what makes it the same Codex: a turn that goes on is worth more than a tool's address. */
  readonly mcp: { readonly url: string; readonly token: string } | null;
}

const MCP_TOKEN_VARIABLE = 'SIGNALBOX_MCP_TOKEN';
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
    const child = spawn(plan.binary, ['app-server', '--listen', `unix://${socket}`, ...argsOf(plan)], {
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
  return spawn(plan.binary, ['app-server', ...argsOf(plan)], {
    cwd: plan.codexHome,
    env: codexEnvironment(plan),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** No file of the user's is changed, and no secret is on the command line: the token is in a variable, which commands of the agent do not see. */
function argsOf({ args, mcp }: LaunchPlan): readonly string[] {
  if (mcp === null) return args;
  const settings = {
    'mcp_servers.signalbox.url': JSON.stringify(mcp.url),
    'mcp_servers.signalbox.bearer_token_env_var': JSON.stringify(MCP_TOKEN_VARIABLE),
    'mcp_servers.signalbox.tool_timeout_sec': String(TOOL_TIMEOUT_SEC),
    [`shell_environment_policy.set.${MCP_TOKEN_VARIABLE}`]: '""',
  };
  return [...args, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])];
}

/** Nothing of ours goes into the agent's environment but the token of its tools. */
function codexEnvironment(plan: LaunchPlan): NodeJS.ProcessEnv {
  const own = Object.entries(plan.env).filter(
    ([name]) => !/^(SIGNALBOX_|FRAMEWORK_SHELLS_|npm_|NODE_OPTIONS$|VITEST)/.test(name),
  );
  const token = plan.mcp === null ? {} : { [MCP_TOKEN_VARIABLE]: plan.mcp.token };
  return { ...Object.fromEntries(own), ...token, CODEX_HOME: plan.codexHome };
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
