/** Framework Shells with `backend: pty`, over the real server and its real pty host. */
import { readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ShellView } from '../../src/contract/shellspec.ts';
import { startTimeOf } from '../../src/node/process-identity.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
let count = 0;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

async function spec(lines: string): Promise<string> {
  count += 1;
  const file = join(box.project, `spec-${count}.yaml`);
  await writeFile(file, `version: "1"\nshells:\n  it:\n${lines.replace(/^/gm, '    ')}\n`);
  return file;
}

async function up(lines: string): Promise<ShellView> {
  const [shell] = (await box.must('upShells', { file: await spec(lines) }, 'token')).shells;
  if (shell === undefined) throw new Error('nothing was started');
  return shell;
}

const read = async (id: string): Promise<ShellView> => (await box.must('readShell', { id })).shell;
const logOf = async (id: string): Promise<string> => (await box.must('shellLogs', { id })).text;
function eventually<T>(probe: () => Promise<T>) {
  return expect.poll(probe, { timeout: 20_000 });
}

test('[SH25] has a terminal of its own, a log, input, a size, and nothing of ours but the mark', async () => {
  const shell = await up(`backend: pty
command: [bash, --norc, --noprofile]
env: {OWN: "1"}
health: {check: process, every_ms: 50}
stop: {grace_ms: 300}`);
  expect(shell).toMatchObject({ state: 'running', backend: 'pty', takes_input: true, socket: null });
  const type = (data: string) => box.must('inputShell', { id: shell.id, data });
  await type('test -t 0 && echo tty-$((40+2)) $TERM "$(stty size)"\n');
  await eventually(() => logOf(shell.id)).toContain('tty-42 xterm-256color 24 80\r\n');
  const socket = new WebSocket(`${box.url().replace('http', 'ws')}/fws/logs`, {
    headers: { authorization: `Bearer ${box.token()}` },
  });
  await new Promise((done) => socket.once('open', done));
  socket.send(JSON.stringify({ type: 'resize', shell_id: shell.id, cols: 101, rows: 33 }));
  // Polled by typing: the size comes over another way than the keys.
  await eventually(async () => {
    await type('echo "size $(stty size)"\n');
    return logOf(shell.id);
  }).toContain('size 33 101\r\n');
  socket.close();
  await type('env | cut -d= -f1 | sort | tr "\\n" " "; echo names-$((1+1))\n');
  await eventually(() => logOf(shell.id)).toContain('names-2');
  const names = (await logOf(shell.id)).split(/\s+/);
  expect(names).toContain('OWN');
  expect(names.filter((name) => /^(SIGNALBOX_|npm_|VITEST|NODE_OPTIONS)/.test(name))).toEqual([]);
  expect(names.filter((name) => name.startsWith('FRAMEWORK_SHELLS_'))).toEqual(['FRAMEWORK_SHELLS_SHELL']);
  const handles = await readdir(`/proc/${shell.pid}/fd`);
  const targets = await Promise.all(handles.map((fd) => readlink(`/proc/${shell.pid}/fd/${fd}`).catch(() => '')));
  expect(targets.filter((target) => target.includes('ptmx'))).toEqual([]);
  expect((await box.must('searchShellLogs', { id: shell.id, q: 'TTY-42 xterm' })).lines).toHaveLength(1);
  await eventually(async () => (await read(shell.id)).usage?.memory_bytes ?? 0).toBeGreaterThan(100_000);
  await eventually(async () => (await read(shell.id)).health).toBe('healthy');
  await box.must('stopShell', { id: shell.id });
  // An interactive bash does not go when it is asked to.
  expect(await read(shell.id)).toMatchObject({ state: 'stopped', pid: null, exit: { signal: 'SIGKILL' } });
  expect(startTimeOf(shell.pid ?? 0)).toBeNull();
});

test('[SH25] is ended with everything it started, and its terminal takes no more', async () => {
  const shell = await up(`backend: pty
stop: {grace_ms: 300}
command: |
  trap '' TERM HUP
  setsid sh -c 'trap "" TERM HUP; echo pid $$; while :; do sleep 1; done' &
  (trap '' TERM HUP; while :; do sleep 1; done) & echo pid $!
  while :; do sleep 1; done`);
  await eventually(async () => (await logOf(shell.id)).match(/pid \d+/g)?.length).toBe(2);
  const pids = [...(await logOf(shell.id)).matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid));
  await box.must('stopShell', { id: shell.id });
  expect([shell.pid ?? 0, ...pids].map(startTimeOf)).toEqual([null, null, null]);
  expect(await box.call('inputShell', { id: shell.id, data: 'x' })).toMatchObject({ status: 409 });
});

test('[SH25] its exit code counts, no last byte is lost, and it is started again as its policy says', async () => {
  const shell = await up(`backend: pty
command: "seq 1 2000; exit 3"
restart: {policy: on-failure, max_restarts: 2, backoff_ms: 20}`);
  await eventually(async () => (await read(shell.id)).state).toBe('failed');
  expect(await read(shell.id)).toMatchObject({ restarts: 2, exit: { code: 3, reason: 'exit 3' } });
  const once = Array.from({ length: 2000 }, (_, at) => `${at + 1}\r\n`).join('');
  let text = '';
  for (let offset = 0; ; ) {
    const page = await box.must('shellLogs', { id: shell.id, offset, max_bytes: 65_536 });
    text += page.text;
    if (page.next_offset === page.total_bytes) break;
    offset = page.next_offset;
  }
  expect(text).toBe(once.repeat(3));
  const well = await up('backend: pty\ncommand: "exit 0"\nrestart: on-failure');
  await eventually(async () => (await read(well.id)).state).toBe('exited');
  const again = (await box.must('restartShell', { id: well.id })).shell;
  expect(again.id).toBe(well.id);
});

test('[SH25] the host lives as long as one of its programs, and idle terminals do not matter to them', async () => {
  const shell = await up('backend: pty\ncommand: [cat]');
  const host = async () => (await box.must('listShells', { label: 'app=pty-host' })).shells[0];
  const id = await box.create();
  await box.must('terminalOpen', { id });
  const running = await host();
  await box.must('terminalClose', { id });
  await box.must('inputShell', { id: shell.id, data: 'still here\n' });
  await eventually(() => logOf(shell.id)).toBe('still here\r\nstill here\r\n');
  expect(await host()).toMatchObject({ pid: running?.pid, state: 'running' });
  await box.must('stopShell', { id: shell.id });
  await eventually(async () => (await host())?.state).toBe('exited');
});

test('[SH25] ends when its host is killed, and comes back if its policy says so', async () => {
  const shell = await up(`backend: pty
command: 'trap "" HUP; echo born; while :; do sleep 1; done'
stop: {grace_ms: 300}
restart: {policy: always, backoff_ms: 20}`);
  await eventually(() => logOf(shell.id)).toContain('born');
  const [host] = (await box.must('listShells', { label: 'app=pty-host' })).shells;
  process.kill(host?.pid ?? 0, 'SIGKILL');
  await eventually(async () => (await read(shell.id)).restarts).toBe(1);
  await eventually(async () => (await read(shell.id)).state).toBe('running');
  expect(startTimeOf(shell.pid ?? 0)).toBeNull();
  await eventually(() => logOf(shell.id)).toBe('born\r\nborn\r\n');
  await box.must('stopShell', { id: shell.id });
});

test('[SH14] a program or a directory that is not there is refused before a terminal is opened', async () => {
  const answer = async (lines: string) => box.call('upShells', { file: await spec(lines) });
  expect(await answer('backend: pty\ncommand: [no-such-program-here]')).toMatchObject({
    status: 404,
    body: { code: 'not_found', message: expect.stringContaining('no-such-program-here is not there') },
  });
  expect(await answer('backend: pty\ncwd: /nowhere/at/all\ncommand: [ls]')).toMatchObject({
    status: 400,
    body: { code: 'missing_cwd' },
  });
});
