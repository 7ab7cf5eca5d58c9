/** An agent that asks for a login link: the real Codex runs the command line, in its sandbox and, once allowed, outside it. */
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

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

const open = () => `${process.execPath} ${MAIN} --home ${box.home} open`;

test('[CL13] a sandboxed command of the agent gets no link', async () => {
  expect(await runAsAgent(open(), '')).not.toMatch('token=');
});

test('[CL13] a command of the agent outside the sandbox gets no link', async () => {
  expect(await runAsAgent(open(), 'outside the sandbox')).toMatch('agents may not make login links');
});

test('[CL13] a command of the agent outside the sandbox gets no link by hiding its environment', async () => {
  const bare = `env -i HOME=${join(box.dir)} PATH=/usr/bin:/bin ${open()}`;
  expect(await runAsAgent(bare, 'outside the sandbox')).toMatch('agents may not make login links');
});
