/** Real processes are ended; which of them are seen when is up to the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { systemClock } from '../../node/clock.ts';
import { startTimeOf } from '../../node/process-identity.ts';
import { endProcesses } from './end-processes.ts';

function seen(child: ChildProcess) {
  const pid = child.pid ?? 0;
  const startTime = startTimeOf(pid) ?? '';
  return { pid, parentPid: process.pid, session: pid, startTime, uid: 0, mark: null, command: 'sleep' };
}

test('[TN31] what a process started just before it was told to end gets SIGTERM too, and no SIGKILL', async () => {
  const [parent, late] = [spawn('sleep', ['600']), spawn('sleep', ['601'])];
  const ends = [parent, late].map((child) => once(child, 'exit'));
  const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;
  const all = [seen(parent), seen(late)] as const;
  let kills = 0;
  const left = await endProcesses({
    clock: systemClock,
    // The second one is in the list only once the first has gone.
    find: () => [parent, late].flatMap((child, at) => (isRunning(child) ? (all[at] ?? []) : [])).slice(0, 1),
    onKill: async () => {
      kills += 1;
    },
  });
  await Promise.all(ends);
  expect({ left, kills, signals: [parent.signalCode, late.signalCode] }).toEqual({
    left: [],
    kills: 0,
    signals: ['SIGTERM', 'SIGTERM'],
  });
});
