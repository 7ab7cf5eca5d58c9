/** The server under torture: the built program as a process with its own home and Codex home, started, killed and asked over HTTP. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const CLI = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');
/** Far above a start on a busy machine, so that only a server that never starts reaches it. */
const START_MS = 120_000;
/** A request that takes longer is stuck: five times the server's own limit for Codex to become ready, so that load alone never reaches it. */
const CALL_MS = 100_000;

/** `keepHome`: the home is a mount that its owner removes. */
export function createHost({ dir, modelUrl, env: ownEnv = {}, keepHome = false }) {
  const home = join(dir, 'home');
  const codexHome = join(dir, 'codex');
  const project = join(dir, 'project');
  const shells = join(dir, 'shells');
  for (const path of [home, codexHome, project, shells]) mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(join(codexHome, 'config.toml'), codexConfig(modelUrl));
  mkdirSync(join(dir, 'config', 'signalbox'), { recursive: true });

  let running = null;
  let starting = null;

  const start = async (killAt = null) => {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(CODEX_|SIGNALBOX_|FRAMEWORK_SHELLS_)/.test(name),
    );
    const env = {
      ...Object.fromEntries(inherited),
      HOME: dir,
      XDG_CONFIG_HOME: join(dir, 'config'),
      FRAMEWORK_SHELLS_BASE_DIR: shells,
      SHELL: '/bin/bash',
      ...ownEnv,
      ...(killAt === null ? {} : { SIGNALBOX_KILL_AT: killAt }),
    };
    const flags = ['--json', '--no-open', '--port', '0', '--home', home, '--codex-home', codexHome];
    const child = spawn(process.execPath, [CLI, 'serve', ...flags], {
      cwd: project,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const errors = [];
    child.stderr.on('data', (chunk) => errors.push(chunk.toString()));
    const exit = new Promise((done) => child.once('exit', (code, signal) => done({ code, signal })));
    const line = await new Promise((done, fail) => {
      const timer = setTimeout(() => fail(new Error('the server printed nothing')), START_MS);
      createInterface({ input: child.stdout }).once('line', (text) => {
        clearTimeout(timer);
        done(text);
      });
      void exit.then(() => {
        clearTimeout(timer);
        fail(new Error(`the server ended before it was ready:\n${errors.join('')}`));
      });
    });
    const { url, login_url: loginUrl } = JSON.parse(line);
    const made = { child, url, exit, errors, session: null, token: '', isDead: false, isStopping: false };
    void exit.then(() => {
      made.isDead = true;
    });
    const record = JSON.parse(readFileSync(join(home, 'run', 'server.json'), 'utf8'));
    made.token = record.api_token;
    made.session = await logIn(loginUrl).catch(() => null);
    running = made;
    return made;
  };

  /** The running server; started if there is none, or if the one there was has died. */
  const up = async () => {
    if (running !== null && !running.isDead && !running.isStopping) return running;
    if (running?.isStopping) await running.exit;
    starting ??= start().finally(() => {
      starting = null;
    });
    return starting;
  };

  const call = async (method, path, body) => {
    const answer = await callOnce(method, path, body);
    // A long run outlives the proof of its session: the key signs another one.
    if (answer.body?.code !== 'proof_expired') return answer;
    await running?.session?.prove();
    return callOnce(method, path, body);
  };

  const callOnce = async (method, path, body) => {
    const at = await up();
    const headers = { authorization: `Proof ${at.session?.proof() ?? ''}`, 'content-type': 'application/json' };
    const response = await fetch(`${at.url}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(CALL_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };

  const signal = (pid, name) => {
    // 0 and below are process groups, ours among them.
    if (!(pid > 0)) return false;
    try {
      process.kill(pid, name);
      return true;
    } catch {
      return false;
    }
  };

  const readRun = (name) => {
    try {
      return JSON.parse(readFileSync(join(home, 'run', name), 'utf8'));
    } catch {
      return null;
    }
  };

  return {
    dir,
    home,
    codexHome,
    project,
    up,
    call,
    signal,
    /** The answer of a call that must succeed. */
    async must(method, path, body) {
      const answer = await call(method, path, body);
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    pid: () => running?.child.pid ?? 0,
    token: () => running?.token ?? '',
    isUp: () => running !== null && !running.isDead && !running.isStopping,
    errors: () => running?.errors.join('') ?? '',
    exited: () => running?.exit ?? Promise.resolve(),
    async kill() {
      running?.child.kill('SIGKILL');
      await running?.exit;
    },
    /** A graceful stop; calls that come meanwhile wait for the next server. */
    async stop() {
      if (running === null || running.isDead) return;
      running.isStopping = true;
      running.child.kill('SIGTERM');
      await running.exit;
    },
    /** Starts the server anew, armed to kill itself at a point; it may reach the point before it is ready. */
    async restartWith(killAt) {
      running?.child.kill('SIGKILL');
      await running?.exit;
      const armed = { hasEnded: false, ended: null };
      const started = await start(killAt).catch(() => null);
      armed.hasEnded = started === null;
      armed.ended = Promise.resolve(started?.exit).then(() => {
        armed.hasEnded = true;
      });
      return armed;
    },
    codexPid: async () => (await call('GET', '/api/appserver/status')).body.codex?.pid ?? null,
    ptyHostPid: () => readRun('pty-host.json')?.pid ?? null,
    async close() {
      if (running !== null && !running.isDead) {
        await call('POST', '/api/appserver/stop', {}).catch(() => undefined);
        running.child.kill('SIGTERM');
        await running.exit;
      }
      for (const pid of leftPids(shells)) signal(pid, 'SIGKILL');
      if (!keepHome) rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** As a browser does: a key of its own for the token of the link, and proofs in return, signed with the key. */
async function logIn(loginUrl) {
  const { origin, searchParams } = new URL(loginUrl);
  const { privateKey, publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  const { x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const post = async (path, body) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json();
  };
  const granted = await post('/api/session/login', { token: searchParams.get('token'), public_key: { x, y } });
  const session_id = granted.session_id;
  let { proof } = granted;
  return {
    proof: () => proof,
    async prove() {
      const { challenge } = await post('/api/session/challenge', { session_id });
      const text = Buffer.from(`signalbox session proof 1\n${origin}\n${session_id}\n${challenge}`);
      const signed = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, text);
      const signature = Buffer.from(signed).toString('base64url');
      ({ proof } = await post('/api/session/proof', { session_id, challenge, signature }));
    },
  };
}

/** Processes that the server leaves running on purpose, by the records of its shells; their environment names our folder. */
function leftPids(shells) {
  let names = [];
  try {
    names = readdirSync(shells, { recursive: true }).filter((name) => /meta\/[^/]+\.json$/.test(name));
  } catch {
    // Nothing was started.
  }
  return names.flatMap((name) => {
    try {
      const { pid } = JSON.parse(readFileSync(join(shells, name), 'utf8'));
      // A number may have been given to another process since.
      return pid && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(shells) ? [pid] : [];
    } catch {
      return [];
    }
  });
}

function codexConfig(url) {
  return `model = "gpt-5.5"
model_provider = "torture"
check_for_update_on_startup = false
[model_providers.torture]
name = "torture"
base_url = "${url}"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 2
stream_max_retries = 2
supports_websockets = false
[analytics]
enabled = false
[features]
plugins = false
apps = false
`;
}
