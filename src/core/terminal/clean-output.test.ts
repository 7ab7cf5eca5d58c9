/** Output as text, plain or with its colors. */
import { expect, test } from 'vitest';
import { cleanOutput } from './clean-output.ts';

const RED = '\x1b[1;31mred\x1b[0m';

test('[TP16] colors stay where they are wanted, everything else goes', () => {
  const raw = `${RED} plain\r\n\x1b]0;title\x07\x1b[2Kx\x1b[3;4Hy\x00\r\n`;
  expect(cleanOutput(raw, true)).toBe(`${RED} plain\nxy\n`);
  expect(cleanOutput(raw)).toBe('red plain\nxy\n');
});

test('[TP16] a line that was written over is plain', () => {
  expect(cleanOutput(`${RED}\rdone\n`, true)).toBe('done\n');
});

test('[TM20] a million carriage returns, backspaces or beginnings of sequences are read at once', () => {
  for (const unit of ['\r', '\b', '\x1b[', '\x1b]', '\x1bP', '\x1b[?47h']) {
    const raw = `${unit.repeat(1_000_000)}\x1b\\\x1b[?47lend`;
    expect(cleanOutput(raw)).toBe('end');
    expect(cleanOutput(raw, true)).toBe('end');
  }
});

test('[TM20] carriage returns at the end of a line are no part of it', () => {
  expect(cleanOutput('one\r\r\r\ntwo\r')).toBe('one\ntwo');
});
