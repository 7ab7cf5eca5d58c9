/** The touch bar's bytes. */
import { expect, test } from 'vitest';
import { bytesOfKey, withControl } from './key-bytes.ts';

test('keys', () => {
  expect(bytesOfKey('esc', false)).toBe('\x1b');
  expect(bytesOfKey('up', false)).toBe('\x1b[A');
  expect(bytesOfKey('left', true)).toBe('\x1bOD');
  expect(bytesOfKey('interrupt', true)).toBe('\x03');
});

test('a held Ctrl makes control letters', () => {
  expect(withControl('c')).toBe('\x03');
  expect(withControl('D')).toBe('\x04');
  expect(withControl('[')).toBe('\x1b');
  expect(withControl(' ')).toBe('\x00');
  expect(withControl('1')).toBe('1');
  expect(withControl('paste')).toBe('paste');
  expect(withControl('')).toBe('');
});
