/** [CL31] Markdown in exported HTML: formatted, and no text adds markup of its own. */
import { expect, test } from 'vitest';
import { HOSTILE } from '../../test/e2e/hostile-corpus.ts';
import { renderMarkdownHtml } from './render-html.ts';

test('[CL31] headings, lists, tables, code and links are elements', () => {
  const html = renderMarkdownHtml(
    '## Why\n\nSee `x` and **y** at [the page](https://example.com/?a=1&b=2).\n\n- [x] done\n- open\n\n3. three\n\n| a | b |\n|---|---|\n| 1 | <b> |\n\n```ts\nconst x = "<i>";\n```\n\n> said\n',
  );
  expect(html).toContain('<h4>Why</h4>');
  expect(html).toContain('See <code>x</code> and <strong>y</strong> at ');
  expect(html).toContain('<a href="https://example.com/?a=1&amp;b=2"');
  expect(html).toContain('<li>☑ ');
  expect(html).toContain('<ol start="3">');
  expect(html).toContain('<td>&lt;b&gt;</td>');
  expect(html).toContain('<pre><code>const x = &quot;&lt;i&gt;&quot;;</code></pre>');
  expect(html).toContain('<blockquote><p>said</p>');
});

const ALLOWED = /^(?:h[3-6]|p|pre|code|blockquote|ul|ol|li|div|table|thead|tbody|tr|th|td|hr|br|strong|em|del|a)$/;

test('[CL31] whatever the text, only known elements come out, and links lead to the web or mail only', () => {
  for (const text of [
    '<script>alert(1)</script>',
    '[x](javascript:alert(1)) ![y](https://example.com/x.png "t\\" onload=\\"alert(1)")',
    '<img src=x onerror=alert(1)>\n\n[a]: javascript:x\n\n[a]',
    '>'.repeat(2_000),
    '_a_'.repeat(33_000),
    `${'- '.repeat(1_500)}x`,
    ...HOSTILE,
  ]) {
    const html = renderMarkdownHtml(text);
    for (const [, name = ''] of html.matchAll(/<\/?([a-z][a-z0-9]*)/gi)) expect(name).toMatch(ALLOWED);
    for (const [, href = ''] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(?:https?:\/\/|mailto:)/i);
    expect(html).not.toMatch(/<[^>]* on\w+=/i);
  }
});
