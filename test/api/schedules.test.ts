/** Schedules through the whole server: a message goes at its time to the real Codex, once, also when the server was killed in between. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

const soon = (ms: number) => new Date(Date.now() + ms).toISOString();
const once = (conversation_id: string, text: string, at: string) => ({
  name: text,
  text,
  target: { kind: 'conversation', conversation_id } as const,
  when: { kind: 'once', at } as const,
});
const scheduleOf = async (id: string) => {
  const { schedules } = await box.must('listSchedules', {});
  return schedules.find((one) => one.schedule_id === id);
};
const told = async (conversation_id: string): Promise<string[]> => {
  const { entries } = await box.must('transcript', { conversation_id });
  return entries.flatMap((entry) => (entry.role === 'user' ? [entry.text] : []));
};

test('[SC2] a message goes at its time, and the schedule says so', async () => {
  const id = await box.create();
  const watcher = await box.watch(id);
  const { schedule } = await box.must('addSchedule', once(id, 'good morning', soon(1_500)));
  expect(schedule).toMatchObject({ state: 'active', runs: 0, next: [expect.any(String)] });
  await watcher.turnEnd();
  expect(await told(id)).toEqual(['good morning']);
  await expect
    .poll(() => scheduleOf(schedule.schedule_id))
    .toMatchObject({ state: 'ended', runs: 1, history: [{ outcome: 'sent', conversation_id: id }], next: [] });
});

test('[SC2] a schedule with a directory makes a conversation of its own for each run, with its name', async () => {
  const { schedule } = await box.must('addSchedule', {
    name: 'Nightly look',
    text: 'look around',
    target: { kind: 'directory', cwd: box.project },
    when: { kind: 'words', words: 'every day at 3:00', time_zone: 'Europe/Berlin' },
  });
  expect(schedule).toMatchObject({ when: { kind: 'cron', cron: '0 3 * * *' } });
  expect(schedule.next).toHaveLength(3);
  const ids = new Set<string>();
  for (let run = 0; run < 2; run += 1) {
    const { schedule: after } = await box.must('runSchedule', { schedule_id: schedule.schedule_id });
    const made = after.history[0]?.conversation_id ?? '';
    ids.add(made);
    expect((await box.must('readConversation', { id: made })).conversation).toMatchObject({
      label: 'Nightly look',
      cwd: box.project,
      sandbox: 'workspace-write',
    });
    await expect.poll(() => told(made)).toEqual(['look around']);
  }
  expect(ids.size).toBe(2);
  await box.must('removeSchedule', { schedule_id: schedule.schedule_id });
  expect(await scheduleOf(schedule.schedule_id)).toBeUndefined();
});

test('[SC3] [SC4] what was due while the server was dead runs once after the start, or is counted', async () => {
  const [first, second] = [await box.create(), await box.create()];
  const at = soon(700);
  const { schedule: kept } = await box.must('addSchedule', { ...once(first, 'late but sent', at), missed: 'once' });
  await box.kill();
  await expect.poll(() => Date.now() > Date.parse(at)).toBe(true);
  await box.restart();
  await expect.poll(() => told(first), { timeout: 20_000 }).toEqual(['late but sent']);
  await expect.poll(() => scheduleOf(kept.schedule_id)).toMatchObject({ runs: 1 });
  expect(await told(second)).toEqual([]);
});

test('[SC10] a token cannot schedule anything; a person at a terminal can, by name too', async () => {
  const id = await box.create();
  const call = once(id, 'by a token', soon(60_000));
  const asked = await box.callOnce('addSchedule', call, 'token');
  expect(asked).toMatchObject({ status: 428, body: { code: 'confirmation_required' } });
  expect(JSON.stringify(asked.body)).toContain('by a token');
  const { schedule } = await box.must('addSchedule', call);
  for (const route of ['runSchedule', 'removeSchedule'] as const)
    expect(await box.callOnce(route, { schedule_id: schedule.schedule_id }, 'token')).toMatchObject({ status: 428 });
  expect(
    await box.callOnce('changeSchedule', { schedule_id: schedule.schedule_id, text: 'something else' }, 'token'),
  ).toMatchObject({ status: 428 });
  expect(await scheduleOf(schedule.schedule_id)).toMatchObject({ text: 'by a token', runs: 0 });
});

test('[SC7] a turn that fails pauses the schedule that began it, and a person resumes it', async () => {
  const id = await box.create();
  const watcher = await box.watch(id);
  box.model.push({ match: 'this fails', events: [{ fail: { code: 'insufficient_quota', message: 'no' } }] });
  const { schedule } = await box.must('addSchedule', {
    ...once(id, 'this fails', ''),
    when: { kind: 'cron', cron: '0 3 * * *', time_zone: 'UTC' },
  });
  await box.must('runSchedule', { schedule_id: schedule.schedule_id });
  await watcher.turnEnd();
  await expect
    .poll(() => scheduleOf(schedule.schedule_id))
    .toMatchObject({ state: 'paused', reason: expect.stringContaining('failed') });
  const { schedule: resumed } = await box.must('changeSchedule', {
    schedule_id: schedule.schedule_id,
    paused: false,
  });
  expect(resumed).toMatchObject({ state: 'active', reason: null });
});

test('[SC10] the command line lists, pauses and removes by name', async () => {
  const cli = (...args: readonly string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
      const env = { ...process.env, SIGNALBOX_HOME: box.home, NO_COLOR: '1' };
      const child = execFile(
        process.execPath,
        [MAIN, 'schedules', ...args],
        { cwd: box.project, env },
        (_e, stdout, stderr) => done({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
  const added = await cli(
    'add',
    'every weekday at 9:00',
    'What changed?',
    '--name',
    'Report',
    '--zone',
    'Europe/Berlin',
  );
  // A test is no person at a terminal: the server says what it takes, and stores nothing.
  expect([0, 1]).toContain(added.code);
  if (added.code === 0) {
    expect((await cli('list')).stdout).toMatch(/Report .*0 9 \* \* 1-5 \(Europe\/Berlin\)/);
    expect((await cli('pause', 'report')).stdout).toContain('paused');
    expect((await cli('remove', 'report')).code).toBe(0);
  } else expect((await box.must('listSchedules', {})).schedules.some(({ name }) => name === 'Report')).toBe(false);
  expect((await cli('run', 'nobody')).stderr).toContain('there is no schedule nobody');
});
