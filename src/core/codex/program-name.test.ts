/** Names of programs of Codex. */
import { expect, test } from 'vitest';
import { programOfCommand, programOfTrigger } from './program-name.ts';

test('[CS42] a program of Codex is named by its command line', () => {
  expect(programOfCommand(['/usr/bin/codex', 'exec', 'resume', 'x'])).toBe('codex exec');
  expect(programOfCommand(['/usr/bin/codex', 'resume', 'x'])).toBe('Codex TUI');
  expect(programOfCommand(['codex-x86_64-unknown-linux-musl'])).toBe('Codex TUI');
  expect(programOfCommand(['/opt/codex', '-c', 'a=1', 'app-server'])).toBe('an editor or another app server');
  expect(programOfCommand(['/usr/bin/python3', 'x.py'])).toBe('another Codex program');
  expect(programOfCommand([])).toBe('another Codex program');
});

test('[CS41] a turn is marked with the program that began it', () => {
  expect(programOfTrigger('exec')).toBe('codex exec');
  expect(programOfTrigger(null)).toBe('another Codex program');
});
