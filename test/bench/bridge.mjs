/**
 * A flood of deltas from the real Codex to 1, 10 and 50 clients: through us over both transports, and directly on
 * `codex app-server --listen ws`. Lines a second = deltas ÷ time from the message to the last client having heard the end.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openBox } from '../../dist/testing/box.js';
import { CLIENTS } from './lib/clients.mjs';
import { median, note, perSecond, report } from './lib/report.mjs';
import { bench, codexBinary, makeDir, onEnd, start, startHelper, until } from './lib/stand.mjs';

const DELTA_BYTES = 24;
const ROUNDS = 3;
/** Codex's own fan-out is slow and steady: with many clients a shorter flood measures the same rate in bearable time. */
const PLANS = [
  { count: 1, deltas: 30_000, direct: 30_000, goals: { stdio: 1.15, unix: 0.9 } },
  { count: 10, deltas: 30_000, direct: 10_000, goals: { stdio: 4.5, unix: 3 } },
  { count: 50, deltas: 30_000, direct: 2_500, goals: { stdio: 15, unix: 10 } },
];

const say = (deltas) => ({
  events: [{ say: '0123456789 abcdefghij-_+\n'.slice(0, DELTA_BYTES).repeat(deltas), chunk: DELTA_BYTES }],
});

await bench(async () => {
  const boxes = { stdio: await open('stdio'), unix: await open('unix') };
  const direct = await startDirect(boxes.stdio);
  const clients = startHelper(CLIENTS);
  note(
    `${DELTA_BYTES}-byte deltas, medians of ${ROUNDS} alternating rounds; direct floods are shorter with more clients`,
  );

  const throughUs = async (box, { count, deltas }) => {
    const place = {
      url: box.url(),
      headers: box.sessionHeaders(),
      conversationId: await box.create({ approval: 'never' }),
    };
    await clients.ask({ command: 'joinOurs', ...place, count });
    await clients.ask({ command: 'floodOurs', ...place, text: 'hello' });
    box.model.push(say(deltas));
    const flood = await clients.ask({ command: 'floodOurs', ...place, text: 'flood' });
    await clients.ask({ command: 'leave' });
    return { rate: (deltas / flood.tookMs) * 1000, frames: flood.frames / deltas };
  };
  const straight = async ({ count, direct: deltas }) => {
    const threadId = await clients.ask({ command: 'joinCodex', url: direct.url, cwd: direct.cwd, count });
    direct.model.push(say(deltas));
    const flood = await clients.ask({ command: 'floodCodex', threadId, text: 'flood' });
    await clients.ask({ command: 'leave' });
    return { rate: (deltas / flood.tookMs) * 1000, frames: flood.frames / deltas };
  };

  // Nobody's first flood counts: Codex and V8 warm up in it.
  await throughUs(boxes.stdio, PLANS[0]);
  await throughUs(boxes.unix, PLANS[0]);
  await straight(PLANS[0]);
  for (const plan of PLANS) {
    const runs = { stdio: [], unix: [], direct: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      runs.direct.push(await straight(plan));
      runs.stdio.push(await throughUs(boxes.stdio, plan));
      runs.unix.push(await throughUs(boxes.unix, plan));
    }
    const rate = (kind) => median(runs[kind].map((one) => one.rate));
    for (const kind of ['stdio', 'unix']) {
      report({
        name: `bridge: flood to ${plan.count}, ${kind}`,
        ours: perSecond(rate(kind)),
        baseline: perSecond(rate('direct')),
        ratio: rate(kind) / rate('direct'),
        goal: ['≥', plan.goals[kind]],
      });
    }
    const share = (kind) => median(runs[kind].map((one) => one.frames)).toFixed(3);
    note(`frames per delta and client: stdio ${share('stdio')}, unix ${share('unix')}, direct ${share('direct')}`);
  }
});

async function open(transport) {
  const box = await openBox({ transport });
  onEnd(box.close);
  await until(async () => (await box.must('status', {})).running, 'Codex');
  return box;
}

/** The same Codex with the same settings and the same model, without us. */
async function startDirect(box) {
  const dir = makeDir('bench');
  const [codexHome, cwd] = [join(dir, 'codex'), join(dir, 'project')];
  for (const path of [codexHome, cwd]) mkdirSync(path, { mode: 0o700 });
  copyFileSync(join(box.codexHome, 'config.toml'), join(codexHome, 'config.toml'));
  const port = await freePort();
  start(await codexBinary(), ['app-server', '--listen', `ws://127.0.0.1:${port}`], {
    cwd: codexHome,
    env: { ...process.env, CODEX_HOME: codexHome },
    stdio: 'ignore',
  });
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/readyz`)
      .then(({ ok }) => ok)
      .catch(() => false);
  await until(isUp, 'Codex on its WebSocket');
  return { url: `ws://127.0.0.1:${port}`, cwd, model: box.model };
}

function freePort() {
  return new Promise((done) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
