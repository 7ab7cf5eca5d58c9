/** [PG60] No text makes a renderer throw or takes it long: 10,000 texts of a grammar, the seed is printed. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { createRandom, hostileText } from '../../testing/hostile-text.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import { findLinks } from '../terminal/find-links.ts';
import { parseAnsi, showExact, showName, splitSpans } from './ansi.ts';
import { longestLine, rowsOf } from './diff-rows.ts';
import { showCommand } from './exact-text.ts';
import { changed } from './mark-words.ts';
import { parseDiff, patchOf } from './parse-diff.ts';
import { readableJson } from './readable-json.ts';
import { tailLines } from './tail-lines.ts';

const TEXTS = 10_000;
/** Twice what the rule says: the suite runs beside other work. */
const MAX_MS = 100;
const seed = Number(process.env.SIGNALBOX_SEED ?? 0) || Math.floor(Math.random() * 2 ** 32);

const RENDERERS: Readonly<Record<string, (text: string) => unknown>> = {
  markdown: (text) => renderToStaticMarkup(<Markdown text={text} />),
  output: (text) => splitSpans(parseAnsi(tailLines(text, 400).tail)),
  exact: (text) => [showExact(text), showName(text), showCommand(text)],
  diff: (text) => parseDiff(text).map((file) => [rowsOf(file, true), longestLine(file), patchOf(file)]),
  json: readableJson,
  links: findLinks,
  words: (text) => changed(text, `${text.slice(0, -5)}x`),
};

/**
 * The best of five, and the smaller of wall and processor time: neither a pause of the machine nor the collector's threads are
 * taken for a slow text.
 */
function bestMs(render: (text: string) => unknown, text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5 && best > MAX_MS; attempt++) {
    const from = performance.now();
    const before = process.cpuUsage();
    render(text);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, performance.now() - from, (user + system) / 1_000);
  }
  return best;
}

test(`[PG60] ${TEXTS} texts of seed ${seed}: none throws, none takes more than ${MAX_MS} ms`, () => {
  const random = createRandom(seed);
  for (let warmUp = 0; warmUp < 50; warmUp++) {
    const text = hostileText(random);
    for (const render of Object.values(RENDERERS)) render(text);
  }
  const slow: string[] = [];
  for (let at = 0; at < TEXTS; at++) {
    const text = hostileText(random);
    for (const [name, render] of Object.entries(RENDERERS)) {
      try {
        const ms = bestMs(render, text);
        if (ms > MAX_MS)
          slow.push(
            `${name}: ${Math.round(ms)} ms for text ${at}, ${text.length} characters: ${JSON.stringify(text.slice(0, 200))}`,
          );
      } catch (error) {
        slow.push(`${name}: threw ${error} for text ${at}: ${JSON.stringify(text.slice(0, 200))}`);
      }
    }
  }
  expect(slow).toEqual([]);
}, 120_000);

test.each([
  ['quotes', '>'.repeat(2_000)],
  ['spaced quotes', '> '.repeat(50_000)],
  ['emphasis', '_a_'.repeat(33_000)],
  ['a deep list', Array.from({ length: 1_500 }, (_, depth) => `${'  '.repeat(depth)}- a\n`).join('')],
  ['a list in a line', `${'- '.repeat(3_000)}a`],
  ['openers that never close', '*a _b '.repeat(20_000)],
  ['task lists behind a false fence', `<!--\n\`\`\`\n-->\n${' - [ ] a\n'.repeat(100_000)}`],
  ['lazy quotes behind a false fence', `<!--\n\`\`\`\n-->\n${'> a\nb\n'.repeat(100_000)}`],
  ['a half mail address', `${'a.'.repeat(50_000)}@`],
  ['one line', 'a '.repeat(500_000)],
])('[PG60] %s: shown whole, at once', (_name, text) => {
  expect(bestMs((one) => renderToStaticMarkup(<Markdown text={one} />), text)).toBeLessThan(500);
});
