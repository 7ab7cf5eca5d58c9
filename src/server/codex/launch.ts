/** Which Codex to start, through which port it is started and ended, and what is remembered of the one that may outlive us. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { TOOL_NAMES, TOOL_TIMEOUT_SEC } from '../../contract/mcp-bounds.ts';
import type { Result } from '../../contract/result.ts';
import { CodexRecord } from '../../contract/run-files.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import { codexTmpDir } from '../../node/places.ts';
import { isSameProcess, type ProcessIdentity } from '../../node/process-identity.ts';
import { readJsonSync } from '../../node/read-json.ts';
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

/** What a Codex that we talk to over its stdin and stdout gives us. */
export interface CodexPipe {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** How it ended. */
  readonly ended: Promise<string>;
}

export interface CodexProcess {
  readonly identity: ProcessIdentity;
  /** How it ended; null while it runs, and when nobody saw it. */
  exit(): string | null;
  end(): Promise<void>;
  /** Its last words since it was started, without colors. */
  lastLines(count: number): Promise<readonly string[]>;
  /** Null for one that listens on a socket. */
  readonly pipe: CodexPipe | null;
}

/** Framework Shells stands behind it. */
export interface CodexProcesses {
  start(plan: LaunchPlan, way: { readonly socket: string } | 'pipe'): Promise<Result<CodexProcess>>;
  /** The one with a socket that we, or a server before us, started. */
  running(): Promise<CodexProcess | null>;
}

const recordPath = (runDir: string): string => join(runDir, 'codex.json');

/** Same binary, arguments and home: same Codex. */
export const launchKey = (plan: LaunchPlan): string => JSON.stringify([plan.binary, plan.args, plan.codexHome]);

export function readCodexRecord(runDir: string): CodexRecord | null {
  const record = readJsonSync(recordPath(runDir), CodexRecord);
  return record !== null && isSameProcess(record) ? record : null;
}

export async function forgetCodex(runDir: string): Promise<void> {
  await rm(recordPath(runDir), { force: true });
}

/** Where the next Codex is to listen. */
export async function freshSocket(runDir: string): Promise<string> {
  const socket = await fitSocketPath(join(runDir, 'codex.sock'));
  await rm(socket, { force: true });
  return socket;
}

export async function rememberCodex(plan: LaunchPlan, record: Omit<CodexRecord, 'launch'>): Promise<CodexRecord> {
  const whole = { ...record, launch: launchKey(plan) };
  await writeFileAtomic(recordPath(plan.runDir), `${JSON.stringify(whole)}\n`);
  return whole;
}

/**
 * Every setting that decides about our tools, with the value it has anyway: what is on the command line wins over every file, also over a
 * project's that a person trusts. One that is missing here could be set by such a file, and the tools would run without asking.
 */
const OWN_TOOL_SETTINGS: Readonly<Record<string, string>> = {
  'mcp_servers.signalbox.enabled': 'true',
  'mcp_servers.signalbox.disabled_tools': '[]',
  'mcp_servers.signalbox.default_tools_approval_mode': '"auto"',
  'mcp_servers.signalbox.tools': `{ ${TOOL_NAMES.map((name) => `${name} = { approval_mode = "auto" }`).join(', ')} }`,
};

/** No file of the user's is changed, and no secret is on the command line: the token is in a variable, which commands of the agent do not see. */
export function argsOf({ args, mcp }: LaunchPlan): readonly string[] {
  if (mcp === null) return args;
  const settings = {
    'mcp_servers.signalbox.url': JSON.stringify(mcp.url),
    'mcp_servers.signalbox.bearer_token_env_var': JSON.stringify(MCP_TOKEN_VARIABLE),
    'mcp_servers.signalbox.tool_timeout_sec': String(TOOL_TIMEOUT_SEC),
    ...OWN_TOOL_SETTINGS,
    [`shell_environment_policy.set.${MCP_TOKEN_VARIABLE}`]: '""',
  };
  return [...args, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])];
}

/** Nothing of ours goes into the agent's environment but the token of its tools. */
export function codexEnvironment(plan: LaunchPlan): NodeJS.ProcessEnv {
  const own = Object.entries(plan.env).filter(
    ([name]) => !/^(SIGNALBOX_|FRAMEWORK_SHELLS_|npm_|NODE_OPTIONS$|VITEST)/.test(name),
  );
  const token = plan.mcp === null ? {} : { [MCP_TOKEN_VARIABLE]: plan.mcp.token };
  const tmpDir = codexTmpDir(plan.codexHome, plan.env);
  const temporary = tmpDir === null ? {} : { TMPDIR: tmpDir };
  return { ...Object.fromEntries(own), ...token, ...temporary, CODEX_HOME: plan.codexHome };
}
