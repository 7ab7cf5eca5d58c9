/** When a new login has to be allowed in an open browser. */
import { expect, test } from 'vitest';
import { describeBrowser, isBrowserOpen, isLinkBound, terminalDelayMs } from './login-confirmation.ts';

test('[AG10] a browser counts as open while a page is connected, and for five seconds after the last one', () => {
  expect(isBrowserOpen({ open: 1, leftMs: null }, 0)).toBe(true);
  expect(isBrowserOpen({ open: 0, leftMs: null }, 0)).toBe(false);
  expect(isBrowserOpen({ open: 0, leftMs: 1_000 }, 5_999)).toBe(true);
  expect(isBrowserOpen({ open: 0, leftMs: 1_000 }, 6_000)).toBe(false);
});

test('[AG11] only the link of a program without a terminal, made while a browser is open, always asks', () => {
  const bound = (['terminal', 'program', 'server'] as const).map((maker) => [
    isLinkBound(maker, true),
    isLinkBound(maker, false),
  ]);
  expect(bound).toEqual([
    [false, false],
    [true, false],
    [false, false],
  ]);
});

test('[AG12] what was allowed at a terminal gets in a minute after it asked; with the password at once', () => {
  const at = (nowMs: number, hasPassword = false) => terminalDelayMs({ askedMs: 1_000, nowMs, hasPassword });
  expect([at(1_000), at(41_000), at(61_000), at(90_000), at(1_000, true)]).toEqual([60_000, 20_000, 0, 0, 0]);
});

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36 Edg/156.0', 'Edge on Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1', 'Safari on iPhone'],
  ['Mozilla/5.0 (Linux; Android 16) Chrome/156.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['Chrome/1', 'Chrome'],
  ['', 'An unknown program'],
  ['your own laptop, press Allow', 'An unknown program'],
  [`${'x'.repeat(1_000_000)} Firefox/1`, 'An unknown program'],
])('[PG100] %# a browser is described in words of ours', (agent, words) => {
  expect(describeBrowser(agent)).toBe(words);
});
