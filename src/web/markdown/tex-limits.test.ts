/** Formulas that would cost a page its tab are shown as their source. */
import { __renderToDomTree as renderTree } from 'katex';
import { expect, test } from 'vitest';
import { isModestTex, isModestTree } from './tex-limits.ts';

const OPTIONS = {
  output: 'mathml',
  throwOnError: true,
  strict: false,
  trust: false,
  maxExpand: 200,
  maxSize: 20,
} as const;
const nested = (open: string, close: string, count: number) => `${open.repeat(count)}x${close.repeat(count)}`;
const isMade = (tex: string) => isModestTex(tex) && isModestTree(renderTree(tex, OPTIONS));

test.each([
  ['nested boxes', nested('\\boxed{', '}', 120)],
  ['nested text with formulas', nested('\\text{$', '$}', 100)],
  ['nested fractions', nested('\\frac1{', '}', 120)],
  ['nested brackets', nested('\\left(', '\\right)', 70)],
  ['nested matrices', nested('\\begin{matrix}', '\\end{matrix}', 36)],
  ['a macro of many letters', `\\def\\a{${'x'.repeat(300)}}\\def\\b{${'\\a'.repeat(60)}}\\b\\b`],
  ['a new command', `\\newcommand{\\a}{${'x'.repeat(300)}}${'\\a'.repeat(60)}`],
])('[PG261] %s', (_name, tex) => {
  expect(tex.length).toBeLessThanOrEqual(1_000);
  expect(isMade(tex)).toBe(false);
});

test('[PG261] formulas that people write are made', () => {
  for (const tex of [
    'e^{i\\pi} + 1 = 0',
    '\\int_0^1 x^2 \\, dx = \\frac{1}{1+\\frac{1}{1+\\frac{1}{1+x}}}',
    '\\boxed{\\sqrt{\\frac{a}{b}}} \\text{ if $a > 0$}',
    `\\begin{pmatrix}${'1 & 0 & 0 & 0 & 0 \\\\ '.repeat(5)}\\end{pmatrix}`,
    '\\left\\{ \\begin{cases} x & \\text{if } y \\\\ z & \\text{otherwise} \\end{cases} \\right.',
    'a\\{b\\} \\leftarrow c \\longrightarrow d',
  ])
    expect(isMade(tex), tex).toBe(true);
});
