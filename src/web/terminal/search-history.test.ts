/** [TP45] What Ctrl-R finds among earlier commands. */
import { expect, test } from 'vitest';
import { searchHistory } from './search-history.ts';

const HISTORY = ['npm test', 'git push origin main', 'Make all', 'npm run build', 'npm test'];

test.each([
  ['', ['npm test', 'npm run build', 'Make all', 'git push origin main']],
  ['npm', ['npm test', 'npm run build']],
  ['main push', ['git push origin main']],
  ['make', ['Make all']],
  ['Make', ['Make all']],
  ['NPM', []],
  ['  build  ', ['npm run build']],
])('[TP45] %j', (query, found) => {
  expect(searchHistory(HISTORY, query)).toEqual(found);
});

test('[TP45] at most 50', () => {
  expect(
    searchHistory(
      Array.from({ length: 200 }, (_, at) => `echo ${at}`),
      'echo',
    ),
  ).toHaveLength(50);
});
