/** Formulas and diagrams in answers: made on the page's own terms, with their source at hand. */
import { beforeAll, expect, test } from 'vitest';
import type { NewEntry } from '../../src/contract/entry.ts';
import { button, eventually, expectClean, PHONE, row, setStage, sideways } from './stage.ts';
import { writeTranscripts } from './write-transcript.ts';

const stage = setStage();
let id = '';
let hostile = '';

const ANSWER = `Inline $e^{i\\pi} + 1 = 0$ and \\(a_1 < b\\); it costs $5 or $6, says $HOME/$USER.

$$
\\int_0^1 x^2 \\, dx = \\frac{1}{3}
- \\sum_{n=1}^{\\infty} \\frac{1}{n^2}
$$

A mistake: $\\frac{1}{$ and $x^{$.

\`\`\`mermaid
graph TD
  A[Message] --> B{Running?}
  B -->|yes| C[Queue]
  B -->|no| D[Turn]
\`\`\`

\`\`\`mermaid
nonsense that is no diagram
\`\`\``;

const HOSTILE = `$\\href{javascript:alert(1)}{x}^2$ and $\\htmlStyle{color:red}{y_1}$ and $\\includegraphics{https://evil.example/a.png}_2$

\`\`\`mermaid
graph TD
  A["<img src=x onerror=alert(1)>"] --> B
  click A "javascript:alert(1)"
\`\`\`

${'$a_1$ '.repeat(500)}

$${'\\boxed{'.repeat(110)}x${'}'.repeat(110)}$ and $\\def\\a{${'x'.repeat(300)}}\\def\\b{${'\\a'.repeat(60)}}\\b\\b_1$`;

const answer = (text: string): NewEntry[] => [{ role: 'assistant', text, status: 'completed' }];

beforeAll(async () => {
  [id = '', hostile = ''] = await writeTranscripts(stage.box, answer(ANSWER), answer(HOSTILE));
});

test('[PG163] formulas are MathML, prices and variables stay text, a mistake stays as written', async () => {
  const visit = await stage.open({ conversationId: id });
  const { page } = visit;
  const said = row(page, 'assistant');
  await eventually(() => said.locator('math').count()).toBe(3);
  expect(await said.locator('mfrac').count()).toBe(2);
  expect(await said.innerText()).toContain('it costs $5 or $6, says $HOME/$USER.');
  expect(await said.innerText()).toContain('$\\frac{1}{$');
  expect(await said.locator('[style]').count()).toBe(0);
  await visit.shot('math-1280-dark');
  expectClean(visit);
});

test('[PG164] a diagram is drawn on demand as an image, its source one press away; what is none says so', async () => {
  const visit = await stage.open({ conversationId: id, colorScheme: 'light' });
  const { page } = visit;
  const said = row(page, 'assistant');
  await button(page, 'Show diagram').first().click();
  const picture = said.getByRole('img', { name: 'Diagram' });
  await picture.waitFor();
  expect(await picture.getAttribute('src')).toMatch(/^data:image\/svg\+xml/);
  expect(decodeURIComponent((await picture.getAttribute('src')) ?? '')).not.toMatch(/@import|googleapis|display=swap/);
  await eventually(() => page.evaluate(`document.querySelector('img[alt="Diagram"]').naturalWidth`)).toBeGreaterThan(
    50,
  );
  await visit.shot('diagram-1280-light');
  await page.setViewportSize(PHONE);
  expect(await sideways(page)).toEqual([]);
  await visit.shot('diagram-phone-light');
  await button(page, 'Show source').click();
  await said.getByText('A[Message] --> B{Running?}').first().waitFor();
  await button(page, 'Show diagram').last().click();
  await said.getByText('This diagram cannot be drawn here.').waitFor();
  expectClean(visit);
});

test('[PG163][PG164][PG261] a hostile formula or diagram runs, loads and styles nothing', async () => {
  const visit = await stage.open({ conversationId: hostile });
  const { page } = visit;
  const said = row(page, 'assistant');
  await eventually(() => said.locator('math').count()).toBeGreaterThan(400);
  // [PG261] Too deep and too large: their source.
  expect(await said.innerText()).toContain('\\boxed{\\boxed{');
  expect(await said.innerText()).toContain('\\def\\a{xxx');
  expect(await said.locator('math a, math [href], math [style], math img').count()).toBe(0);
  await button(page, 'Show diagram').click();
  await said.getByRole('img', { name: 'Diagram' }).waitFor();
  expectClean(visit);
});
