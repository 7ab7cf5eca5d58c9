/** Framework Shells over the real server: real processes, real files, real sockets. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ShellView } from '../../src/contract/shellspec.ts';
import { startTimeOf } from '../../src/node/process-identity.ts';
import { readShellRecords } from '../../src/testing/left-shells.ts';
import { eventually, ownNames, setShellsStand } from './shells-stand.ts';

const stand = setShellsStand();
const { spec, up, read, logOf, pidsIn } = stand;

/** The names alone. */
async function environmentOf(pid: number | null | undefined): Promise<readonly string[]> {
  const entries = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
  return entries.map((entry) => entry.split('=')[0] ?? '');
}

describe('a shell', () => {
  test('[SH1] is started from its spec, with every placeholder filled in, and writes to its log', async () => {
    const shell = await up(
      `backend: proc
cwd: \${CWD}
command: 'echo "$PWD \${ctx:WORD} \${env:HOME} \${ctx:NONE:-fallback} $$\{HOME} $EXTRA \${free_port}"; exec sleep 600'
env: {EXTRA: "x-\${ctx:WORD}"}
labels: {app: one}
subgroups: [alpha]
ui: {title: One}`,
      { WORD: 'hello' },
    );
    expect(shell).toMatchObject({
      title: 'One',
      state: 'running',
      backend: 'proc',
      env_names: ['EXTRA'],
      is_started: true,
    });
    await eventually(() => logOf(shell.id)).toMatch(
      new RegExp(`^${stand.box.project} hello ${stand.box.dir} fallback ${stand.box.dir} x-hello \\d+\n$`),
    );
    await stand.box.must('stopShell', { id: shell.id }, 'token');
    expect(startTimeOf(shell.pid ?? 0)).toBeNull();
    expect(await read(shell.id)).toMatchObject({ state: 'stopped', pid: null, exit: { signal: 'SIGTERM' } });
  });

  test('[SH2] that runs is left alone by a second up, and keeps its id when it is started again', async () => {
    const file = await spec('backend: proc\ncommand: [sleep, "600"]');
    const first = (await stand.box.must('upShells', { file })).shells[0];
    const again = (await stand.box.must('upShells', { file })).shells[0];
    expect(again).toMatchObject({ id: first?.id, pid: first?.pid, is_started: false });
    const other = (await stand.box.must('upShells', { file, name: 'b' })).shells[0];
    expect(other?.id).not.toBe(first?.id);
    const restarted = (await stand.box.must('restartShell', { id: first?.id ?? '' })).shell;
    expect(restarted).toMatchObject({ id: first?.id, state: 'running' });
    expect(restarted.pid).not.toBe(first?.pid);
    for (const id of [first?.id, other?.id]) await stand.box.must('stopShell', { id: id ?? '' });
    expect((await stand.box.must('upShells', { file })).shells[0]).toMatchObject({ id: first?.id, is_started: true });
    await stand.box.must('stopShell', { id: first?.id ?? '' });
  });

  test('[SH3] has nothing of ours in its environment but the mark', async () => {
    const shell = await up('backend: proc\ncommand: "env; exec sleep 600"');
    await eventually(() => logOf(shell.id)).toContain('FRAMEWORK_SHELLS_SHELL=');
    const names = (await logOf(shell.id)).split('\n').map((line) => line.split('=')[0] ?? '');
    expect(ownNames(names)).toEqual(['FRAMEWORK_SHELLS_SHELL']);
    await stand.box.must('stopShell', { id: shell.id });
  });

  test('[SH4] is ended with everything it started, also what ignores TERM, left its session or its parent', async () => {
    const shell = await up(`backend: proc
stop: {grace_ms: 300}
command: |
  trap '' TERM
  (trap '' TERM; while :; do sleep 1; done) & echo pid $!
  setsid sh -c 'trap "" TERM HUP; echo pid $$; while :; do sleep 1; done' &
  setsid sh -c 'setsid sleep 600 & echo pid $!' &
  while :; do sleep 1; done`);
    await eventually(async () => (await pidsIn(shell.id)).length).toBe(3);
    const pids = await pidsIn(shell.id);
    expect(pids.map((pid) => startTimeOf(pid) !== null)).toEqual([true, true, true]);
    await stand.box.must('stopShell', { id: shell.id });
    expect([shell.pid ?? 0, ...pids].map(startTimeOf)).toEqual([null, null, null, null]);
  });

  test('[SH5] over a pipe reads its stdin', async () => {
    const shell = await up('backend: pipe\ncommand: [cat]');
    expect(shell.takes_input).toBe(true);
    await stand.box.must('inputShell', { id: shell.id, data: 'one\ntwo\n' });
    await eventually(() => logOf(shell.id)).toBe('one\ntwo\n');
    await stand.box.must('stopShell', { id: shell.id });
    const refused = await stand.box.call('inputShell', { id: shell.id, data: 'x' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  test('[SH6] in a dtach session has a terminal, a log and input', async () => {
    const shell = await up('backend: dtach\ncommand: [bash, --norc]');
    await stand.box.must('inputShell', { id: shell.id, data: 'test -t 0 && echo tty-$((40+2))\n' });
    await eventually(() => logOf(shell.id)).toContain('tty-42\r\n');
    expect((await read(shell.id)).socket).not.toBeNull();
    await stand.box.must('stopShell', { id: shell.id });
    expect(startTimeOf(shell.pid ?? 0)).toBeNull();
  });

  test('[SH7] tells CPU and memory of all its processes', async () => {
    const shell = await up('backend: proc\ncommand: "while :; do :; done & while :; do :; done"');
    await eventually(async () => (await read(shell.id)).usage?.cpu_percent ?? 0).toBeGreaterThan(10);
    const { usage } = await read(shell.id);
    expect(usage?.processes).toBe(2);
    expect(usage?.memory_bytes).toBeGreaterThan(100_000);
    await stand.box.must('stopShell', { id: shell.id });
  });
});

describe('restart and health', () => {
  test('[SH8] a shell that fails is started again after a pause, and given up after too many times', async () => {
    const shell = await up(`backend: proc
command: "echo start; exit 3"
restart: {policy: on-failure, max_restarts: 2, backoff_ms: 20}`);
    await eventually(async () => (await read(shell.id)).state).toBe('failed');
    expect(await read(shell.id)).toMatchObject({ restarts: 2, exit: { code: 3, reason: 'exit 3' } });
    expect(await logOf(shell.id)).toBe('start\nstart\nstart\n');
  });

  test('[SH8] one that ends well is not started again on failure', async () => {
    const shell = await up('backend: proc\ncommand: "exit 0"\nrestart: on-failure');
    await eventually(async () => (await read(shell.id)).state).toBe('exited');
  });

  test('[SH9] health by command: an unhealthy one is started again, and is healthy then', async () => {
    const flag = join(stand.box.project, 'sick');
    await writeFile(flag, '');
    const shell = await up(
      `backend: proc
command: [sleep, "600"]
restart: {policy: on-failure, backoff_ms: 20, max_restarts: 1000}
health: {check: command, command: [test, "!", -e, "\${ctx:FLAG}"], every_ms: 50, failures: 2, start_ms: 0}`,
      { FLAG: flag },
    );
    await eventually(async () => (await read(shell.id)).restarts).toBeGreaterThan(0);
    await rm(flag);
    await eventually(async () => (await read(shell.id)).health).toBe('healthy');
    await stand.box.must('stopShell', { id: shell.id });
  });

  test('[SH9] health by port: unknown while it starts, healthy once it listens', async () => {
    const flag = join(stand.box.project, 'listen');
    const shell = await up(
      `backend: proc
command:
  - node
  - -e
  - |
    const {existsSync} = require('node:fs');
    setInterval(() => {}, 1e6);
    const timer = setInterval(() => {
      if (!existsSync('\${ctx:FLAG}')) return;
      clearInterval(timer);
      require('node:net').createServer().listen(\${free_port}, '127.0.0.1');
    }, 20);
health: {check: port, port: "\${free_port}", every_ms: 50, start_ms: 600000}`,
      { FLAG: flag },
    );
    expect((await read(shell.id)).health).toBe('unknown');
    await writeFile(flag, '');
    await eventually(async () => (await read(shell.id)).health).toBe('healthy');
    await stand.box.must('stopShell', { id: shell.id });
  });
});

describe('logs', () => {
  test('[SH10] are paged by offset without a torn character, and searched', async () => {
    const shell = await up(`backend: proc\ncommand: "for i in 1 2 3; do echo \\"line $i ä€😀\\"; done"`);
    await eventually(async () => (await read(shell.id)).state).toBe('exited');
    const whole = await logOf(shell.id);
    expect(whole).toBe([1, 2, 3].map((i) => `line ${i} ä€😀\n`).join(''));
    let text = '';
    for (let offset = 0; ; ) {
      const page = await stand.box.must('shellLogs', { id: shell.id, offset, max_bytes: 5 });
      text += page.text;
      if (page.next_offset === page.total_bytes) break;
      offset = page.next_offset;
    }
    expect(text).toBe(whole);
    expect((await stand.box.must('shellLogs', { id: shell.id, lines: 1 })).text).toBe('line 3 ä€😀\n');
    const found = await stand.box.must('searchShellLogs', { id: shell.id, q: 'LINE 2' });
    expect(found).toEqual({ lines: [{ offset: 17, text: 'line 2 ä€😀' }], is_complete: true });
  });

  test('[SH11] a follower hears every byte once, and of every change of the list', async () => {
    const shell = await up('backend: pipe\ncommand: [cat]');
    const socket = new WebSocket(`${stand.box.url().replace('http', 'ws')}/fws/logs`, {
      headers: { authorization: `Bearer ${stand.box.token()}` },
    });
    let text = '';
    const states: string[] = [];
    socket.on('message', (data) => {
      const frame = JSON.parse(data.toString());
      if (frame.type === 'log') text += frame.text;
      if (frame.type === 'shells') states.push(frame.shells.find((one: ShellView) => one.id === shell.id)?.state);
    });
    await new Promise((done) => socket.once('open', done));
    socket.send(JSON.stringify({ type: 'follow', shell_id: shell.id }));
    for (let i = 0; i < 20; i += 1) await stand.box.must('inputShell', { id: shell.id, data: `${i}\n` });
    const all = Array.from({ length: 20 }, (_, i) => `${i}\n`).join('');
    await eventually(async () => text).toBe(all);
    socket.send(JSON.stringify({ type: 'input', shell_id: shell.id, data: 'over the socket\n' }));
    await eventually(async () => text).toBe(`${all}over the socket\n`);
    await stand.box.must('stopShell', { id: shell.id });
    await eventually(async () => states).toContain('stopped');
    socket.close();
  });
});

describe('finding and forgetting', () => {
  test('[SH12] by label and group; purge forgets what has ended, with its files', async () => {
    const shell = await up(
      'backend: proc\ncommand: [sleep, "600"]\nlabels: {app: web, tier: front}\nsubgroups: [beta]',
    );
    const ids = async (query: { label?: string; group?: string }) =>
      (await stand.box.must('listShells', query)).shells.map((one) => one.id);
    expect(await ids({ label: 'app=web,tier' })).toEqual([shell.id]);
    expect(await ids({ label: 'app=db' })).toEqual([]);
    expect(await ids({ group: 'beta' })).toEqual([shell.id]);
    expect(await stand.box.call('purgeShell', { id: shell.id })).toMatchObject({ status: 409 });
    await stand.box.must('stopShell', { id: shell.id });
    expect((await stand.box.must('purgeShell', { id: shell.id })).purged).toEqual([shell.id]);
    expect(await stand.box.call('readShell', { id: shell.id })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect((await readShellRecords(stand.box.shellsDir)).map((record) => record.id)).not.toContain(shell.id);
  });
});

describe('what is wrong is said', () => {
  test.each([
    ['broken YAML', 'version: "1"\nshells:\n  it: {backend: proc\n', /:4:1: not YAML: /],
    ['no version', 'shells: {it: {backend: proc, command: [ls]}}', /:1:1: version: expected "1"/],
    [
      'an unknown backend',
      'version: "1"\nshells:\n  it:\n    backend: docker\n    command: [ls]',
      /:4:14: shells\.it\.backend: /,
    ],
    [
      'a misspelled key',
      'version: "1"\nshells:\n  it:\n    backend: proc\n    comand: [ls]\n    command: [ls]',
      /:5:13: shells\.it\.comand: there is no such key/,
    ],
    [
      'a value missing',
      'version: "1"\nshells:\n  it:\n    backend: proc\n    command: [echo, "$PORT_"]'.replace(
        '$PORT_',
        '$' + '{ctx:PORT}',
      ),
      /:5:21: .*has no value: give PORT with --ctx PORT=VALUE/,
    ],
    [
      'a stranger that claims to be ours',
      'version: "1"\nshells:\n  it:\n    backend: proc\n    command: [ls]\n    labels: {signalbox: infrastructure}',
      /:6:13: .*only Signalbox itself/,
    ],
  ])('[SH13] %s, with file, line and column', async (_name, text, message) => {
    const file = join(stand.box.project, 'wrong.yaml');
    await writeFile(file, text);
    const answer = await stand.box.call('upShells', { file });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    if (answer.ok) throw new Error('it was taken');
    expect(answer.body.message.startsWith(`${file}:`)).toBe(true);
    expect(answer.body.message).toMatch(message);
  });

  test.each([
    [
      'a program that is not there',
      'backend: proc\ncommand: [no-such-program-here]',
      404,
      'not_found',
      /no-such-program-here is not there/,
    ],
    ['a file that may not be run', 'backend: proc\ncommand: [/etc/passwd]', 403, 'forbidden', /may not be run/],
    [
      'a directory that is not there',
      'backend: proc\ncwd: /nowhere/at/all\ncommand: [ls]',
      400,
      'missing_cwd',
      /does not exist/,
    ],
  ])('[SH14] %s', async (_name, lines, status, code, message) => {
    const answer = await stand.box.call('upShells', { file: await spec(lines) });
    expect(answer).toMatchObject({ status, body: { code, message: expect.stringMatching(message) } });
  });

  test('[SH14] a directory that vanished: the restart says so, and the shell can be mended', async () => {
    const cwd = join(stand.box.project, 'vanishing');
    await mkdir(cwd);
    const shell = await up(`backend: proc\ncwd: ${cwd}\ncommand: [sleep, "600"]`);
    await rm(cwd, { recursive: true });
    expect(await stand.box.call('restartShell', { id: shell.id })).toMatchObject({
      status: 400,
      body: { code: 'missing_cwd' },
    });
    expect(await read(shell.id)).toMatchObject({ state: 'failed', exit: { reason: expect.stringContaining(cwd) } });
    await mkdir(cwd);
    expect(await stand.box.must('restartShell', { id: shell.id })).toMatchObject({ shell: { state: 'running' } });
    await stand.box.must('stopShell', { id: shell.id });
  });

  test('[SH14] an unknown id, an unknown shell of a file, a file that is not there', async () => {
    expect(await stand.box.call('stopShell', { id: 'nobody' })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    const file = await spec('backend: proc\ncommand: [ls]');
    expect(await stand.box.call('upShells', { file, shell: 'other' })).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('it has it') },
    });
    expect(await stand.box.call('upShells', { file: '/nowhere.yaml' })).toMatchObject({ status: 404 });
  });
});

describe('Codex', () => {
  const codex = async () => (await stand.box.must('listShells', { label: 'app=codex-app-server' })).shells;

  test('[SH21] is a shell, with nothing of ours in its environment but the token of its tools', async () => {
    await stand.box.must('initialize', {});
    const [shell] = await codex();
    expect(shell).toMatchObject({
      title: 'Codex',
      state: 'running',
      backend: 'proc',
      is_infrastructure: true,
      pid: await stand.box.codexPid(),
    });
    const names = await environmentOf(shell?.pid);
    expect(names).toContain('CODEX_HOME');
    expect(ownNames(names)).toEqual(['SIGNALBOX_MCP_TOKEN']);
    expect(await stand.box.call('inputShell', { id: shell?.id ?? '', data: 'x' })).toMatchObject({ status: 403 });
  });

  test('[SH18] a session may end it and start it again, a token may not; the server follows', async () => {
    await stand.box.must('initialize', {});
    const [shell] = await codex();
    const id = shell?.id ?? '';
    for (const route of ['stopShell', 'restartShell'] as const) {
      expect(await stand.box.call(route, { id }, 'token')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect((await stand.box.must('restartShell', { id })).shell).toMatchObject({ id, state: 'running' });
    await eventually(async () => (await stand.box.must('status', {})).codex.state).toBe('ready');
    expect(await stand.box.codexPid()).not.toBe(shell?.pid);
    expect((await stand.box.must('stopShell', { id })).shell).toMatchObject({ state: 'stopped' });
    expect((await stand.box.must('status', {})).codex.state).toBe('stopped');
    await stand.box.must('restartShell', { id });
    await eventually(async () => (await stand.box.must('status', {})).codex.state).toBe('ready');
  });
});

test('[SH24] the host of the terminals is a shell, with nothing of ours in its environment', async () => {
  const id = await stand.box.create();
  await stand.box.must('terminalOpen', { id });
  const [host] = (await stand.box.must('listShells', { label: 'app=pty-host' })).shells;
  expect(host).toMatchObject({ title: 'Terminals', state: 'running', backend: 'proc', is_infrastructure: true });
  expect(ownNames(await environmentOf(host?.pid))).toEqual([]);
  expect(await stand.box.call('stopShell', { id: host?.id ?? '' }, 'token')).toMatchObject({ status: 403 });
  await stand.box.must('terminalClose', { id });
  await eventually(async () => (await read(host?.id ?? '')).state).toBe('exited');
});

test('[SH15] files are private, and the secret is made once', async () => {
  const { stdout } = await import('node:child_process').then(({ spawnSync }) =>
    spawnSync('find', [stand.box.shellsDir, '-printf', '%y %m %P\n'], { encoding: 'utf8' }),
  );
  const lines = stdout.trim().split('\n');
  expect(lines.filter((line) => !/^(d 700|[fsp] 600) /.test(line) && !/^d \d+ $/.test(line))).toEqual([]);
  expect(lines.filter((line) => /\/secret$/.test(line))).toHaveLength(1);
  const path = lines.find((line) => /\/secret$/.test(line))?.split(' ')[2] ?? '';
  expect(path).toMatch(/^runtimes\/[0-9a-f]{16}\/secret$/);
  expect((await readFile(join(stand.box.shellsDir, path), 'utf8')).trim()).toMatch(/^[0-9a-f]{64}$/);
});
