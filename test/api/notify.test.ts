/** The command of `notify.command`, as a real script that a real server runs. */
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Notification } from '../../src/contract/notification.ts';
import { type Box, makeDir, openBox } from '../../src/testing/box.ts';
import { eventFor, openTarget, post } from './events-stand.ts';

const WAIT = { timeout: 25_000, interval: 20 };
let box: Box;
let dir: string;

beforeAll(async () => {
  dir = await makeDir('notify');
  const script = join(dir, 'tell $HOME.sh');
  await writeFile(script, '#!/bin/sh\nenv > "$1.env"\ncat >> "$1"\n');
  await chmod(script, 0o700);
  const command = JSON.stringify([script, join(dir, 'heard')]);
  box = await openBox({ env: { OWN_API_KEY: 'secret' }, flags: ['-c', `notify.command=${command}`] });
});
afterAll(async () => {
  await box.close();
  await rm(dir, { recursive: true, force: true });
});

async function heardOf(id: string): Promise<Notification[]> {
  const text = await readFile(join(dir, 'heard'), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => Notification.parse(JSON.parse(line))).filter((one) => one.conversation_id === id);
}

const eventsOf = async (id: string) => (await heardOf(id)).map((one) => one.event);

test('[NT1] [NT2] [NT3] it runs for a request and for the end of a turn, with what they are about', async () => {
  box.model.push(
    { events: [{ call: 'exec_command', args: { cmd: 'echo hi', login: false } }] },
    { events: [{ say: 'done' }] },
  );
  const id = await box.create({ approval: 'untrusted', label: 'Say hi' });
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'run it' });
  const approval = await watcher.approval();
  await expect.poll(() => eventsOf(id), WAIT).toEqual(['ask_opened']);
  await box.must('answerApproval', { approval_id: approval.approval_id, decision: 'accept' });
  await watcher.turnEnd();
  await expect.poll(() => eventsOf(id), WAIT).toEqual(['ask_opened', 'turn_ended']);
  const { row } = await box.must('readConversation', { id });
  const about = { conversation_id: id, label: 'Say hi', thread_id: row.thread_id, turn_id: approval.turn_id };
  expect(await heardOf(id)).toEqual([
    { event: 'ask_opened', ...about, approval_id: approval.approval_id, kind: 'command', title: 'Run echo hi?' },
    { event: 'turn_ended', ...about, status: 'completed' },
  ]);
});

test('[NT4] its environment holds no token and no key', async () => {
  const { id } = await openTarget(box);
  await expect.poll(() => eventsOf(id), WAIT).toEqual(['turn_ended']);
  const env = await readFile(join(dir, 'heard.env'), 'utf8');
  expect(env).toContain('PATH=');
  expect(env).not.toMatch(/SIGNALBOX|TOKEN|KEY|SECRET|CODEX/);
});

test('[NT1] a turn that an event started by itself counts too', async () => {
  const target = await openTarget(box);
  await expect.poll(() => eventsOf(target.id), WAIT).toEqual(['turn_ended']);
  await box.must('writeEventRules', { rules: [{ delivery: 'auto_turn' }], allow_sources: ['ci'] });
  await post(box, eventFor(target.threadId));
  await expect.poll(() => eventsOf(target.id), WAIT).toEqual(['turn_ended', 'turn_ended']);
});

test('[NT1] a turn that Codex did not live to end is told once, as failed, and a restart repeats nothing', async () => {
  box.model.push({ match: 'until killed', events: [{ say: 'words' }, { gate: 'never' }] });
  const id = await box.create();
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'until killed' });
  await watcher.until((frame) => frame.type === 'assistant_delta', 'words');
  process.kill(await box.codexPid(), 'SIGKILL');
  await watcher.turnEnd();
  await expect.poll(() => heardOf(id), WAIT).toMatchObject([{ event: 'turn_ended', status: 'failed' }]);
  await box.restart();
  await box.must('readConversation', { id });
  const { id: other } = await openTarget(box);
  await expect.poll(() => eventsOf(other), WAIT).toEqual(['turn_ended']);
  expect(await eventsOf(id)).toEqual(['turn_ended']);
});
