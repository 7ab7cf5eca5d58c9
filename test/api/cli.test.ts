/** The built program, as people and scripts run it: a real server, the real Codex, the demo model. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logInByLink } from '../../src/testing/session-client.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const MAIN = join(ROOT, 'dist/bin/signalbox.js');

let folder = '';
let home = '';
let server: ChildProcess;
let ready: Record<string, unknown> = {};

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Whoever runs the tests may be an agent, or have settings of their own. */
function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(CODEX_|SIGNALBOX_|XDG_|OPENAI_)/.test(name));
  return {
    ...Object.fromEntries(own),
    HOME: folder,
    SIGNALBOX_HOME: home,
    CODEX_HOME: join(folder, 'codex'),
    NO_COLOR: '1',
    ...more,
  };
}

function start(args: readonly string[], env = environment()) {
  return spawn(process.execPath, [MAIN, ...args], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
}

function finished(child: ChildProcess): Promise<Outcome> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

function run(...args: readonly string[]): Promise<Outcome> {
  const child = start(args);
  child.stdin.end();
  return finished(child);
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no stdout');
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error('the program ended without a line');
}

async function serve(...args: readonly string[]): Promise<ChildProcess> {
  const child = start(['serve', '--demo', '--no-open', '--port', '0', '--json', ...args]);
  ready = JSON.parse(await firstLine(child));
  return child;
}

beforeAll(async () => {
  await mkdir(join(ROOT, '.tmp'), { recursive: true });
  folder = await mkdtemp(join(ROOT, '.tmp/cli-'));
  home = join(folder, 'home');
  await mkdir(join(folder, 'codex'));
  server = await serve();
});
afterAll(async () => {
  if (server.exitCode === null) {
    const closed = finished(server);
    server.kill('SIGTERM');
    await closed;
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('[CL16] the first line of serve --json says where the server is', () => {
  expect(ready).toEqual({
    event: 'ready',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    login_url: expect.stringMatching(new RegExp(`^${String(ready.url)}/login\\?token=[\\w-]{20,}$`)),
    pid: server.pid,
    home,
  });
});

test('[CL17] a second server on the home exits with 75 and names the first', async () => {
  const second = await run('serve', '--demo', '--no-open', '--port', '0');
  expect(second.code).toBe(75);
  expect(second.stdout).toBe('');
  expect(second.stderr).toContain(String(server.pid));
  expect(second.stderr).toContain(String(ready.url));
});

test('[CL18] status says what runs', async () => {
  const { code, stdout } = await run('status', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    pid: server.pid,
    url: ready.url,
    home,
    codex: { demo: true },
    pending_approvals: 0,
  });
  const human = await run('status');
  expect(human.stdout).toContain(String(ready.url));
  expect(human.stdout).toContain('not an AI');
});

test('[CL18] open prints a link that works once', async () => {
  const { code, stdout, stderr } = await run('open', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { login_url } = JSON.parse(stdout);
  expect(login_url).not.toBe(ready.login_url);
  const session = await logInByLink(login_url);
  const status = await fetch(`${String(ready.url)}/api/appserver/status`, { headers: session.headers() });
  expect(status.status).toBe(200);
  await expect(logInByLink(login_url)).rejects.toThrow('401');
});

test.skipIf(process.platform !== 'linux')(
  "[CL13] a command that carries Codex's environment gets no link",
  async () => {
    const child = start(['open'], environment({ CODEX_THREAD_ID: 'x' }));
    const { code, stdout, stderr } = await finished(child);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain('agents may not make login links');
  },
);

test('[CL9] each kind of failure has its exit code', async () => {
  expect((await run('conversations', 'show', 'nobody')).code).toBe(5);
  expect((await run('conversations', 'list', '--bogus')).code).toBe(2);
  expect((await run('nonsense')).code).toBe(2);
  const wrong = await run('status', '--json', '--bogus');
  expect(JSON.parse(wrong.stdout)).toEqual({
    ok: false,
    code: 'invalid_request',
    message: "unknown option '--bogus'",
  });
  expect((await run('serve', '--port', 'high')).code).toBe(2);
  expect((await run('serve', '--host', '0.0.0.0', '--home', join(folder, 'other'))).code).toBe(2);
  expect((await run('--help')).code).toBe(0);
  expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+/);
});

test('[CL11] without a server: exit 3, and what to do', async () => {
  for (const args of [['status'], ['open'], ['stop'], ['conversations', 'list']]) {
    const { code, stdout, stderr } = await run(...args, '--home', join(folder, 'nowhere'));
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('signalbox serve');
  }
  const { stdout } = await run('status', '--json', '--home', join(folder, 'nowhere'));
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: 'not_running' });
});

test('[CL2] a wrong line of config.toml is named', async () => {
  const config = join(folder, 'config', 'signalbox');
  await mkdir(config, { recursive: true });
  await writeFile(join(config, 'config.toml'), '[server]\nport = "x"\n', { mode: 0o600 });
  const child = start(['serve'], environment({ XDG_CONFIG_HOME: join(folder, 'config') }));
  const { code, stderr } = await finished(child);
  expect(code).toBe(2);
  expect(stderr).toContain(`${join(config, 'config.toml')}:2: server.port: `);
});

test('[CL19] doctor checks everything', async () => {
  const { code, stdout } = await run('doctor', '--json');
  const { ok, checks } = JSON.parse(stdout);
  expect(code).toBe(ok ? 0 : 1);
  expect(checks.map((check: { code: string }) => check.code)).toEqual([
    'node_version',
    'config',
    'webhooks',
    'adapters',
    'codex_binary',
    'codex_login',
    'codex_home',
    'sandbox',
    'directories',
    'port',
    'disk',
    'git',
    'rg',
    'ss',
    'worktrees',
  ]);
  const statusOf = (wanted: string) => checks.find((check: { code: string }) => check.code === wanted)?.status;
  expect([statusOf('node_version'), statusOf('config'), statusOf('codex_binary')]).toEqual(['ok', 'ok', 'ok']);
  expect(statusOf('codex_login')).toBe('warn');
  expect(statusOf('directories')).toBe('ok');
});

test('[CL15] no login link is in the log', () => {
  expect(readFileSync(join(home, 'run', 'server.log'), 'utf8')).not.toMatch(/token=/);
});

/** Last: they end the server. */
describe('stopping', () => {
  test('[CL18] stop returns when the process is gone', async () => {
    const closed = finished(server);
    const { code } = await run('stop');
    expect(code).toBe(0);
    expect((await closed).code).toBe(0);
    expect(existsSync(join(home, 'run', 'server.json'))).toBe(false);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('[CL16] %s stops it with exit 0', async (signal) => {
    server = await serve();
    const isReady = async () => JSON.parse((await run('status', '--json')).stdout).codex.state;
    await expect.poll(isReady, { timeout: 20_000 }).toBe('ready');
    const closed = finished(server);
    server.kill(signal);
    expect((await closed).code).toBe(0);
  });
});
