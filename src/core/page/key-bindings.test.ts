/** Keys as they are pressed, written and changed. */
import { expect, test } from 'vitest';
import { ACT_IDS } from '../../contract/page-names.ts';
import { actOfKeys, keysOf, keysPressed } from './key-bindings.ts';
import { assignKeys, conflictsOf, holderOf, refuseKeys } from './key-changes.ts';

const press = (key: string, code: string, ...modifiers: readonly ('ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey')[]) =>
  keysPressed({
    key,
    code,
    ctrlKey: false,
    altKey: false,
    shiftKey: false,
    metaKey: false,
    ...Object.fromEntries(modifiers.map((one) => [one, true])),
  });

test('[PG150] a pressed key is written as the list writes it', () => {
  expect(press('k', 'KeyK', 'metaKey')).toBe('Ctrl K');
  expect(press('O', 'KeyO', 'ctrlKey', 'shiftKey')).toBe('Ctrl Shift O');
  expect(press('~', 'Backquote', 'ctrlKey', 'shiftKey')).toBe('Ctrl Shift `');
  expect(press('∑', 'KeyW', 'altKey')).toBe('Alt W');
  expect(press('?', 'Slash', 'shiftKey')).toBe('?');
  expect(press('ArrowUp', 'ArrowUp', 'altKey', 'shiftKey')).toBe('Alt Shift ↑');
  expect(press('Shift', 'ShiftLeft', 'shiftKey')).toBeNull();
});

test('[PG150] each key does one thing; two acts with one key are both named', () => {
  for (const id of ACT_IDS) {
    expect(conflictsOf(id, {})).toEqual([]);
    expect(actOfKeys(keysOf(id, {}), {})).toBe(id);
  }
  const own = { find: 'Ctrl K' };
  expect(conflictsOf('find', own)).toEqual(['palette']);
  expect(conflictsOf('palette', own)).toEqual(['find']);
  expect(actOfKeys('Ctrl Shift F', own)).toBeNull();
  expect(conflictsOf('find', { find: '', palette: '' })).toEqual([]);
});

test('[PG241] a key that is given to an act is taken from the act that had it; a default is no change', () => {
  const own = assignKeys('find', 'Ctrl K', {});
  expect(own).toEqual({ find: 'Ctrl K', palette: '' });
  expect(refuseKeys(own)).toBeNull();
  expect(assignKeys('palette', 'Ctrl K', own)).toEqual({ find: '' });
  expect(assignKeys('find', 'Ctrl Shift F', assignKeys('palette', 'Ctrl K', own))).toEqual({});
  expect(assignKeys('find', '', {})).toEqual({ find: '' });
});

test('[PG241] keys of the browser, of texts and of the answers to a request are refused', () => {
  expect(holderOf('Ctrl W')).toBe('browser');
  expect(holderOf('Enter')).toBe('writing');
  expect(holderOf('Y')).toBe('answers');
  expect(holderOf('Alt N')).toBe('answers');
  for (const id of ACT_IDS) expect(holderOf(keysOf(id, {}))).toBeNull();
  expect(refuseKeys({})).toBeNull();
  expect(refuseKeys({ find: 'Alt Y' })).toContain('answers to a request');
  expect(refuseKeys({ find: 'Ctrl B' })).toBe('Ctrl B is the key of both "find" and "sidebar"');
});
