/** Shells and the end of the server: killed, stopped in good order, and started again. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ShellView } from '../../src/contract/shellspec.ts';
import { startTimeOf } from '../../src/node/process-identity.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

const CLI = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');

let box: Box;
afterEach(() => box.close());

async function up(text: string): Promise<Map<string, ShellView>> {
  const file = join(box.project, 'spec.yaml');
  await writeFile(file, `version: "1"\nshells:\n${text.replace(/^/gm, '  ')}\n`);
  const { shells } = await box.must('upShells', { file });
  return new Map(shells.map((shell) => [shell.id.slice(0, shell.id.lastIndexOf('-')), shell]));
}

const pidOf = (shell: ShellView | undefined): number => shell?.pid ?? 0;
const read = async (shell: ShellView | undefined) => (await box.must('readShell', { id: shell?.id ?? '' })).shell;
const logOf = async (shell: ShellView | undefined) => (await box.must('shellLogs', { id: shell?.id ?? '' })).text;
function eventually<T>(probe: () => Promise<T>) {
  return expect.poll(probe, { timeout: 20_000 });
}

/** Processes of this user whose environment or working files say that they belong to this box. */
function processesOfBox(): string[] {
  const own = process.getuid?.();
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        if (statSync(`/proc/${name}`).uid !== own) return [];
        const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        // HOME of everything the box starts, and CODEX_HOME of its Codex.
        return environment.includes(box.dir) && command !== '' ? [`${name} ${command}`] : [];
      } catch {
        return [];
      }
    });
}

test('[SH19] the server killed: a proc shell goes on and is adopted with its output, a pipe shell is ended, a dead one is marked', async () => {
  box = await openBox();
  const shells = await up(`counter:
  backend: proc
  command: 'i=0; while :; do echo "n $i"; i=$((i+1)); sleep 0.05; done'
session:
  backend: dtach
  command: [bash, --norc]
screen:
  backend: pty
  command: 'i=0; while :; do echo "n $i"; i=$((i+1)); sleep 0.05; done'
keys:
  backend: pty
  command: [cat]
mayfly:
  backend: pty
  command: [sleep, "600"]
phoenix:
  backend: pty
  command: 'echo born; exec sleep 600'
  restart: always
talker:
  backend: pipe
  # Ignores the end of its input: left alone it would be an orphan.
  command: 'trap "" HUP; while :; do sleep 1; done'
doomed:
  backend: proc
  command: [sleep, "600"]
reborn:
  backend: proc
  command: 'echo born; exec sleep 600'
  restart: always`);
  const [counter, session, talker, doomed, reborn] = ['counter', 'session', 'talker', 'doomed', 'reborn'].map((name) =>
    shells.get(name),
  );
  const [screen, keys, mayfly, phoenix] = ['screen', 'keys', 'mayfly', 'phoenix'].map((name) => shells.get(name));
  await eventually(() => logOf(counter)).toContain('n 3\n');
  await eventually(() => logOf(screen)).toContain('n 3\r\n');
  await eventually(() => logOf(phoenix)).toContain('born');
  await box.kill('SIGKILL');
  const before = await readLog(counter);
  const shown = await readLog(screen);
  for (const victim of [doomed, reborn, mayfly, phoenix]) process.kill(pidOf(victim), 'SIGKILL');
  await eventually(() => readLog(counter)).toContain(`n ${before.trim().split('\n').length + 5}\n`);
  await eventually(() => readLog(screen)).toContain(`n ${shown.trim().split('\n').length + 5}\r\n`);
  await box.restart();
  await eventually(async () => (await read(counter)).state).toBe('running');
  expect(await read(counter)).toMatchObject({ id: counter?.id, pid: counter?.pid, is_adopted: true, exit: null });
  expect(await read(session)).toMatchObject({ pid: session?.pid, is_adopted: true });
  expect(await read(talker)).toMatchObject({
    state: 'gone',
    exit: { code: null, reason: expect.stringContaining('the server it talked to') },
  });
  expect(startTimeOf(pidOf(talker))).toBeNull();
  expect(await read(doomed)).toMatchObject({
    state: 'gone',
    pid: null,
    exit: { reason: expect.stringContaining('while no server was running') },
  });
  await eventually(async () => (await read(reborn)).state).toBe('running');
  await eventually(() => logOf(reborn)).toBe('born\nborn\n');
  const lines = (await logOf(counter)).trim().split('\n');
  const first = Number(lines[0]?.slice(2));
  expect(lines).toEqual(lines.map((_line, at) => `n ${first + at}`));
  await box.must('inputShell', { id: session?.id ?? '', data: 'echo back-$((1+1))\n' });
  await eventually(() => logOf(session)).toContain('back-2');
  for (const shell of [screen, keys])
    expect(await read(shell)).toMatchObject({ pid: shell?.pid, state: 'running', is_adopted: true, exit: null });
  expect(await read(mayfly)).toMatchObject({ state: 'gone', pid: null });
  await eventually(async () => (await read(phoenix)).state).toBe('running');
  await eventually(() => logOf(phoenix)).toBe('born\r\nborn\r\n');
  await box.must('inputShell', { id: keys?.id ?? '', data: 'found again\n' });
  await eventually(() => logOf(keys)).toBe('found again\r\nfound again\r\n');
  await box.must('stopShell', { id: screen?.id ?? '' });
  expect(await read(screen)).toMatchObject({ state: 'stopped', exit: { signal: 'SIGTERM' } });
  const drawn = (await logOf(screen)).trim().split('\r\n');
  expect(drawn).toEqual(drawn.map((_line, at) => `n ${Number(drawn[0]?.slice(2)) + at}`));
  const stopped = (await box.must('stopShell', { id: counter?.id ?? '' })).shell;
  expect(stopped).toMatchObject({ state: 'stopped', pid: null });
  expect(startTimeOf(pidOf(counter))).toBeNull();
});

test('[SH19] a pid that another process has now is not adopted, and not touched', async () => {
  box = await openBox();
  const shell = (await up('it:\n  backend: proc\n  command: [sleep, "600"]')).get('it');
  await box.kill('SIGKILL');
  const bystander = spawn('sleep', ['600']);
  const names = await readdir(box.shellsDir, { recursive: true });
  const file = join(box.shellsDir, names.find((name) => name.endsWith(`meta/${shell?.id}.json`)) ?? '');
  const record = JSON.parse(await readFile(file, 'utf8'));
  process.kill(pidOf(shell), 'SIGKILL');
  await writeFile(file, JSON.stringify({ ...record, pid: bystander.pid }));
  await box.restart();
  await eventually(async () => (await read(shell)).state).toBe('gone');
  expect(startTimeOf(bystander.pid ?? 0)).not.toBeNull();
  bystander.kill('SIGKILL');
});

test('[SH20] `signalbox stop` leaves no process, by environment and user, but those meant to live; and they are taken up again', async () => {
  box = await openBox();
  await box.must('initialize', {});
  const shells = await up(`short:
  backend: proc
  stop: {grace_ms: 300}
  command: 'trap "" TERM; (setsid sh -c "trap \\"\\" TERM HUP; while :; do sleep 1; done" &); while :; do sleep 1; done'
always:
  backend: proc
  command: [sleep, "600"]
  restart: always
pipe:
  backend: pipe
  command: [cat]
session:
  backend: dtach
  command: [bash, --norc]
screen:
  backend: pty
  command: [cat]
encore:
  backend: pty
  command: [cat]
  restart: always
lives:
  backend: proc
  stop: {with_server: false}
  command: [sleep, "601"]`);
  expect(processesOfBox().length).toBeGreaterThan(6);
  const stop = spawn(process.execPath, [CLI, 'stop', '--home', box.home], { stdio: 'ignore' });
  expect(await new Promise((done) => stop.once('exit', done))).toBe(0);
  await box.exited();
  expect(processesOfBox()).toEqual([`${pidOf(shells.get('lives'))} sleep 601 `]);
  await box.restart();
  await eventually(async () => (await read(shells.get('lives'))).state).toBe('running');
  expect(await read(shells.get('lives'))).toMatchObject({ pid: pidOf(shells.get('lives')), is_adopted: true });
  await eventually(async () => (await read(shells.get('always'))).state).toBe('running');
  await eventually(async () => (await read(shells.get('encore'))).state).toBe('running');
  expect(await read(shells.get('screen'))).toMatchObject({ state: 'stopped', exit: { signal: 'SIGTERM' } });
  expect(await read(shells.get('short'))).toMatchObject({ state: 'stopped' });
});

test('[SH20] a shell in the pty host that is meant to live outlasts `signalbox stop` with its host, and both end together', async () => {
  box = await openBox();
  const lives = (await up('lives:\n  backend: pty\n  stop: {with_server: false}\n  command: [cat]')).get('lives');
  const [host] = (await box.must('listShells', { label: 'app=pty-host' })).shells;
  const stop = spawn(process.execPath, [CLI, 'stop', '--home', box.home], { stdio: 'ignore' });
  expect(await new Promise((done) => stop.once('exit', done))).toBe(0);
  await box.exited();
  expect(processesOfBox().map((line) => Number(line.split(' ')[0]))).toEqual(
    [pidOf(host), pidOf(lives)].sort((a, b) => a - b),
  );
  await box.restart();
  await eventually(async () => (await read(lives)).is_adopted).toBe(true);
  await box.must('inputShell', { id: lives?.id ?? '', data: 'hello again\n' });
  await eventually(() => logOf(lives)).toBe('hello again\r\nhello again\r\n');
  await box.must('stopShell', { id: lives?.id ?? '' });
  await eventually(async () => startTimeOf(pidOf(host))).toBeNull();
});

test('[SH19] twenty shells are adopted by the time the list is first shown', async () => {
  box = await openBox();
  const names = Array.from({ length: 20 }, (_, at) => `s${at}`);
  await up(names.map((name) => `${name}:\n  backend: proc\n  command: [sleep, "600"]`).join('\n'));
  await box.restart();
  const since = performance.now();
  const { shells } = await box.must('listShells', {});
  const tookMs = performance.now() - since;
  expect(shells.filter((shell) => shell.is_adopted && shell.backend === 'proc').length).toBeGreaterThanOrEqual(20);
  expect(tookMs).toBeLessThan(5_000);
});

test('[SH15] without a secret and without leave to make one, Codex does not start and everything says why', async () => {
  box = await openBox({ flags: ['-c', 'shells.create_secret=false'] });
  await eventually(async () => (await box.must('status', {})).codex.message).toContain(
    'FRAMEWORK_SHELLS_SECRET is required',
  );
  expect(await box.call('listShells', {})).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^FRAMEWORK_SHELLS_SECRET is required/) },
  });
  await rm(box.shellsDir, { recursive: true, force: true });
});

async function readLog(shell: ShellView | undefined): Promise<string> {
  const names = await readdir(box.shellsDir, { recursive: true });
  const file = names.find((name) => name.endsWith(`logs/${shell?.id}.log`)) ?? '';
  return readFile(join(box.shellsDir, file), 'utf8');
}
