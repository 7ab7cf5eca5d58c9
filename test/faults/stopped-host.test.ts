/** A pty host that is stopped (SIGSTOP): nothing of the server waits for it without a limit, and there is a way out. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'vitest';
import { startTimeOf } from '../../src/node/process-identity.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

const stopProcess = (pid: number) => process.kill(pid, 'SIGSTOP');
const continueProcess = (pid: number) => {
  if (startTimeOf(pid) !== null) process.kill(pid, 'SIGCONT');
};

async function openBashBox({ onTestFinished }: TestContext): Promise<Box> {
  const box = await openBox({ env: { SHELL: '/bin/bash' } });
  onTestFinished(() => box.close());
  return box;
}

const hostPid = async (box: Box): Promise<number> =>
  JSON.parse(await readFile(join(box.home, 'run', 'pty-host.json'), 'utf8')).pid;
const run = (box: Box, id: string, command: string) => box.call('shellExec', { conversation_id: id, command });
const since = (start: number) => performance.now() - start;

test.concurrent('[TM30] a stopped pty host: requests fail with its pid and what to do, and work again when it goes on', async (context) => {
  const { expect } = context;
  const box = await openBashBox(context);
  const id = await box.create();
  expect(await run(box, id, 'cd /; echo one')).toMatchObject({ status: 200, body: { stdout: 'one\n' } });
  const pid = await hostPid(box);
  stopProcess(pid);
  const asked = performance.now();
  const [ran, screen, input] = await Promise.all([
    run(box, id, 'echo two'),
    box.call('terminalScreen', { id }),
    box.call('terminalInput', { id, data: 'x' }),
  ]);
  expect(since(asked)).toBeLessThan(15_000);
  for (const answer of [ran, screen, input]) expect(answer).toMatchObject({ status: 504, body: { code: 'no_answer' } });
  expect(JSON.stringify(ran.body)).toContain(`kill -CONT ${pid}`);
  expect(JSON.stringify(ran.body)).toContain('signalbox shells stop pty_host');
  // The rest of the server goes on.
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'hello' });
  await watcher.turnEnd();
  continueProcess(pid);
  // The interrupt clears what was typed meanwhile: the host reads it now.
  await expect.poll(async () => (await box.call('terminalInterrupt', { id })).status).toBe(200);
  await expect.poll(async () => (await box.must('terminalState', { id })).at_prompt).toBe(true);
  await expect.poll(async () => (await run(box, id, 'pwd')).body).toMatchObject({ stdout: '/\n' });
});

test.concurrent('[FT20] [TM31] a stopped pty host: the server stops within 5 s, starts again, and the host can be ended', async (context) => {
  const { expect } = context;
  const box = await openBashBox(context);
  const id = await box.create();
  await run(box, id, 'echo one');
  const pid = await hostPid(box);
  stopProcess(pid);
  const asked = performance.now();
  await box.kill('SIGTERM');
  expect(since(asked)).toBeLessThan(5_000);
  expect(startTimeOf(pid)).not.toBeNull();
  const started = performance.now();
  await box.restart();
  expect(since(started)).toBeLessThan(10_000);
  const ran = await run(box, id, 'echo two');
  expect(ran).toMatchObject({ status: 504, body: { code: 'no_answer' } });
  const { shells } = await box.must('listShells', {});
  await box.must('stopShell', { id: shells.find((shell) => shell.id.startsWith('pty_host'))?.id ?? '' });
  expect(startTimeOf(pid)).toBeNull();
  expect(await run(box, id, 'echo three')).toMatchObject({ status: 200, body: { stdout: 'three\n' } });
});

test.concurrent('[TM30] a stopped shell: a command that it does not begin fails with words, and may have run', async (context) => {
  const { expect } = context;
  const box = await openBashBox(context);
  const id = await box.create();
  const shell = await run(box, id, 'echo $$');
  const pid = Number(shell.ok ? shell.body.stdout : 0);
  stopProcess(pid);
  const ran = await run(box, id, 'echo two');
  expect(ran).toMatchObject({ status: 504, body: { code: 'no_answer', details: { may_have_run: true } } });
  // It was not run through Codex instead: when the shell goes on, it runs once.
  continueProcess(pid);
  const outputs = async () => (await box.entries(id)).filter((entry) => entry.role === 'shell_output');
  await expect.poll(outputs).toMatchObject([{ stdout: `${pid}\n` }, { stdout: 'two\n' }]);
});

test.concurrent('[FT20] shells that ignore SIGTERM: the server stops within 5 s, also with a long grace', async (context) => {
  const { expect } = context;
  const box = await openBashBox(context);
  const file = join(box.dir, 'shells.yaml');
  const command = `trap '' TERM; echo up; while :; do sleep 0.1; done`;
  const spec = (grace: number) => ({ backend: 'proc', command, stop: { grace_ms: grace } });
  await writeFile(file, JSON.stringify({ version: '1', shells: { short: spec(500), long: spec(60_000) } }));
  const { shells } = await box.must('upShells', { file });
  const pids = shells.map((shell) => shell.pid ?? 0);
  for (const { id } of shells)
    await expect.poll(async () => (await box.must('shellLogs', { id })).text).toContain('up');
  const asked = performance.now();
  await box.kill('SIGTERM');
  expect(since(asked)).toBeLessThan(5_000);
  expect(pids.map((pid) => startTimeOf(pid) === null)).toEqual([true, false]);
  // The next server ends what had time left, and keeps its record.
  process.kill(pids[1] ?? 0, 'SIGKILL');
  await box.restart();
  const { shells: again } = await box.must('listShells', {});
  expect(again.filter((shell) => !shell.is_infrastructure).map((shell) => shell.pid)).toEqual([null, null]);
});
