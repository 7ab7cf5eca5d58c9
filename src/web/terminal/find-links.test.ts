/** Which addresses are offered. */
import { expect, test } from 'vitest';
import { findLinks, isWebAddress } from './find-links.ts';

test('addresses without the sentence around them', () => {
  expect(findLinks('see https://a.example/x?y=1. And (http://b.example)!')).toEqual([
    { url: 'https://a.example/x?y=1', start: 4, end: 27 },
    { url: 'http://b.example', start: 34, end: 50 },
  ]);
  expect(findLinks('https://en.example/wiki/A_(b)')).toMatchObject([{ url: 'https://en.example/wiki/A_(b)' }]);
});

test('[TP5] nothing but the web', () => {
  for (const text of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'http://',
    'ftp://x.example',
    'x',
  ]) {
    expect(isWebAddress(text), text).toBe(false);
    expect(findLinks(text), text).toEqual([]);
  }
  expect(isWebAddress('https://x.example')).toBe(true);
});
