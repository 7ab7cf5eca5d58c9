/** Completing a directory. */
import { expect, test } from 'vitest';
import { directoryChoices, parentOf } from './directory-choices.ts';

const listed = {
  path: '/home/me',
  parent: '/home',
  directories: ['src', 'spec', 'docs', '.git'].map((name) => ({
    name,
    path: `/home/me/${name}`,
    is_hidden: name.startsWith('.'),
  })),
  is_complete: true,
  recent: ['/home/me/src', '/work/x'],
};
const paths = (typed: string) => directoryChoices(typed, listed).map((one) => `${one.kind} ${one.path}`);

test('the directory to look in', () => {
  expect(['', '~', '~/x', '/home/me/sr', '/home/me/', 'x'].map(parentOf)).toEqual([
    '',
    '~',
    '~/',
    '/home/me/',
    '/home/me/',
    '',
  ]);
});

test('recent ones first, then what lies inside and begins alike', () => {
  expect(paths('')).toEqual([
    'recent /home/me/src',
    'recent /work/x',
    'inside /home/me/src',
    'inside /home/me/spec',
    'inside /home/me/docs',
  ]);
  expect(paths('/home/me/s')).toEqual(['recent /home/me/src', 'inside /home/me/src', 'inside /home/me/spec']);
  expect(paths('/home/me/.')).toEqual(['inside /home/me/.git']);
  expect(paths('/home/me/src')).toEqual([]);
  expect(directoryChoices('/', null)).toEqual([]);
});
