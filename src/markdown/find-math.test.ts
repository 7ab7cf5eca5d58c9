/** Formulas, and dollars that are none. */
import { expect, test } from 'vitest';
import { formulaAt, formulaBlockAt, nextDollarFormula } from './find-math.ts';

test('[PG163] formulas by their delimiters', () => {
  expect(formulaAt('$x$ rest')).toEqual({ raw: '$x$', tex: 'x', isDisplay: false });
  expect(formulaAt('$a_1 + b$.')).toMatchObject({ tex: 'a_1 + b' });
  expect(formulaAt('\\(a < b\\)')).toEqual({ raw: '\\(a < b\\)', tex: 'a < b', isDisplay: false });
  expect(formulaAt('\\[a\\]')).toMatchObject({ isDisplay: true });
  expect(formulaAt('$$\na\n$$')).toEqual({ raw: '$$\na\n$$', tex: '\na\n', isDisplay: true });
});

test('[PG163] prices, variables and lone dollars are no formulas', () => {
  for (const text of [
    '$5 and $6',
    '$HOME/$USER',
    '$a',
    '$ x $',
    '$5/$6',
    '$$',
    '$$$$',
    '\\(a',
    '\\*',
    '$a\n\nb$',
    '$PATH:$HOME$',
  ])
    expect([text, formulaAt(text)]).toEqual([text, null]);
  expect(nextDollarFormula('costs $5 or $6, but $x^2$', 25)).toBe(20);
  expect(nextDollarFormula('a$x$', 4)).toBe(-1);
});

test('[PG163] a block of its own, also while it is not closed', () => {
  expect(formulaBlockAt('$$\na\n- b\n$$\nnext')).toEqual({ raw: '$$\na\n- b\n$$\n', tex: 'a\n- b' });
  expect(formulaBlockAt('\\[\nx\n\\]')).toEqual({ raw: '\\[\nx\n\\]', tex: 'x' });
  expect(formulaBlockAt('$$\na\n- b')).toEqual({ raw: '$$\na\n- b', tex: '' });
  expect(formulaBlockAt('$$\na\n\nb')).toBeNull();
  expect(formulaBlockAt('$$ is the pid\nof bash')).toBeNull();
});
