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

test('a second way to open something is found only by its word', () => {
  const two = [
    { label: 'Parser', hint: '' },
    { label: 'Open beside: Parser', hint: '', onlyFor: 'beside' },
  ];
  const found = (query: string) => matchItems(two, query).map((item) => item.label);
  expect(found('')).toEqual(['Parser']);
  expect(found('pars')).toEqual(['Parser']);
  expect(found('bes pars')).toEqual(['Open beside: Parser']);
});
