/** Framework Shells with `backend: pty`, over the real server and its real pty host. */
import { readdir, readlink } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTimeOf } from '../../src/node/process-identity.ts';
import { eventually, ownNames, setShellsStand } from './shells-stand.ts';

const stand = setShellsStand();
const { spec, up, read, logOf, pidsIn } = stand;

test('[SH25] has a terminal of its own, a log, input, a size, and nothing of ours but the mark', async () => {
  const shell = await up(`backend: pty
command: [bash, --norc, --noprofile]
env: {OWN: "1"}
health: {check: process, every_ms: 50}
stop: {grace_ms: 300}`);
  expect(shell).toMatchObject({ state: 'running', backend: 'pty', takes_input: true, socket: null });
  const type = (data: string) => stand.box.must('inputShell', { id: shell.id, data });
  await type('test -t 0 && echo tty-$((40+2)) $TERM "$(stty size)"\n');
  await eventually(() => logOf(shell.id)).toContain('tty-42 xterm-256color 24 80\r\n');
  const socket = new WebSocket(`${stand.box.url().replace('http', 'ws')}/fws/logs`, {
    headers: { authorization: `Bearer ${stand.box.token()}` },
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
  expect(ownNames(names)).toEqual(['FRAMEWORK_SHELLS_SHELL']);
  const handles = await readdir(`/proc/${shell.pid}/fd`);
  const targets = await Promise.all(handles.map((fd) => readlink(`/proc/${shell.pid}/fd/${fd}`).catch(() => '')));
  expect(targets.filter((target) => target.includes('ptmx'))).toEqual([]);
  expect((await stand.box.must('searchShellLogs', { id: shell.id, q: 'TTY-42 xterm' })).lines).toHaveLength(1);
  await eventually(async () => (await read(shell.id)).usage?.memory_bytes ?? 0).toBeGreaterThan(100_000);
  await eventually(async () => (await read(shell.id)).health).toBe('healthy');
  await stand.box.must('stopShell', { id: shell.id });
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
  await eventually(async () => (await pidsIn(shell.id)).length).toBe(2);
  const pids = await pidsIn(shell.id);
  await stand.box.must('stopShell', { id: shell.id });
  expect([shell.pid ?? 0, ...pids].map(startTimeOf)).toEqual([null, null, null]);
  expect(await stand.box.call('inputShell', { id: shell.id, data: 'x' })).toMatchObject({ status: 409 });
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
    const page = await stand.box.must('shellLogs', { id: shell.id, offset, max_bytes: 65_536 });
    text += page.text;
    if (page.next_offset === page.total_bytes) break;
    offset = page.next_offset;
  }
  expect(text).toBe(once.repeat(3));
  const well = await up('backend: pty\ncommand: "exit 0"\nrestart: on-failure');
  await eventually(async () => (await read(well.id)).state).toBe('exited');
  const again = (await stand.box.must('restartShell', { id: well.id })).shell;
  expect(again.id).toBe(well.id);
});

test('[SH25] the host lives as long as one of its programs, and idle terminals do not matter to them', async () => {
  const shell = await up('backend: pty\ncommand: [cat]');
  const host = async () => (await stand.box.must('listShells', { label: 'app=pty-host' })).shells[0];
  const id = await stand.box.create();
  await stand.box.must('terminalOpen', { id });
  const running = await host();
  await stand.box.must('terminalClose', { id });
  await stand.box.must('inputShell', { id: shell.id, data: 'still here\n' });
  await eventually(() => logOf(shell.id)).toBe('still here\r\nstill here\r\n');
  expect(await host()).toMatchObject({ pid: running?.pid, state: 'running' });
  await stand.box.must('stopShell', { id: shell.id });
  await eventually(async () => (await host())?.state).toBe('exited');
});

test('[SH25] ends when its host is killed, and comes back if its policy says so', async () => {
  const shell = await up(`backend: pty
command: 'trap "" HUP; echo born; while :; do sleep 1; done'
stop: {grace_ms: 300}
restart: {policy: always, backoff_ms: 20}`);
  await eventually(() => logOf(shell.id)).toContain('born');
  const [host] = (await stand.box.must('listShells', { label: 'app=pty-host' })).shells;
  process.kill(host?.pid ?? 0, 'SIGKILL');
  await eventually(async () => (await read(shell.id)).restarts).toBe(1);
  await eventually(async () => (await read(shell.id)).state).toBe('running');
  expect(startTimeOf(shell.pid ?? 0)).toBeNull();
  await eventually(() => logOf(shell.id)).toBe('born\r\nborn\r\n');
  await stand.box.must('stopShell', { id: shell.id });
});

test('[SH14] a program or a directory that is not there is refused before a terminal is opened', async () => {
  const answer = async (lines: string) => stand.box.call('upShells', { file: await spec(lines) });
  expect(await answer('backend: pty\ncommand: [no-such-program-here]')).toMatchObject({
    status: 404,
    body: { code: 'not_found', message: expect.stringContaining('no-such-program-here is not there') },
  });
  expect(await answer('backend: pty\ncwd: /nowhere/at/all\ncommand: [ls]')).toMatchObject({
    status: 400,
    body: { code: 'missing_cwd' },
  });
});
