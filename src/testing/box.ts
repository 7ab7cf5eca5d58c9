/** A whole Signalbox in a folder of its own: the built server as a process, the real Codex, a scripted model. For tests only. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { FailureBody } from '../contract/result.ts';
import { ROUTES, type RouteCall, type RouteId, type RouteOutput } from '../contract/routes.ts';
import { terminate } from '../node/process-identity.ts';
import { readCodexRecord } from '../server/codex/launch.ts';
import { endLeftShells } from './left-shells.ts';
import { startScriptedModel } from './scripted-model.ts';
import { logInByLink, type SessionClient } from './session-client.ts';
import { openWatcher, type Watcher } from './watcher.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CLI = join(ROOT, 'dist/bin/signalbox.js');

export interface BoxOptions {
  readonly transport?: 'unix' | 'stdio';
  readonly codexBin?: string;
  readonly flags?: readonly string[];
  /** Lines for Codex's config.toml. */
  readonly codexConfig?: string;
  /** Our own config.toml. */
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly model?: string;
  /** Use the built-in demo model instead of a scripted one. */
  readonly isDemo?: boolean;
}

export type Answer<Id extends RouteId> =
  | { readonly status: number; readonly ok: true; readonly body: RouteOutput<Id> }
  | { readonly status: number; readonly ok: false; readonly body: FailureBody };

export type Box = Awaited<ReturnType<typeof openBox>>;

/** Not below the temp directory: Codex refuses to put its helpers there. */
export async function makeDir(prefix: string): Promise<string> {
  await mkdir(join(ROOT, '.tmp'), { recursive: true });
  return mkdtemp(join(ROOT, '.tmp', `${prefix}-`));
}

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly session: SessionClient;
  readonly token: string;
  readonly stderr: string[];
}

/** Null for a session that the server does not know any more. */
async function provenAgain(session: SessionClient | undefined, origin: string): Promise<SessionClient | null> {
  return (
    session?.prove(origin).then(
      () => session,
      () => null,
    ) ?? null
  );
}

export async function openBox(options: BoxOptions = {}) {
  const dir = await makeDir('box');
  const home = join(dir, 'home');
  const codexHome = join(dir, 'codex');
  const project = join(dir, 'project');
  const shellsDir = join(dir, 'shells');
  await Promise.all([home, codexHome, project].map((path) => mkdir(path, { recursive: true, mode: 0o700 })));
  const model = await startScriptedModel();
  if (!options.isDemo) await writeFile(join(codexHome, 'config.toml'), codexConfig(model.url, options));
  if (options.config !== undefined) {
    await mkdir(join(dir, 'config', 'signalbox'), { recursive: true, mode: 0o700 });
    await writeFile(join(dir, 'config', 'signalbox', 'config.toml'), options.config, { mode: 0o600 });
  }
  let running = await start();

  async function start(before?: SessionClient, env = options.env): Promise<Running> {
    const flags = [
      '--json',
      '--no-open',
      '--home',
      home,
      '--codex-home',
      codexHome,
      '--transport',
      options.transport ?? 'unix',
    ];
    const bin = options.codexBin === undefined ? [] : ['--codex-bin', options.codexBin];
    const own = Object.entries(process.env).filter(
      ([name]) => !/^(CODEX_HOME|SIGNALBOX_HOME|FRAMEWORK_SHELLS_.*)$/.test(name),
    );
    const child = spawn(process.execPath, [CLI, 'serve', '--port', '0', ...flags, ...bin, ...(options.flags ?? [])], {
      cwd: project,
      env: {
        ...Object.fromEntries(own),
        XDG_CONFIG_HOME: join(dir, 'config'),
        HOME: dir,
        FRAMEWORK_SHELLS_BASE_DIR: shellsDir,
        // Nobody reads along.
        SIGNALBOX_DEMO_DELAY_MS: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stderr: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk.toString()));
    const line = await firstLine(child, stderr);
    const { url, login_url: loginUrl } = JSON.parse(line);
    // After a restart pages that are open come back by themselves; a new login would have to be allowed in one of them.
    const session = (await provenAgain(before, url)) ?? (await logInByLink(loginUrl));
    const record = JSON.parse(await readFile(join(home, 'run', 'server.json'), 'utf8'));
    return { child, url, session, token: record.api_token, stderr };
  }

  const exited = (child: ChildProcess) =>
    child.exitCode !== null || child.signalCode !== null
      ? Promise.resolve()
      : new Promise<void>((done) => child.once('exit', () => done()));

  const headers = (as: 'session' | 'token'): Record<string, string> =>
    as === 'session' ? running.session.headers() : { authorization: `Bearer ${running.token}` };

  const callOnce = async <Id extends RouteId>(
    id: Id,
    input: RouteCall<Id>,
    as: 'session' | 'token' = 'session',
  ): Promise<Answer<Id>> => {
    const { method, path } = ROUTES[id];
    const rest: Record<string, unknown> = { ...input };
    const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
      const value = String(rest[name]);
      delete rest[name];
      return encodeURIComponent(value);
    });
    const isRead = method === 'GET' || method === 'DELETE';
    const query = isRead
      ? new URLSearchParams(
          Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, String(value)])),
        ).toString()
      : '';
    const response = await fetch(`${running.url}${filled}${query === '' ? '' : `?${query}`}`, {
      method,
      headers: { ...headers(as), ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
      ...(isRead ? {} : { body: JSON.stringify(rest) }),
    });
    return { status: response.status, ok: response.ok, body: await response.json() } as Answer<Id>;
  };

  /** Confirms what the server wants confirmed, as a person does who goes on. */
  const call = async <Id extends RouteId>(
    id: Id,
    input: RouteCall<Id>,
    as: 'session' | 'token' = 'session',
  ): Promise<Answer<Id>> => {
    const answer = await callOnce(id, input, as);
    const isAsked = !answer.ok && answer.body.code === 'confirmation_required' && as === 'session';
    return isAsked ? callOnce(id, { ...input, confirm: { id: answer.body.details?.confirm } }, as) : answer;
  };

  /** The body of an answer that must be good. */
  const must = async <Id extends RouteId>(
    id: Id,
    input: RouteCall<Id>,
    as: 'session' | 'token' = 'session',
  ): Promise<RouteOutput<Id>> => {
    const answer = await call(id, input, as);
    if (!answer.ok) throw new Error(`${id}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  /** Resolves when Codex is no longer starting, whatever became of it. */
  const startUp = async (): Promise<void> => {
    const { codex } = await must('status', {});
    if (codex.state === 'starting') await call('initialize', {});
  };

  const watchers = new Set<Watcher>();

  return {
    dir,
    home,
    codexHome,
    project,
    /** FRAMEWORK_SHELLS_BASE_DIR. */
    shellsDir,
    model,
    call,
    /** Without confirming anything. */
    callOnce,
    must,
    url: () => running.url,
    pid: () => running.child.pid ?? 0,
    /** Headers of the browser session that the box itself has. */
    sessionHeaders: () => running.session.headers(),
    session: () => running.session,
    token: () => running.token,
    stderr: () => running.stderr.join(''),
    exited: () => exited(running.child),
    async create(settings: RouteCall<'createConversation'> = {}): Promise<string> {
      // A request waits only seconds for a Codex that starts; a loaded machine may need more.
      await startUp();
      const created = await must('createConversation', {
        cwd: project,
        ...(options.model ? { model: options.model } : {}),
        ...settings,
      });
      return created.id;
    },
    async watch(conversationId: string, after?: number): Promise<Watcher> {
      const watcher = await openWatcher(running.url, running.session.headers(), conversationId, after);
      watchers.add(watcher);
      return watcher;
    },
    /** Every entry, paged forwards. */
    async entries(conversationId: string) {
      const all = [];
      for (let after = 0; ; ) {
        const page = await must('transcriptRange', {
          conversation_id: conversationId,
          after,
          limit: 500,
          aliases: 'false',
        });
        all.push(...page.entries);
        if (page.last_seq === null || page.entries.length === 0) return all;
        after = page.last_seq;
      }
    },
    async codexPid(): Promise<number> {
      return (await must('status', {})).codex.pid ?? 0;
    },
    async kill(signal: NodeJS.Signals = 'SIGKILL') {
      running.child.kill(signal);
      await exited(running.child);
    },
    /** `env` takes the place of the one that the box was opened with. */
    async restart(env = options.env) {
      running.child.kill('SIGKILL');
      await exited(running.child);
      running = await start(running.session, env);
    },
    async close() {
      for (const watcher of watchers) watcher.close();
      const isUp = running.child.exitCode === null && running.child.signalCode === null;
      // A Codex that was left alone on purpose must not outlive the test.
      if (isUp) await call('stop', {}).catch(() => undefined);
      running.child.kill('SIGTERM');
      await exited(running.child);
      const left = readCodexRecord(join(home, 'run'));
      if (left !== null) await terminate(left.pid, { start_time: left.start_time, graceMs: 0 });
      // The pty host is one of them, and its terminals go with it.
      await endLeftShells(shellsDir);
      await model.close();
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function firstLine(child: ChildProcess, stderr: readonly string[]): Promise<string> {
  return new Promise((done, fail) => {
    if (child.stdout !== null) createInterface({ input: child.stdout }).once('line', done);
    child.once('exit', (code) =>
      fail(new Error(`the server ended with ${code} before it was ready:\n${stderr.join('')}`)),
    );
  });
}

function codexConfig(url: string, options: BoxOptions): string {
  return `model = "${options.model ?? 'gpt-5.5'}"
model_provider = "scripted"
check_for_update_on_startup = false
${options.codexConfig ?? ''}
[model_providers.scripted]
name = "scripted"
base_url = "${url}"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 1
stream_max_retries = 1
supports_websockets = false
[analytics]
enabled = false
[features]
plugins = false
apps = false
`;
}
