/** How soon the server answers and Codex is initialized, and what the server's process weighs idle and with much open. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBox } from '../../dist/testing/box.js';
import { CLIENTS } from './lib/clients.mjs';
import { best, mb, ms, note, report } from './lib/report.mjs';
import { bench, CLI, codexBinary, makeDir, onEnd, rssOf, start, startHelper, until } from './lib/stand.mjs';
import { writeConversation } from './lib/transcripts.mjs';

const ROUNDS = 7;
const MANY = { conversations: 20, clients: 50, entries: 100_000 };
/** Long enough for V8 to have given back what starting up took. */
const SETTLE_MS = 3_000;

await bench(async () => {
  await startUp();
  await memory();
});

async function startUp() {
  const dir = makeDir('bench');
  const codexHome = join(dir, 'codex');
  mkdirSync(codexHome, { mode: 0o700 });
  const binary = await codexBinary();
  const runs = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const node = await timeOf(process.execPath, ['-e', '0']);
    const codex = await codexAlone(binary, codexHome);
    runs.push({ node, codex, ...(await serverOnce(join(dir, 'home'), codexHome)) });
  }
  // The first round makes the databases of Codex's home and warms the page cache.
  const least = (key) => best(runs.slice(1).map((run) => run[key]));
  note(`times are the best of ${ROUNDS} alternating rounds, warm`);
  report({
    name: 'startup: HTTP ready',
    ours: ms(least('ready')),
    baseline: ms(least('node')),
    ratio: least('ready') / least('node'),
    goal: ['≤', 3],
  });
  report({
    name: 'startup: Codex initialized, from its start',
    ours: ms(least('initialized')),
    baseline: ms(least('codex')),
    ratio: least('initialized') / least('codex'),
    goal: ['≤', 1.3],
  });
  report({
    name: 'startup: Codex initialized, from our start',
    ours: ms(least('ready') + least('initialized')),
    baseline: ms(least('ready') + least('codex')),
    ratio: (least('ready') + least('initialized')) / (least('ready') + least('codex')),
  });
  report({ name: 'startup: memory when ready', ours: mb(least('rss')), ratio: least('rss'), show: mb });
}

async function timeOf(command, args) {
  const from = performance.now();
  const child = spawn(command, args, { stdio: 'ignore' });
  await new Promise((done) => child.once('exit', done));
  return performance.now() - from;
}

/** From spawning it to its answer to `initialize`, over a pipe. */
async function codexAlone(binary, codexHome) {
  const from = performance.now();
  const child = start(binary, ['app-server'], { cwd: codexHome, env: { ...process.env, CODEX_HOME: codexHome } });
  const params = {
    clientInfo: { name: 'bench', title: 'Bench', version: '1' },
    capabilities: { experimentalApi: true },
  };
  child.stdin.write(`${JSON.stringify({ id: 1, method: 'initialize', params })}\n`);
  await new Promise((done) => createInterface({ input: child.stdout }).once('line', done));
  const tookMs = performance.now() - from;
  await child.end();
  return tookMs;
}

/** The log tells both moments: listening (Codex is started right then), and Codex initialized. */
async function serverOnce(home, codexHome) {
  const from = performance.now();
  const { CODEX_HOME: _codex, SIGNALBOX_HOME: _home, ...env } = process.env;
  const args = [CLI, 'serve', '--json', '--no-open', '--port', '0', '--home', home, '--codex-home', codexHome];
  const child = start(process.execPath, args, { env: { ...env, XDG_CONFIG_HOME: home } });
  await new Promise((done, fail) => {
    createInterface({ input: child.stdout }).once('line', done);
    child.once('exit', (code) => fail(new Error(`the server ended with ${code}`)));
  });
  const ready = performance.now() - from;
  const rss = rssOf(child.pid);
  const logged = (msg) => readLog(home).findLast((line) => line.pid === child.pid && line.msg === msg);
  await until(() => logged('codex is ready') !== undefined, 'Codex');
  const initialized = logged('codex is ready').time_unix_ms - logged('ready').time_unix_ms;
  const exited = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await exited;
  return { ready, initialized, rss };
}

function readLog(home) {
  const lines = readFileSync(join(home, 'run', 'server.log'), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

async function memory() {
  const box = await openBox({ transport: 'unix' });
  onEnd(box.close);
  await until(async () => (await box.must('status', {})).running, 'Codex');
  await sleep(SETTLE_MS);
  const idle = rssOf(box.pid());
  report({ name: 'startup: memory idle', ours: mb(idle), ratio: idle, show: mb, goal: ['≤', 90] });
  await box.kill('SIGTERM');

  const ids = Array.from({ length: MANY.conversations }, (_, n) =>
    writeConversation({ home: box.home, cwd: box.project, number: n, entries: n === 0 ? MANY.entries : 1_000 }),
  );
  await box.restart();
  const clients = startHelper(CLIENTS);
  for (const [n, conversationId] of ids.entries()) {
    const count = n === 0 ? MANY.clients - MANY.conversations + 1 : 1;
    await clients.ask({ command: 'joinOurs', url: box.url(), headers: box.sessionHeaders(), conversationId, count });
  }
  for (let before = MANY.entries; before > 0; before -= 2_500) {
    await box.must('transcriptRange', { conversation_id: ids[0], before, limit: 50 });
  }
  await sleep(SETTLE_MS);
  const { clients: connected, conversations_loaded: loaded } = await box.must('status', {});
  const busy = rssOf(box.pid());
  report({
    name: `startup: memory, ${loaded} conversations, ${connected} clients`,
    ours: mb(busy),
    ratio: busy,
    show: mb,
    goal: ['≤', 150],
  });
}
