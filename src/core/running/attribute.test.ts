/** Processes find their command by environment, family and session, and nothing of anybody else is taken along. */
import { expect, test } from 'vitest';
import { descendantsOf, groupByCommand, type SeenProcess } from './attribute.ts';

const CODEX = 10;
const process = (pid: number, change: Partial<SeenProcess> = {}): SeenProcess => ({
  pid,
  parentPid: CODEX,
  session: pid,
  startTime: String(pid),
  uid: 0,
  mark: null,
  command: `p${pid}`,
  ...change,
});
const mark = (itemId: string, threadId = 'ours') => ({ threadId, itemId });
const base = [process(1, { parentPid: 0 }), process(5, { parentPid: 1 }), process(CODEX, { parentPid: 5 })];
const own = new Set([5, CODEX]);

const group = (...more: readonly SeenProcess[]) =>
  groupByCommand([...more, ...base], (threadId) => threadId === 'ours', own).map((one) => [
    one.mark.itemId,
    one.processes.map(({ pid }) => pid),
  ]);

test('[TN31] a command has its marked processes, their descendants and their session', () => {
  const found = group(
    process(22, { parentPid: 21, session: 20 }),
    process(20, { mark: mark('a') }),
    process(21, { parentPid: 20, session: 20 }),
    // Left its session and its parent: the environment tells.
    process(30, { parentPid: 1, mark: mark('a') }),
    // Cleared its environment in the session of the command, and its parent is gone.
    process(31, { parentPid: 1, session: 20 }),
    // Below a process that left the session.
    process(32, { parentPid: 30 }),
  );
  expect(found).toEqual([['a', [20, 21, 22, 30, 31, 32]]]);
});

test('[TN31] a sandbox around the marked process is found by the session they share', () => {
  const found = group(process(40), process(41, { parentPid: 40, session: 40, mark: mark('a') }));
  expect(found).toEqual([['a', [40, 41]]]);
});

test('[TN32] commands of other threads, of other programs and processes without a mark are left alone', () => {
  const found = group(
    process(20, { mark: mark('a') }),
    process(50, { mark: mark('b') }),
    process(60, { mark: mark('a', 'foreign') }),
    process(70),
    process(71, { parentPid: 1 }),
  );
  expect(found).toEqual([
    ['a', [20]],
    ['b', [50]],
  ]);
});

test('[TN32] a server that a command started is no part of a command, nor is what shares its session', () => {
  const processes = [
    process(1, { parentPid: 0 }),
    // The shell in which an agent started this server, with the mark of its own command.
    process(5, { parentPid: 1, session: 5, mark: mark('outer') }),
    process(6, { parentPid: 5, session: 5, mark: mark('outer') }),
    process(7, { parentPid: 1, session: 5 }),
    process(20, { parentPid: 6, session: 20, mark: mark('a') }),
  ];
  const found = groupByCommand(processes, () => true, new Set([6]));
  expect(found.map((one) => [one.mark.itemId, one.processes.map(({ pid }) => pid)])).toEqual([['a', [20]]]);
});

test('[TN33] the programs of a terminal are the descendants of its shell', () => {
  const processes = [
    ...base,
    process(81, { parentPid: 80 }),
    process(80, { parentPid: 5 }),
    process(82, { parentPid: 81 }),
  ];
  expect(descendantsOf(80, processes).map(({ pid }) => pid)).toEqual([81, 82]);
});
