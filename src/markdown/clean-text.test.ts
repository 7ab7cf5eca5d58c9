/** [R1] What a link may be, and what is taken out of a text. */
import { expect, test } from 'vitest';
import { decodeEntities, safeHref, stripCitations } from './clean-text.ts';

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert`1`',
  'java\tscript:alert(1)',
  '\x01javascript:alert(1)',
  'javascript&colon;alert(1)',
  '&#106;avascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://x/y',
  'file:///etc/passwd',
  '//evil.example',
  '\\\\evil.example',
  'https:///',
  '/api/logout',
  '#/c/x',
])('%s is not followed', (href) => {
  expect(safeHref(href)).toBeNull();
});

test.each(['https://example.com/a?b=c#d', 'http://localhost:3000', 'mailto:a@example.com'])('%s is', (href) => {
  expect(safeHref(href)).toBe(href);
});

test('entities', () => {
  expect(decodeEntities('a &amp; b &lt;c&gt; &#39;&#x2014; &unknown; &#0;')).toBe("a & b <c> '— &unknown; &#0;");
});

test('citations', () => {
  expect(stripCitations('so\ue200cite\ue202turn1file0\ue202L1-L2\ue201.')).toBe('so.');
  expect(stripCitations('so citeturn1file0L11-L26 it is')).toBe('so it is');
  expect(stripCitations('so\ue200cite\ue202x\ue201 it is')).toBe('so it is');
  expect(stripCitations('half \ue200cite\ue202tur')).toBe('half ');
  expect(stripCitations('I cite him')).toBe('I cite him');
});
