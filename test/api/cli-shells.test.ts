/** `signalbox shells …` as people and scripts run it, against a real server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTimeOf } from '../../src/node/process-identity.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

const CLI = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');
const SPEC = `version: "1"
shells:
  ticker:
    backend: proc
    command: 'echo "hello \${ctx:WORD}"; echo error: a line; exec sleep 600'
    labels: {app: ticker}
    subgroups: [dev]
  echo:
    backend: pipe
    command: [cat]
    subgroups: [dev]
  brief:
    backend: proc
    command: 'while ! test -e go; do sleep 0.05; done; printf "last words"'
`;

let box: Box;
beforeAll(async () => {
  box = await openBox();
  await writeFile(join(box.project, 'dev.yaml'), SPEC);
});
afterAll(() => box.close());

function start(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [CLI, '--home', box.home, 'shells', ...args], {
    cwd: box.project,
    env: { PATH: process.env.PATH, HOME: box.dir, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

function finished(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  return new Promise((done) => child.once('close', (code) => done({ code, stdout, stderr })));
}

const run = (...args: readonly string[]) => finished(start(...args));
const json = async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).stdout);

function heard(child: ChildProcess, words: string): Promise<string> {
  let text = '';
  return new Promise((done, fail) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.includes(words)) done(text);
    });
    child.once('close', (code) => fail(new Error(`ended with ${code}: ${text}`)));
  });
}

test('[SH17] up starts all or one, list shows them by group, down ends them, purge forgets them', async () => {
  const missing = await run('up', 'dev.yaml#ticker');
  expect(missing.code).toBe(2);
  expect(missing.stderr).toMatch(/dev\.yaml:5:14: .*give WORD with --ctx WORD=VALUE/);
  const up = await run('up', 'dev.yaml#ticker', '--ctx', 'WORD=you');
  expect(up).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ticker-[0-9a-f]{6}\n$/) });
  const again = await json('up', 'dev.yaml#ticker', '--ctx', 'WORD=you');
  expect(again.shells).toMatchObject([{ is_started: false, state: 'running' }]);
  const listed = await run('list');
  expect(listed.stdout).toMatch(/^app_server\n {2}app_server-.*running.*\ndev\n {2}ticker-\S+ +running +proc/s);
  const labeled = await json('list', '--label', 'app=ticker');
  expect(labeled.shells).toHaveLength(1);
  const { pid } = labeled.shells[0];
  const down = await json('down', '--label', 'app=ticker');
  expect(down.shells).toMatchObject([{ state: 'stopped', pid: null }]);
  expect(startTimeOf(pid)).toBeNull();
  expect(await json('purge', 'ticker')).toEqual({ purged: [labeled.shells[0].id] });
  expect((await run('logs', 'ticker')).code).toBe(1);
});

test('[SH17] logs: the last lines, a search, and -f until the shell ends', async () => {
  await json('up', 'dev.yaml#ticker', '--ctx', 'WORD=you');
  await expect
    .poll(async () => (await run('logs', 'ticker', '-n', '2')).stdout, { timeout: 20_000 })
    .toBe('hello you\nerror: a line\n');
  expect((await run('logs', 'ticker', '--search', 'ERROR')).stdout).toBe('error: a line\n');
  expect(await json('logs', 'ticker', '-n', '1')).toMatchObject({ text: 'error: a line\n', offset: 10 });
  expect((await run('down', 'ticker')).code).toBe(0);
  await json('up', 'dev.yaml#brief');
  const following = finished(start('logs', 'brief', '-f'));
  await writeFile(join(box.project, 'go'), '');
  expect(await following).toMatchObject({ code: 0, stdout: 'last words' });
});

test('[SH17] attach shows what is written and passes on what is typed; Ctrl-C leaves the shell running', async () => {
  await json('up', 'dev.yaml#echo');
  const attached = start('attach', 'echo');
  const answered = heard(attached, 'typed here');
  attached.stdin?.write('typed here\n');
  await answered;
  const ended = finished(attached);
  attached.kill('SIGINT');
  expect((await ended).code).toBe(130);
  expect((await json('list')).shells.find((one: { id: string }) => one.id.startsWith('echo-')).state).toBe('running');
  expect((await run('down', '--all')).code).toBe(0);
  expect((await run('attach', 'echo')).code).toBe(1);
});

test('[SH17] attach enters a shell in the pty host as the terminal it is; Ctrl-\\ leaves it running', async () => {
  // The window of the person is a shell of the same kind.
  const spec = `version: "1"
shells:
  inner: {backend: pty, command: [bash, --norc, --noprofile], stop: {grace_ms: 100}}
  window: {backend: pty, command: ["${process.execPath}", "${CLI}", --home, "${box.home}", shells, attach, inner], env: {NO_COLOR: "1"}}
`;
  await writeFile(join(box.project, 'attach.yaml'), spec);
  const { shells } = await json('up', 'attach.yaml');
  const [inner, outer] = shells.map((one: { id: string }) => one.id);
  const logOf = async (id: string) => (await box.must('shellLogs', { id })).text;
  const type = (data: string) => box.must('inputShell', { id: outer, data });
  await expect.poll(() => logOf(outer), { timeout: 20_000 }).toContain('leaves it');
  await expect
    .poll(
      async () => {
        await type('echo "size $(stty size)"\r');
        return logOf(outer);
      },
      { timeout: 20_000 },
    )
    .toContain('size 24 80\r\n');
  // Ctrl-C is a key like any other: it ends the command in there.
  await type('sleep 600\r');
  await expect.poll(() => logOf(inner), { timeout: 20_000 }).toContain('sleep 600\r\n');
  await expect
    .poll(
      async () => {
        await type('\x03');
        await type('echo alive-$((1+1))\r');
        return logOf(inner);
      },
      { timeout: 20_000 },
    )
    .toContain('alive-2\r\n');
  await type('\x1c');
  await expect
    .poll(async () => (await box.must('readShell', { id: outer })).shell.state, { timeout: 20_000 })
    .toBe('exited');
  expect(await logOf(outer)).toContain('goes on.');
  expect((await box.must('readShell', { id: inner })).shell.state).toBe('running');
  expect((await run('down', inner)).code).toBe(0);
});

test('[SH18] the token may not end a part of Signalbox, nor start one', async () => {
  const refused = await run('down', 'Codex');
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('is a part of Signalbox itself') });
  const file = resolve(import.meta.dirname, '../../shellspec/app-server.yaml');
  const ctx = ['CODEX=/bin/true', 'CODEX_HOME=/', 'SOCKET=/x', 'ARGS=x'].flatMap((one) => ['--ctx', one]);
  const stolen = await run('up', `${file}#app_server_stdio`, ...ctx);
  expect(stolen).toMatchObject({ code: 2, stderr: expect.stringContaining('only Signalbox itself') });
});

test('[SH17] usage: nothing named, a bad pair, an unknown command', async () => {
  expect((await run('down')).code).toBe(2);
  expect((await run('up', 'dev.yaml', '--ctx', 'WORD')).code).toBe(2);
  expect((await run('up', 'nowhere.yaml')).code).toBe(1);
  expect((await run('sideways')).code).toBe(2);
});
