/** [PG60] Limits of the lexer: what exceeds one is plain, whole, and alone. */
import { expect, test } from 'vitest';
import { cutSegments, NO_SEGMENTS } from './cut-segments.ts';
import { isPlain } from './lex-blocks.ts';
import { NO_BLOCKS, splitBlocks } from './split-blocks.ts';

const kinds = (text: string) => {
  const { finished, open } = splitBlocks(NO_BLOCKS, text);
  return [...finished, ...open].map(({ token }) => (isPlain(token) ? token.reason : token.type));
};

test('[PG60] only the block that exceeds a limit is plain, with all of its text', () => {
  const deep = '>'.repeat(2_000);
  expect(kinds(`before\n\n${deep}\n\nafter **bold**`)).toEqual(['paragraph', 'too_deep', 'paragraph']);
  const { finished } = splitBlocks(NO_BLOCKS, `before\n\n${deep}\n\nafter`);
  expect(finished[1]?.token.raw).toContain(deep);
});

test.each([
  ['quotes of quotes', `${'> '.repeat(16)}a`, 'blockquote'],
  ['one quote more', `${'> '.repeat(17)}a`, 'too_deep'],
  ['lists of lists', `${'- '.repeat(17)}a`, 'too_deep'],
  ['emphasis in emphasis', `${'*a _b '.repeat(30)}c${'_ *'.repeat(30)}`, 'too_deep'],
  ['emphasis without end', '*a _b '.repeat(1_500), 'too_long'],
  ['a long table', `|a|b|\n|-|-|\n${'|1|2|\n'.repeat(1_000)}`, 'table'],
  ['a table of too many cells', `|${'a|'.repeat(200)}\n|${'-|'.repeat(200)}\n${'|\n'.repeat(200)}`, 'too_long'],
  ['a table in a quote', `> |${'a|'.repeat(200)}\n> |${'-|'.repeat(200)}\n${'> |\n'.repeat(200)}`, 'too_long'],
  ['usual text', `${'Some *words* of the `answer` with [links](https://example.com). '.repeat(60)}`, 'paragraph'],
])('[PG60] %s', (_name, text, kind) => {
  expect(kinds(text)).toEqual([kind]);
});

test('[PG60] a hostile text has the same blocks streamed and replayed', () => {
  const texts = ['>'.repeat(2_000), '*a _b '.repeat(900), `${'- '.repeat(40)}a`, 'plain\n'];
  const text = texts.join('\n\n');
  let list = NO_BLOCKS;
  for (let at = 1; at < text.length; at += 37) list = splitBlocks(list, text.slice(0, at));
  const { finished, open } = splitBlocks(list, text);
  const streamed = [...finished, ...open].map(({ token }) => (isPlain(token) ? token.reason : token.type));
  expect(streamed).toEqual(kinds(text));
});

test('[PG60] a stretch without an end is too long; what follows it is formatted', () => {
  const text = `${' word'.repeat(4_000)}\n\n  next *part*\n`;
  const { starts, tooLong, isLastTooLong } = cutSegments(NO_SEGMENTS, text);
  expect([...tooLong]).toEqual([0]);
  expect(starts).toHaveLength(2);
  expect(isLastTooLong).toBe(false);
});

test('[PG60] code and tables may be longer', () => {
  const code = `\`\`\`\n${'line\n'.repeat(20_000)}\`\`\`\n`;
  expect(cutSegments(NO_SEGMENTS, code).tooLong.size).toBe(0);
  expect(cutSegments(NO_SEGMENTS, `|a|b|\n|-|-|\n${'|1|2|\n'.repeat(4_000)}`).tooLong.size).toBe(0);
});
