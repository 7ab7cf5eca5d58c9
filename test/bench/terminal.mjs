/** The pty host: bytes to a viewer, keys to their echo, Ctrl-C in a flood, a long block, one-shot commands, the screen's cost, adoption. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import headless from '@xterm/headless';
import { systemClock } from '../../dist/node/clock.js';
import { spawnPty } from '../../dist/ptyhost/pty.js';
import { connectHost } from '../../dist/server/terminal/host-client.js';
import { createHostLauncher } from '../../dist/server/terminal/host-launcher.js';
import { mb, median, ms, note, percentile, report } from './lib/report.mjs';
import { bench, makeDir, onEnd } from './lib/stand.mjs';

const HOST = resolve(import.meta.dirname, '../../dist/bin/pty-host.js');
const ROUNDS = 3;
const ONE_SHOTS = 1_000;
const KEYS = 300;
const FLOODS = { yes: 'yes | head -c 20000000', seq: 'seq 1 2000000' };
/** Reads whatever is there at each wake-up, as most terminals do. */
const EAGER = `
import os, pty, sys, time
pid, fd = pty.fork()
if pid == 0: os.execv('/bin/sh', ['sh', '-c', sys.argv[1]])
total = 0; start = time.time()
while True:
    try: data = os.read(fd, 65536)
    except OSError: break
    if not data: break
    total += len(data)
print(total / (time.time() - start) / 1e6)
`;

/** The host by itself, without Framework Shells round it: only its own work is measured. */
async function startHost({ socket, recordPath, keyPath, env }) {
  const child = spawn(process.execPath, [HOST, socket, recordPath, keyPath], { env, stdio: 'ignore' });
  const value = { isRunning: () => child.exitCode === null, end: async () => child.kill(), lastLines: async () => [] };
  return { ok: true, value };
}

await bench(async () => {
  const dir = makeDir('bench-terminal');
  const run = join(dir, 'run');
  mkdirSync(run, { mode: 0o700 });
  const launcher = createHostLauncher({ runDir: run, env: process.env, startHost, clock: systemClock });
  const found = await launcher.ensure();
  if (!found.ok) throw new Error(found.error.message);
  const hostPid = launcher.find().pid;
  onEnd(async () => {
    process.kill(hostPid, 'SIGKILL');
    while (launcher.find() !== null) await sleep(20);
  });
  const events = new Set();
  let onBytes = () => undefined;
  const link = async () => {
    const ports = {
      onEvent(event) {
        for (const listener of [...events]) listener(event);
      },
      onBytes: (viewer, offset, bytes) => onBytes(viewer, offset, bytes),
      onClose: () => undefined,
    };
    const linked = await connectHost(found.value, ports, systemClock);
    if (!linked.ok) throw new Error(linked.error.message);
    return linked.value;
  };
  const client = await link();
  const once = (fits) =>
    new Promise((done) => {
      const listener = (event) => {
        if (!fits(event)) return;
        events.delete(listener);
        done(event);
      };
      events.add(listener);
    });
  const open = async (key) => {
    const ready = once((event) => event.type === 'state' && event.terminal.key === key && event.terminal.at_prompt);
    const request = {
      do: 'open',
      key,
      dir: join(dir, key),
      run_dir: join(run, 'shells'),
      cwd: dir,
      command: ['/bin/bash'],
    };
    const env = { PATH: process.env.PATH, HOME: dir, PS1: '$ ' };
    const limits = { output_head_bytes: 262_144, output_tail_bytes: 1_048_576 };
    await client.request({ ...request, is_shell: true, env, cols: 80, rows: 24, ...limits });
    await ready;
  };
  const ended = (key) => once((event) => event.type === 'block' && event.kind === 'end' && event.key === key);
  const exec = async (key, command) => {
    const end = ended(key);
    await client.request({ do: 'exec', key, command, actor: 'user' });
    return (await end).record;
  };

  await open('main');
  let seen = 0;
  onBytes = (viewer, offset, bytes) => {
    seen += bytes.length;
    client.send({ do: 'ack', viewer, cursor: offset + bytes.length });
  };
  await client.request({ do: 'attach', key: 'main', viewer: 1, cursor: null });
  for (const [name, command] of Object.entries(FLOODS)) {
    const rates = { ours: [], eager: [], cat: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.eager.push(Number(await outputOf('python3', ['-c', EAGER, command])));
      const before = seen;
      const from = performance.now();
      await exec('main', command);
      rates.ours.push((seen - before) / (performance.now() - from) / 1e3);
      rates.cat.push(await catRate(command));
    }
    note(`${name}: through a pipe to cat ${median(rates.cat).toFixed(0)} MB/s`);
    report({
      name: `terminal: ${name} to the viewer, eager reader`,
      ours: `${median(rates.ours).toFixed(1)} MB/s`,
      baseline: `${median(rates.eager).toFixed(1)} MB/s`,
      ratio: median(rates.ours) / median(rates.eager),
      goal: ['≥', 1.3],
    });
  }

  const cpuBefore = cpuOf(hostPid);
  const long = await exec('main', 'seq 1 1000000');
  const snapshot = await client.request({ do: 'screen', key: 'main' });
  const ours = cpuOf(hostPid) - cpuBefore;
  const inline = await inlineCpu('seq 1 1000000');
  if (!snapshot.value.rows.includes('1000000')) throw new Error('the snapshot is not of the end');
  report({
    name: 'terminal: CPU of 1,000,000 lines, screen inline',
    ours: ms(ours),
    baseline: ms(inline),
    ratio: ours / inline,
    goal: ['≤', 0.4],
  });
  const kept = statSync(join(dir, 'main', 'blocks', `${long.block_id}.out`)).size;
  note(`1,000,000 lines in one block: ${long.output_bytes} bytes, ${long.output_lines} lines, ${kept} kept`);
  report({
    name: 'terminal: memory of the host after it',
    ours: mb(rssOf(hostPid)),
    ratio: rssOf(hostPid),
    show: mb,
    goal: ['≤', 250],
  });

  const echo = async () => {
    const waits = [];
    for (let key = 0; key < KEYS; key += 1) {
      const at = performance.now();
      await new Promise((done) => {
        onBytes = (viewer, offset, bytes) => {
          client.send({ do: 'ack', viewer, cursor: offset + bytes.length });
          if (viewer === 1) done();
        };
        client.send({ do: 'input', key: 'main', data: key % 2 === 0 ? 'x' : '\x7f', actor: 'user' });
      });
      waits.push(performance.now() - at);
    }
    return waits;
  };
  const idle = await echo();
  report({
    name: 'terminal: key to echo, idle, p50',
    ours: ms(median(idle)),
    ratio: median(idle),
    show: ms,
    goal: ['≤', 1],
  });
  await open('flood');
  await client.request({ do: 'attach', key: 'flood', viewer: 2, cursor: null });
  client.send({ do: 'input', key: 'flood', data: 'yes\r', actor: 'user' });
  const busy = await echo();
  const p99 = percentile(busy, 0.99);
  report({ name: 'terminal: key to echo, beside a flood, p99', ours: ms(p99), ratio: p99, show: ms, goal: ['≤', 20] });
  onBytes = (viewer, offset, bytes) => client.send({ do: 'ack', viewer, cursor: offset + bytes.length });
  const stopped = ended('flood');
  const pressed = performance.now();
  client.send({ do: 'input', key: 'flood', data: '\x03', actor: 'user' });
  await stopped;
  const stopMs = performance.now() - pressed;
  report({ name: 'terminal: Ctrl-C on yes', ours: ms(stopMs), ratio: stopMs, show: ms, goal: ['≤', 100] });

  let lost = 0;
  for (let shot = 0; shot < ONE_SHOTS; shot += 1)
    lost += 108_894 + 20_000 - (await oneShot(['/bin/sh', '-c', 'exec seq 1 20000']));
  report({
    name: `terminal: bytes lost in ${ONE_SHOTS} one-shots`,
    ours: String(lost),
    ratio: lost,
    show: String,
    goal: ['≤', 0],
  });

  for (let at = 0; at < 18; at += 1) await open(`shell-${at}`);
  const from = performance.now();
  const second = await link();
  const listed = await second.request({ do: 'list' });
  const tookMs = performance.now() - from;
  second.close();
  report({
    name: `terminal: ${listed.value.length} shells found again`,
    ours: ms(tookMs),
    ratio: tookMs,
    show: ms,
    goal: ['≤', 1000],
  });
});

function outputOf(command, args) {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.on('close', () => done(text));
  });
}

async function catRate(command) {
  const from = performance.now();
  const count = Number(await outputOf('/bin/sh', ['-c', `${command} | cat | wc -c`]));
  return count / (performance.now() - from) / 1e3;
}

function oneShot(command) {
  return new Promise((done) => {
    let bytes = 0;
    const onBytes = (chunk) => {
      bytes += chunk.length;
    };
    const env = { PATH: process.env.PATH };
    spawnPty({ command, cwd: '/', env, cols: 80, rows: 24, onBytes, onExit: () => done(bytes) });
  });
}

/** CPU of this process when each byte goes to an emulator as it comes. */
async function inlineCpu(command) {
  const emulator = new headless.Terminal({ cols: 80, rows: 24, scrollback: 5_000, allowProposedApi: true });
  const before = process.cpuUsage();
  await new Promise((done) => {
    const onBytes = (chunk) => emulator.write(chunk);
    const env = { PATH: process.env.PATH };
    spawnPty({ command: ['/bin/sh', '-c', command], cwd: '/', env, cols: 80, rows: 24, onBytes, onExit: done });
  });
  await new Promise((done) => emulator.write('', done));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3;
}

/** User and system time, in milliseconds: the kernel counts hundredths of a second. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function rssOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
