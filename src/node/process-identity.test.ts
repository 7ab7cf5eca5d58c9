/** Telling processes apart, and ending only the one that was meant. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { isSameProcess, parseProcStat, startTimeOf, terminate } from './process-identity.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A child that has said "ready": its signal handlers are in place. */
async function startChild(code: string): Promise<{ child: ChildProcess; pid: number; start_time: string }> {
  const child = spawn(process.execPath, ['-e', `${code}; setInterval(() => {}, 1e6); console.log('ready')`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout ?? child, 'data');
  const pid = child.pid ?? -1;
  return { child, pid, start_time: startTimeOf(pid) ?? 'none' };
}

const statLine = (name: string, state: string): string =>
  `77 (${name}) ${state} 1 77 77 0 -1 4194560 5 6 7 8 9 10 11 12 20 0 1 0 987654 1000 200 18446744073709551615`;

test('the start time is field 22, counted behind the last parenthesis', () => {
  expect(parseProcStat(statLine('node', 'S'))).toBe('987654');
  expect(parseProcStat(statLine('a) R 1 (b c) 2', 'S'))).toBe('987654');
  expect(parseProcStat(statLine('gone', 'Z'))).toBeNull();
  expect(parseProcStat('')).toBeNull();
  expect(parseProcStat('77 (x) S 1 2')).toBeNull();
});

test('a process is told from another and from none', async () => {
  const { pid, start_time } = await startChild('');
  expect(start_time).toMatch(/\d/);
  expect(isSameProcess({ pid, start_time })).toBe(true);
  expect(isSameProcess({ pid, start_time: `${start_time}0` })).toBe(false);
  expect([0, -1, 1.5, Number.NaN, 2 ** 30].map(startTimeOf)).toEqual([null, null, null, null, null]);
});

test('a process that listens to TERM is not killed', async () => {
  const { child, pid, start_time } = await startChild("process.on('SIGTERM', () => process.exit(7))");
  const exit = once(child, 'exit');
  expect(await terminate(pid, { start_time, graceMs: 10_000 })).toBe('exited');
  expect(await exit).toEqual([7, null]);
});

test('a process that ignores TERM is killed after the grace', async () => {
  const { child, pid, start_time } = await startChild("process.on('SIGTERM', () => {})");
  const exit = once(child, 'exit');
  expect(await terminate(pid, { start_time, graceMs: 50 })).toBe('killed');
  expect(await exit).toEqual([null, 'SIGKILL']);
  expect(isSameProcess({ pid, start_time })).toBe(false);
});

test('a process of another identity is never signaled', async () => {
  const { child, pid, start_time } = await startChild('');
  expect(await terminate(pid, { start_time: `${start_time}0`, graceMs: 0 })).toBe('not_found');
  expect(isSameProcess({ pid, start_time })).toBe(true);
  expect(child.exitCode).toBeNull();
});
