/** Who a process is and whom it descends from. */
import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { environmentOf, parsePs, readLineage, readProcess } from './ancestry.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(env: NodeJS.ProcessEnv = process.env): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env, stdio: 'ignore' });
  children.push(child);
  return child.pid ?? 0;
}

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  test('a process, its parent and its user', () => {
    const pid = start();
    expect(readProcess(pid)).toMatchObject({ pid, parentPid: process.pid, uid: process.getuid?.() });
    expect(readProcess(process.pid)).toMatchObject({ parentPid: process.ppid });
  });

  test('the line goes from the process itself to the first one', () => {
    const pid = start();
    const line = readLineage(pid)?.map((one) => one.pid) ?? [];
    expect(line.slice(0, 3)).toEqual([pid, process.pid, process.ppid]);
    expect(readProcess(line.at(-1) ?? 0)?.parentPid).toBe(0);
  });

  test('a process that has gone, a thread and nonsense are nobody', async () => {
    const pid = start();
    const gone = new Promise((resolve) => children[0]?.once('close', resolve));
    children[0]?.kill('SIGKILL');
    await gone;
    expect(readProcess(pid)).toBeNull();
    expect(readLineage(pid)).toBeNull();
    for (const nobody of [0, -1, 1.5, Number.NaN, 2 ** 40]) expect(readLineage(nobody)).toBeNull();
  });

  test('the names of the environment it was started with', async () => {
    const pid = start({ PATH: process.env.PATH, CODEX_THREAD_ID: 'x', EMPTY: '' });
    // The environment is there once the program is, which is a moment after the fork.
    await expect
      .poll(() => [...environmentOf(pid)])
      .toEqual(
        expect.arrayContaining([
          ['CODEX_THREAD_ID', 'x'],
          ['EMPTY', ''],
        ]),
      );
    expect(environmentOf(2 ** 22)).toEqual(new Map());
  });
});

test('what ps says elsewhere', () => {
  expect(parsePs(7, '  501   502 signalbox 1a2b\n')).toEqual({
    pid: 7,
    parentPid: 501,
    uid: 502,
    realUid: 502,
    startTicks: null,
    name: 'signalbox 1a2b',
  });
  expect(parsePs(7, '')).toBeNull();
});
