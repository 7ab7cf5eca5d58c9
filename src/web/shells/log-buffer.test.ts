/** What is shown of a log. */
import { expect, test } from 'vitest';
import type { LogPage } from '../../contract/shellspec.ts';
import { appendPage, type LogBuffer, NO_LOG, prependPage } from './log-buffer.ts';

const bytes = (text: string): number => new TextEncoder().encode(text).length;
const page = (offset: number, text: string): LogPage => ({
  text,
  offset,
  next_offset: offset + bytes(text),
  first_offset: 0,
  total_bytes: 1_000_000,
});
const all = (...pages: readonly LogPage[]): LogBuffer => pages.reduce((buffer, one) => appendPage(buffer, one), NO_LOG);

test('[SH22] pages are joined once: what comes twice is not shown twice, after a gap it begins anew', () => {
  expect(all(page(5, 'ab\n'), page(8, 'cd\n'))).toMatchObject({ text: 'ab\ncd\n', from: 5, next: 11 });
  expect(all(page(0, 'ab\n'), page(0, 'ab\n')).text).toBe('ab\n');
  expect(all(page(0, 'äb\n'), page(2, 'b\nneu')).text).toBe('äb\nneu');
  expect(all(page(0, 'ab\n'), page(90, 'late\n'))).toMatchObject({ text: 'late\n', from: 90 });
});

test('[SH22] only so much is kept, from the beginning of a line on, and its offset stays right', () => {
  let buffer = NO_LOG;
  let offset = 0;
  for (let at = 0; at < 100; at += 1) {
    const text = `zeile ${at} ü\n`;
    buffer = appendPage(buffer, page(offset, text), 200);
    offset += bytes(text);
  }
  expect(buffer.text.length).toBeLessThanOrEqual(200);
  expect(buffer.text).toMatch(/^zeile \d+ ü\n/);
  expect(buffer.text.endsWith('zeile 99 ü\n')).toBe(true);
  expect((buffer.from ?? 0) + bytes(buffer.text)).toBe(buffer.next);
});

test('[SH22] an earlier page goes before what is shown, if it fits', () => {
  const buffer = all(page(6, 'later\n'));
  expect(prependPage(buffer, page(0, 'first\n'))).toMatchObject({ text: 'first\nlater\n', from: 0 });
  expect(prependPage(buffer, page(0, 'other'))).toBe(buffer);
});
