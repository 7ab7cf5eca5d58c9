/** Drives a real Codex over its pipe, with a scripted model, and keeps every message of both sides. For tests only. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { isRecord } from '../../src/core/text/is-record.ts';
import { makeDir } from '../../src/testing/box.ts';
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model.ts';
import type { Wire } from '../recording.ts';

export type Json = Readonly<Record<string, unknown>>;
type Message = Wire['msg'];

const ROOT = resolve(import.meta.dirname, '../..');
const TINY_MCP = join(ROOT, 'test/fixtures/tiny-mcp.mjs');
/** A step of a scenario, on a busy machine. */
const STEP_MS = 60_000;

/** The Codex under test: another one that `npm run codex:try` names, else the pinned one. */
export async function codexUnderTest(): Promise<string> {
  const other = process.env.CODEX_TRY_BIN;
  if (other !== undefined) return other;
  const { codexBinary } = (await import(join(ROOT, 'scripts/codex-binary.mjs'))) as {
    codexBinary(root: string): string;
  };
  return codexBinary(ROOT);
}

export interface Recorder {
  readonly model: ScriptedModel;
  readonly project: string;
  request(method: string, params: Json): Promise<Json>;
  /** The next message of Codex, after those already taken, that fits. */
  next(fits: (msg: Message) => boolean, what: string): Promise<Message>;
  /** Answers the next request of Codex that has this method, and resolves to its params. */
  answer(method: string, result: Json): Promise<Json>;
  startThread(params?: Json): Promise<string>;
  /** Starts a turn and resolves to its id. */
  startTurn(threadId: string, text: string, extra?: Json): Promise<string>;
  /** Resolves when the newest turn of the thread has ended. */
  turnEnd(threadId: string): Promise<void>;
  /** Everything that was said, with the places of this machine replaced. */
  wires(): Wire[];
  close(): Promise<void>;
}

export async function openRecorder(codexBin: string): Promise<Recorder> {
  const dir = await makeDir('record');
  const home = join(dir, 'home');
  const project = join(dir, 'project');
  const temporary = join(dir, 'tmp');
  for (const folder of [home, project, temporary]) await mkdir(folder, { mode: 0o700 });
  execFileSync('git', ['init', '--quiet', project]);
  const model = await startScriptedModel();
  await writeFile(join(home, 'config.toml'), renderConfig(model.url));
  const child = spawn(codexBin, ['app-server'], {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      SHELL: '/bin/bash',
      CODEX_HOME: home,
      TMPDIR: temporary,
      LANG: 'C.UTF-8',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const gone = new Promise<void>((done) => child.once('exit', () => done()));

  const wires: Wire[] = [];
  const unread: Message[] = [];
  const looks = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const msg: unknown = JSON.parse(line);
    if (!isRecord(msg)) return;
    wires.push({ client: 'only', dir: 's2c', msg });
    unread.push(msg);
    for (const look of looks) look();
  });

  const send = (msg: Message): void => {
    wires.push({ client: 'only', dir: 'c2s', msg });
    child.stdin.write(`${JSON.stringify(msg)}\n`);
  };

  const next: Recorder['next'] = (fits, what) =>
    new Promise((done, fail) => {
      const late = setTimeout(() => {
        looks.delete(look);
        fail(new Error(`no ${what} came; the last message is ${JSON.stringify(wires.at(-1)?.msg).slice(0, 600)}`));
      }, STEP_MS);
      const look = () => {
        const at = unread.findIndex(fits);
        const found = unread[at];
        if (found === undefined) return;
        unread.splice(at, 1);
        clearTimeout(late);
        looks.delete(look);
        done(found);
      };
      looks.add(look);
      look();
    });

  let lastId = 0;
  const request: Recorder['request'] = async (method, params) => {
    lastId += 1;
    const id = lastId;
    send({ method, id, params });
    const { result, error } = await next((msg) => msg.id === id && msg.method === undefined, `answer to ${method}`);
    if (!isRecord(result)) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };

  await request('initialize', {
    clientInfo: { name: 'signalbox', title: 'Signalbox', version: '0.0.0' },
    capabilities: { experimentalApi: true, requestAttestation: false, requiredHumanApproval: true },
  });
  send({ method: 'initialized' });

  return {
    model,
    project,
    request,
    next,
    async answer(method, result) {
      const { id, params } = await next((msg) => msg.method === method && msg.id !== undefined, `request ${method}`);
      send({ id, result });
      return isRecord(params) ? params : {};
    },
    async startThread(params = {}) {
      const defaults = { cwd: project, approvalPolicy: 'never', sandbox: 'danger-full-access' };
      return idOf((await request('thread/start', { ...defaults, ...params })).thread);
    },
    async startTurn(threadId, text, extra = {}) {
      const input = [{ type: 'text', text, text_elements: [] }];
      return idOf((await request('turn/start', { threadId, input, ...extra })).turn);
    },
    async turnEnd(threadId) {
      const isEnd = (msg: Message) =>
        msg.method === 'turn/completed' && isRecord(msg.params) && msg.params.threadId === threadId;
      await next(isEnd, 'end of the turn');
    },
    wires: () => JSON.parse(withoutPlaces(JSON.stringify(wires), { project, home, dir, modelUrl: model.url })),
    async close() {
      child.stdin.end();
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await gone;
      clearTimeout(late);
      await model.close();
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function idOf(value: unknown): string {
  if (!isRecord(value) || typeof value.id !== 'string') throw new Error('Codex answered without an id');
  return value.id;
}

/** A recording names no folder, port or program of the machine that it was made on. */
function withoutPlaces(text: string, places: { project: string; home: string; dir: string; modelUrl: string }): string {
  return text
    .replaceAll(places.project, '/home/dev/project')
    .replaceAll(places.home, '/home/dev/.codex')
    .replaceAll(places.dir, '/home/dev')
    .replaceAll(places.modelUrl, 'http://127.0.0.1:4000/v1')
    .replaceAll(ROOT, '/home/dev/signalbox')
    .replaceAll(process.execPath, '/usr/bin/node');
}

function renderConfig(modelUrl: string): string {
  return `model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false
[tools.update_plan]
enabled = true
[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 1
stream_max_retries = 1
supports_websockets = false
[mcp_servers.tiny]
command = "${process.execPath}"
args = ["${TINY_MCP}"]
[analytics]
enabled = false
[features]
plugins = false
apps = false
`;
}
