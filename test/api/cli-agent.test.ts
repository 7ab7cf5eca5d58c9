/** An agent that asks for a login link: by a command of the real Codex, in its sandbox or outside it, and by what the API token can start. */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { commandLine, shellWord } from '../../src/testing/shell-word.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');

let box: Box;
beforeAll(async () => {
  box = await openBox({ isDemo: true, flags: ['--demo'] });
});
afterAll(() => box.close());

/** What the command wrote, whichever way it was allowed to run. */
async function runAsAgent(command: string, where: '' | 'outside the sandbox'): Promise<string> {
  const id = await box.create();
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: `Run \`${command}\` ${where}` });
  if (where !== '') {
    const { approval_id } = await watcher.approval();
    await box.must('answerApproval', { approval_id, decision: 'accept' });
  }
  await watcher.turnEnd();
  const [entry] = (await box.entries(id)).filter((one) => one.role === 'command');
  if (entry?.role !== 'command') throw new Error('nothing was run');
  expect(entry.exit_code).not.toBe(0);
  return entry.output;
}

const open = () => commandLine(process.execPath, MAIN, '--home', box.home, 'open');

test('[CL13] a sandboxed command of the agent gets no link', async () => {
  expect(await runAsAgent(open(), '')).not.toMatch('token=');
});

test('[CL13] a command of the agent outside the sandbox gets no link', async () => {
  expect(await runAsAgent(open(), 'outside the sandbox')).toMatch('agents may not make login links');
});

test('[CL13] a command of the agent outside the sandbox gets no link by hiding its environment', async () => {
  const bare = `env -i HOME=${shellWord(box.dir)} PATH=/usr/bin:/bin ${open()}`;
  expect(await runAsAgent(bare, 'outside the sandbox')).toMatch('agents may not make login links');
});

test.each([
  ['proc', 'with its environment', (command: string) => command],
  ['proc', 'without an environment', (command: string) => `env -i PATH=/usr/bin:/bin ${command}`],
  ['dtach', 'without an environment', (command: string) => `env -i PATH=/usr/bin:/bin ${command}`],
])('[CL13] a %s shell that the API token started gets no link %s', async (backend, _how, dress) => {
  const file = join(box.project, `mint-${backend}.yaml`);
  const lines = ['version: "1"', 'shells:', '  mint:', `    backend: ${backend}`];
  await writeFile(
    file,
    [...lines, `    command: ${JSON.stringify(`${dress(open())} 2>&1; sleep 600`)}`, ''].join('\n'),
  );
  const [shell] = (await box.must('upShells', { file }, 'token')).shells;
  const id = shell?.id ?? '';
  const said = async () => (await box.must('shellLogs', { id }, 'token')).text;
  await expect.poll(said, { timeout: 20_000 }).toMatch(/token=|agents may not make login links/);
  await box.must('stopShell', { id }, 'token');
  expect(await said()).not.toMatch('token=');
});

test.each([
  ['with its environment', (command: string) => command],
  ['without an environment', (command: string) => `env -i PATH=/usr/bin:/bin ${command}`],
])('[CL13] a command that the API token typed into the shared terminal gets no link %s', async (_how, dress) => {
  const id = await box.create();
  const ran = await box.must('shellExec', { conversation_id: id, command: dress(open()) }, 'token');
  expect(ran.stdout).toMatch('agents may not make login links');
  expect(ran.stdout).not.toMatch('token=');
});
