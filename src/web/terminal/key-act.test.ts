/** Whose key it is. */
import { expect, test } from 'vitest';
import { keyAct } from './key-act.ts';

const key = (spelled: string) => {
  const parts = spelled.split('+');
  const name = parts.at(-1) ?? '';
  const has = (part: string) => parts.slice(0, -1).includes(part);
  return {
    key: name,
    code: name === '`' || name === '~' ? 'Backquote' : '',
    ctrlKey: has('Ctrl'),
    metaKey: has('Meta'),
    shiftKey: has('Shift'),
    altKey: has('Alt'),
  };
};

test('[TP1] the page has few, the shell has the rest', () => {
  expect(keyAct(key('Ctrl+`'), false)).toBe('page');
  expect(keyAct(key('Ctrl+Shift+E'), false)).toBe('page');
  expect(keyAct(key('Ctrl+Shift+F'), false)).toBe('find');
  expect(keyAct(key('Ctrl+Shift+ArrowUp'), false)).toBe('previous');
  expect(keyAct(key('Ctrl+Shift+ArrowDown'), false)).toBe('next');
  expect(keyAct(key('Ctrl+Shift+C'), true)).toBe('copy');
  expect(keyAct(key('Meta+c'), true)).toBe('copy');
  for (const shells of ['Escape', 'Tab', 'Ctrl+c', 'Ctrl+k', 'Ctrl+b', 'Ctrl+r', 'Alt+ArrowUp', 'ArrowUp', '/', '?']) {
    expect(keyAct(key(shells), true), shells).toBeNull();
  }
});
