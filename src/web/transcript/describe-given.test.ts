/** What the mark says, and how commands that went along are told to a person. */
import { expect, test } from 'vitest';
import { describeMark, readCommands } from './describe-given.ts';

test.each([
  [
    { names: ['policy', 'terminal', 'commands', 'events'], counts: { commands: 3, events: 1 } },
    '3 commands, 1 event, terminal',
  ],
  [{ names: ['policy', 'peers', 'commands'], counts: { commands: 1 } }, '1 command, board'],
  // Written before there were counts.
  [{ names: ['policy', 'commands', 'events'], counts: {} }, 'commands, events'],
  [{ names: ['policy'], counts: {} }, 'note'],
] as const)('[CT18] the mark of %j says %s', (mark, text) => {
  expect(describeMark(mark)).toBe(text);
});

const entry = (cmd: string, change: object = {}) => ({
  cmd,
  exit_code: 0,
  cwd: '/w',
  block_id: cmd,
  ts: 1,
  preview: { lines: [], truncated: false },
  ...change,
});

test('[CT18] of commands it is told how each ended, and what was left out or shortened', () => {
  const value = JSON.stringify({
    v: 1,
    type: 'user_cmd_context',
    conversation_id: `conv_${'1'.repeat(32)}`,
    shell_id: null,
    total_commands_run: 5,
    kept: 4,
    dropped: 1,
    commands: [
      entry('ls'),
      entry('make', { exit_code: 2, preview: { lines: ['x'], truncated: true } }),
      entry('sleep 9', { exit_code: 130, status: 'interrupted' }),
      entry('vi', { exit_code: null, status: 'lost' }),
    ],
    mcp: [],
  });
  expect(readCommands({ name: 'commands', value })).toEqual({
    commands: [
      { key: 'ls', cmd: 'ls', end: 'exit 0', isGood: true },
      { key: 'make', cmd: 'make', end: 'exit 2', isGood: false },
      { key: 'sleep 9', cmd: 'sleep 9', end: 'interrupted, exit 130', isGood: false },
      { key: 'vi', cmd: 'vi', end: 'its end was not seen', isGood: false },
    ],
    missing: ['1 of 5 commands left out', 'output of 1 command shortened'],
  });
});

test('[CT18] what cannot be read so is shown as it was sent, and no more', () => {
  expect(readCommands({ name: 'commands', value: '{"v":1' })).toBeNull();
  expect(readCommands({ name: 'events', value: '{}' })).toBeNull();
});
