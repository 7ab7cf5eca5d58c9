/** The built program, as people and scripts run it: a real server, the real Codex, the demo model. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const MAIN = join(ROOT, 'dist/cli/main.js');

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

async function newConversation(label: string): Promise<string> {
  const { stdout } = await run('conversations', 'new', '--label', label);
  return stdout.trim();
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
  const first = await fetch(login_url, { redirect: 'manual' });
  expect(first.headers.get('set-cookie')).toMatch(/HttpOnly/i);
  expect((await fetch(login_url, { redirect: 'manual' })).status).toBe(401);
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

describe('conversations', () => {
  test('[CL20] new, list, archive', async () => {
    const id = await newConversation('To be archived');
    expect(id).toMatch(/^conv_[0-9a-f]{32}$/);
    const listed = async (...more: string[]) => {
      const { stdout } = await run('conversations', 'list', '--json', ...more);
      return JSON.parse(stdout).conversations.map((row: { id: string }) => row.id);
    };
    expect(await listed()).toContain(id);
    expect((await run('conversations', 'archive', 'to be arch')).code).toBe(0);
    expect(await listed()).not.toContain(id);
    expect(await listed('--archived')).toContain(id);
  });

  test('[CL21] send prints the answer on stdout and commands on stderr', async () => {
    const id = await newConversation('Sending');
    const { code, stdout, stderr } = await run('conversations', 'send', 'sending', 'Run `echo over-the-wire; exit 3`');
    expect(code).toBe(0);
    expect(stdout).toContain('over-the-wire');
    expect(stderr).toBe('$ echo over-the-wire; exit 3\n  exit 3\n');
    const shown = await run('conversations', 'show', id);
    // What was streamed is what was kept.
    const answers = JSON.parse((await run('conversations', 'show', id, '--json')).stdout).entries.filter(
      (entry: { role: string }) => entry.role === 'assistant',
    );
    expect(stdout).toBe(answers.map((entry: { text: string }) => `${entry.text}\n`).join(''));
    expect(shown.stdout).toContain('Command (failed) (exit 3)');
  });

  test('[CL21] send - reads the message, and --json tells every event', async () => {
    await newConversation('From stdin');
    const child = start(['conversations', 'send', 'From stdin', '-', '--json']);
    child.stdin.end('Hello');
    const { code, stdout } = await finished(child);
    expect(code).toBe(0);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ type: 'sent', outcome: 'started' });
    expect(events.at(-1)).toMatchObject({ type: 'status', entry: { turn_status: 'completed' } });
    const deltas = events.filter(({ type }) => type === 'assistant_delta').map(({ delta }) => delta);
    const whole = events.find(({ type }) => type === 'assistant_finalize');
    expect(deltas.join('')).toBe(whole?.entry.text);
  });

  test('[CL21] a turn that failed exits with 1', async () => {
    await newConversation('Failing');
    const { code, stderr } = await run('conversations', 'send', 'Failing', 'Fail on purpose');
    expect(code).toBe(1);
    expect(stderr).toContain('on purpose');
  });

  test('[CL21] Ctrl-C interrupts the turn and exits with 130', async () => {
    const id = await newConversation('Interrupted');
    const child = start(['conversations', 'send', id, 'Run `id -un` outside the sandbox']);
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('waits for your approval')) child.kill('SIGINT');
    });
    const { code, stderr } = await finished(child);
    expect(code).toBe(130);
    expect(stderr).toContain('waits for your approval');
    const { stdout } = await run('conversations', 'show', id, '--json');
    expect(JSON.parse(stdout).entries).toContainEqual(
      expect.objectContaining({ role: 'status', turn_status: 'interrupted' }),
    );
  });

  test('[CL21] the answer is whole although the server was killed and came back meanwhile', async () => {
    const id = await newConversation('Restarted');
    const child = start(['conversations', 'send', id, 'Run `sleep 4; echo still-here`']);
    const sent = finished(child);
    await new Promise<void>((resolve) => {
      child.stderr.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('$ sleep')) resolve();
      });
    });
    const killed = new Promise((resolve) => server.once('close', resolve));
    server.kill('SIGKILL');
    await killed;
    server = await serve();
    const { code, stdout } = await sent;
    expect(code).toBe(0);
    const { entries } = JSON.parse((await run('conversations', 'show', id, '--json')).stdout);
    const answers = entries.filter((entry: { role: string }) => entry.role === 'assistant');
    expect(stdout).toBe(answers.map((entry: { text: string }) => `${entry.text}\n`).join(''));
    expect(stdout).toContain('still-here');
  });

  test('[CL22] export gives the whole transcript in each format', async () => {
    const id = await newConversation('Exported');
    await run('conversations', 'send', id, 'Show me Markdown');
    const json = JSON.parse((await run('conversations', 'export', id, '--format', 'json')).stdout);
    expect(json.conversation.conversation_id).toBe(id);
    expect(json.entries.map(({ seq }: { seq: number }) => seq)).toEqual(
      json.entries.map((_: unknown, index: number) => index + 1),
    );
    const md = await run('conversations', 'export', id);
    expect(md.stdout).toMatch(/^# Exported\n/);
    expect(md.stdout).toContain('## You · ');
    const html = await run('conversations', 'export', id, '--format', 'html');
    expect(html.stdout).toMatch(/^<!doctype html>/);
    expect(html.stdout).toMatch(/<\/html>\n$/);
  });

  test('[CL23] import opens a thread of Codex; an unknown one exits with 5', async () => {
    const id = await newConversation('Imported');
    await run('conversations', 'send', id, 'Hello');
    const { thread_id } = JSON.parse(
      (await run('conversations', 'export', id, '--format', 'json')).stdout,
    ).conversation;
    const known = await run('conversations', 'import', thread_id);
    expect(known.code).toBe(0);
    const unknown = await run('conversations', 'import', '00000000-0000-7000-8000-000000000000');
    expect(unknown.code).toBe(5);
  });
});

test('[CL9] each kind of failure has its exit code', async () => {
  expect((await run('conversations', 'show', 'nobody')).code).toBe(5);
  expect((await run('conversations', 'list', '--bogus')).code).toBe(2);
  expect((await run('nonsense')).code).toBe(2);
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
    'codex_binary',
    'codex_login',
    'codex_home',
    'sandbox',
    'directories',
    'port',
    'disk',
    'git',
    'rg',
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
