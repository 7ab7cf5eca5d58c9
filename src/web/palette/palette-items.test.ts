/** What the palette finds. */
import { expect, test } from 'vitest';
import { matchItems } from './palette-items.ts';

const items = ['Fork this conversation', 'New conversation', 'Theme: Dark'].map((label) => ({ label, hint: '' }));
const labels = (query: string) => matchItems(items, query).map((item) => item.label);

test('all words, beginnings first', () => {
  expect(labels('')).toHaveLength(3);
  expect(labels('conv')).toEqual(['Fork this conversation', 'New conversation']);
  expect(labels('new c')).toEqual(['New conversation']);
  expect(labels('xyz')).toEqual([]);
});
