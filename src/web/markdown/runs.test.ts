/** The highlighter's markup is read back without losing a character. */
import { expect, test } from 'vitest';
import { languageOf, linesOf, readRuns } from './runs.ts';

test('spans, nesting and entities', () => {
  const runs = readRuns(
    '<span class="hljs-keyword">if</span> (a &lt; <span class="hljs-string">&quot;<span class="hljs-subst">x</span>&quot;</span>)',
  );
  expect(runs.map((run) => run.text).join('')).toBe('if (a < "x")');
  expect(runs.find((run) => run.text === 'if')?.tone).toBe('keyword');
  expect(runs.find((run) => run.text === 'x')?.tone).toBe('attr');
});

test('runs are cut into lines', () => {
  expect(linesOf([{ text: 'a\n\nb', tone: 'string' }])).toEqual([
    [{ text: 'a', tone: 'string' }],
    [],
    [{ text: 'b', tone: 'string' }],
  ]);
});

test('languages by file name', () => {
  expect([languageOf('src/a.ts'), languageOf('b.rs'), languageOf('c.go'), languageOf('Makefile')]).toEqual([
    'typescript',
    'rust',
    'go',
    '',
  ]);
});
