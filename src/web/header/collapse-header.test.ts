/** What the header keeps at which width. */
import { expect, test } from 'vitest';
import { collapseHeader, type HeaderWidths, hasMenu } from './collapse-header.ts';

const WIDTHS: HeaderWidths = {
  available: 2_000,
  fixed: 20,
  title: 200,
  menu: 36,
  oneButton: 36,
  sign: 20,
  parts: {
    model: 80,
    effort: 70,
    mode: 150,
    sandbox: 140,
    cwd: 90,
    context: 60,
    markdown: 36,
    follow: 36,
    details: 36,
    panels: 144,
    palette: 36,
  },
};
const at = (available: number, over: Partial<HeaderWidths> = {}) => [
  ...collapseHeader({ ...WIDTHS, ...over, available }),
];

test('[PG221] with room for everything nothing goes into the menu', () => {
  expect(at(2_000)).toEqual([]);
  expect(hasMenu(new Set())).toBe(false);
});

test('[PG221] parts leave in one order: what is elsewhere first, what Codex may do last', () => {
  expect(at(1_080)).toEqual(['markdown', 'palette']);
  expect(at(0)).toEqual([
    'markdown',
    'palette',
    'sandbox',
    'cwd',
    'panels',
    'effort',
    'follow',
    'context',
    'model',
    'details',
    'mode',
  ]);
  for (let width = 0; width < 1_200; width += 10) expect(at(width + 10).length).toBeLessThanOrEqual(at(width).length);
});

test('[PG221] what stays fits, and the title gives way only before the model leaves', () => {
  const { parts } = WIDTHS;
  for (let available = 340; available < 1_300; available += 7) {
    const collapsed = collapseHeader({ ...WIDTHS, available });
    const shown = Object.entries(parts).filter(([part]) => !(collapsed as ReadonlySet<string>).has(part));
    const width =
      shown.reduce((sum, [, one]) => sum + one, 0) + WIDTHS.fixed + (collapsed.has('context') ? 120 : WIDTHS.title);
    expect(width).toBeLessThanOrEqual(available);
  }
});

test('[PG221] a long title takes no more than its room; a part that is not there is not collapsed', () => {
  expect(at(1_200, { title: 5_000 })).toEqual(at(1_200, { title: 240 }));
  expect(at(0, { parts: { mode: 150, sandbox: 0 } })).toEqual(['mode']);
});

test('[PG221] a sandbox that is shown as a sign and panels behind one button need no menu', () => {
  expect(hasMenu(new Set(['sandbox', 'panels'] as const))).toBe(false);
  expect(hasMenu(new Set(['sandbox', 'effort'] as const))).toBe(true);
});
