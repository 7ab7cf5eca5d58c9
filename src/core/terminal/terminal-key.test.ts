/** Names of terminals. */
import { expect, test } from 'vitest';
import { TerminalKey } from '../../contract/terminal.ts';
import { isSharedTerminal, keyOfTerminal, nameOfTerminal } from './terminal-key.ts';

const id = `conv_${'0'.repeat(32)}`;

test('[TM60] the conversation alone names the shared terminal, with a number a further one', () => {
  for (const number of [1, 2, 9]) {
    const key = keyOfTerminal({ id, number });
    expect(TerminalKey.safeParse(key).success).toBe(true);
    expect(nameOfTerminal(key)).toEqual({ id, number });
    expect(isSharedTerminal(key)).toBe(number === 1);
  }
  expect(keyOfTerminal({ id, number: 1 })).toBe(id);
});

test.each([`${id}~1`, `${id}~0`, `${id}~02`, `${id}~10`, `${id}~`, `${id}~2~3`, `${id}/../x`, `${id}~2/..`, ''])(
  '[TM60] %s names none',
  (key) => {
    expect(TerminalKey.safeParse(key).success).toBe(false);
  },
);
