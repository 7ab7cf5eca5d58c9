/** Processes and what they started, with real ones. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { systemClock as clock } from './clock.ts';
import { startTimeOf } from './process-identity.ts';
import { listOwnProcesses, parsePsLine, parseStat } from './process-list.ts';
import { endTree, findMarked, membersOf } from './process-tree.ts';

async function startTree(script: string, env: NodeJS.ProcessEnv, lines: number) {
  const child = spawn('sh', ['-c', script], {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pids: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    pids.push(Number(line));
    if (pids.length === lines) break;
  }
  const pid = child.pid ?? 0;
  return { pids, root: { pid, start_time: startTimeOf(pid) ?? '' } };
}

test('[SH4] members: children, the session, and by the mark those that left', async () => {
  const entry = `SIGNALBOX_TEST_MARK=${process.pid}-${Math.random()}`;
  const [name = '', value = ''] = entry.split('=');
  const { root, pids } = await startTree(
    'setsid sh -c "setsid sleep 600 & echo \\$!" & sleep 600 & echo $!; wait',
    { [name]: value },
    2,
  );
  const marked = membersOf({ root, mark: entry }).map((one) => one.pid);
  expect(pids.every((pid) => marked.includes(pid))).toBe(true);
  expect(marked).not.toContain(process.pid);
  expect(findMarked(entry).map((one) => one.pid)).toEqual(expect.arrayContaining(pids));
  await endTree({ root, mark: entry }, { graceMs: 2_000, clock });
  expect([root.pid, ...pids].map(startTimeOf)).toEqual([null, null, null]);
});

test('[SH4] a number that another process has now is nobody of ours', async () => {
  const { root } = await startTree('echo 0; exec sleep 600', {}, 1);
  const stranger = { pid: root.pid, start_time: 'another time' };
  expect(membersOf({ root: stranger, mark: null })).toEqual([]);
  await endTree({ root: stranger, mark: null }, { graceMs: 0, clock });
  expect(startTimeOf(root.pid)).toBe(root.start_time);
  await endTree({ root, mark: null }, { graceMs: 0, clock });
  expect(startTimeOf(root.pid)).toBeNull();
});

test('[SH7] the process table holds us, with our use', () => {
  const us = listOwnProcesses().find((one) => one.pid === process.pid);
  expect(us).toMatchObject({ parentPid: process.ppid });
  expect(us?.memoryBytes).toBeGreaterThan(10_000_000);
});

test('[SH7] lines of the process table', () => {
  const fields = [
    'S',
    '1',
    '2',
    '3',
    ...Array.from({ length: 7 }, () => '0'),
    '150',
    '50',
    '0',
    '0',
    '0',
    '0',
    '0',
    '0',
    '777',
    '0',
    '25',
  ];
  expect(parseStat(9, `9 (a b) c) ${fields.join(' ')}`)).toEqual({
    pid: 9,
    parentPid: 1,
    group: 2,
    session: 3,
    startTime: '777',
    cpuMs: 2000,
    memoryBytes: 102_400,
  });
  expect(parseStat(9, '9 (x) Z 1 2 3')).toBeNull();
  expect(parsePsLine('  12   1  12 501 2048 1-02:03:04.50')).toMatchObject({
    pid: 12,
    uid: 501,
    memoryBytes: 2_097_152,
    cpuMs: 93_784_500,
  });
  expect(parsePsLine('nothing')).toBeNull();
});
