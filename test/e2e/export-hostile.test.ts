/** A hostile conversation, exported as HTML and opened from the disk in a real browser: nothing runs, nothing is fetched, nothing is hidden. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { Entry, type NewEntry } from '../../src/contract/entry.ts';
import { gatherDeliveries } from '../../src/core/conversations/reduce-deliveries.ts';
import { createRenderer } from '../../src/core/export/render-transcript.ts';
import { renderMarkdownHtml } from '../../src/markdown/render-html.ts';
import { sharedBrowser } from '../../src/testing/browser.ts';
import { sampleMeta } from '../../src/testing/samples.ts';
import { HOSTILE } from './hostile-corpus.ts';

/** One entry of each role that carries text of others. */
function everywhere(text: string, at: number): NewEntry[] {
  const from = (name: string) => ({ turn_id: `turn-${at}`, item_id: `${name}-${at}` });
  return [
    { role: 'user', text, images: [{ kind: 'url', value: text }], from: text, ...from('u') },
    { role: 'assistant', text, status: 'completed', questions: [{ title: text, options: [text] }], ...from('a') },
    { role: 'reasoning', text, status: 'completed', ...from('r') },
    { role: 'plan', steps: [{ step: text, status: 'pending' }], text, ...from('p') },
    { role: 'shell_output', command: text, stdout: text, stderr: text, exit_code: 0, duration_ms: 1, ...from('s') },
    { role: 'diff', diff_id: `d${at}`, diff: text, files: [], status: 'failed', ...from('d') },
    { role: 'error', text, ...from('e') },
    { role: 'note', kind: 'api', text, ...from('n') },
  ];
}

function documentOf(texts: readonly string[], label: string): string {
  const renderer = createRenderer('html', renderMarkdownHtml);
  const read = texts.flatMap(everywhere).map((entry, index) => {
    const raw = { seq: index + 1, ts: '2026-01-01T00:00:00.000Z', ...entry };
    return { raw, known: Entry.parse(raw) };
  });
  const deliveries = gatherDeliveries(
    read.map(({ known }) => known),
    'end',
  );
  const head = renderer.head(sampleMeta({ label, cwd: label, model: label, revision: 1 }));
  return head + read.map((entry) => renderer.entry(entry, deliveries)).join('') + renderer.tail();
}

test.each([
  ['as it is', (html: string) => html],
  [
    'without its content policy',
    (html: string) => html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ''),
  ],
])(
  '[PG300] an export of every hostile string, opened %s, runs nothing and asks for nothing',
  async (_how, change) => {
    const folder = mkdtempSync(join(import.meta.dirname, '../../.tmp/export-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'export.html');
    const whole = documentOf(HOSTILE, `</title><script>__pwned=1</script>${HOSTILE.join(' ').slice(0, 5_000)}`);
    const html = change(whole);
    writeFileSync(file, html);
    const context = await (await sharedBrowser()).newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const asked: string[] = [];
    const dialogs: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const url = pathToFileURL(file).href;
    await page.goto(url);
    // What waits for a pointer, a focus or a moment gets it.
    await page.mouse.move(200, 200);
    await page.keyboard.press('Tab');
    await page.evaluate('new Promise((done) => setTimeout(done, 500))');
    const found = await page.evaluate<{
      pwned: unknown;
      names: string[];
      links: string[];
      handlers: number;
      hidden: string[];
    }>(`(() => {
    const all = [...document.querySelectorAll('*')];
    return {
      pwned: window.__pwned ?? null,
      names: [...new Set(all.map((one) => one.localName))].sort(),
      links: all.flatMap((one) => one.getAttribute('href') ?? []).filter((href) => !/^(https?:\\/\\/|mailto:)/i.test(href)),
      handlers: all.filter((one) => one.getAttributeNames().some((name) => /^(on|style|src|ping|target)/.test(name))).length,
      hidden: [...new Set(document.body.textContent.match(/[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]/g) ?? [])],
    };
  })()`);
    expect(found).toMatchObject({ pwned: null, links: [], handlers: 0, hidden: [] });
    const elements =
      /^(html|head|meta|title|style|body|main|h[1-6]|ul|ol|li|code|pre|section|time|div|p|blockquote|table|thead|tbody|tr|th|td|hr|br|strong|em|del|a)$/;
    expect(found.names.filter((name) => !elements.test(name))).toEqual([]);
    expect(asked).toEqual([url]);
    expect(dialogs).toEqual([]);
  },
  60_000,
);
