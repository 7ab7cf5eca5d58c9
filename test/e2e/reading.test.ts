/** Reading a long day's transcript: commands, looks, many files, headings, tables, wide code; wide, narrow, light and dark. */
import { beforeAll, expect, test } from 'vitest';
import type { NewEntry } from '../../src/contract/entry.ts';
import { button, eventually, expectClean, PHONE, row, setStage, sideways } from './stage.ts';
import { writeTranscripts } from './write-transcript.ts';

const stage = setStage();
let id = '';
const LONG = `grep -rn --include='*.ts' --exclude-dir=node_modules ${'--exclude=generated '.repeat(12)}needle-at-the-end .`;
const TURN = { turn_id: 't1' };

const look = (path: string, at: number): NewEntry => ({
  role: 'command',
  command: `sed -n '1,80p' ${path}`,
  cwd: stage.box.project,
  output: `text of ${path}\n`,
  exit_code: 0,
  duration_ms: 12,
  status: 'completed',
  actions: [{ type: 'read', command: `sed -n '1,80p' ${path}`, name: path, path: `${stage.box.project}/${path}` }],
  ...TURN,
  item_id: `look-${at}`,
});

const changeOf = (path: string): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,1 +1,2 @@\n-old ${path}\n+new ${path}\n+${'wide '.repeat(60)}\n`;

const TYPE = `Some words first.

### A heading

A paragraph below it.

| setting | where it is read | what happens |
|---|---|---|
| \`SIGNALBOX_HOME_DIRECTORY\` | configuration-of-the-server | the directory of one server, with all its conversations |
| \`CODEX_HOME\` | environment | the directory of Codex |`;

beforeAll(async () => {
  const files = Array.from({ length: 40 }, (_none, at) => `src/file${at + 1}.ts`);
  [id = ''] = await writeTranscripts(stage.box, [
    { role: 'user', text: 'look around', ...TURN },
    ...['src/a.ts', 'src/b.ts', 'src/c.ts'].map(look),
    { role: 'reasoning', text: 'what was between', status: 'completed', ...TURN, item_id: 'r1' },
    look('docs/d.md', 4),
    {
      role: 'command',
      command: LONG,
      cwd: stage.box.project,
      output: 'found\n',
      exit_code: 0,
      duration_ms: 3,
      status: 'completed',
      actions: [],
      ...TURN,
      item_id: 'long',
    },
    {
      role: 'diff',
      diff_id: 'many',
      diff: files.map(changeOf).join(''),
      files: files.map((path) => ({ path, kind: 'update' as const })),
      status: 'applied',
      ...TURN,
    },
    {
      role: 'diff',
      diff_id: 'one',
      diff: changeOf('src/one.ts'),
      files: [{ path: 'src/one.ts', kind: 'update' }],
      status: 'applied',
      ...TURN,
    },
    { role: 'assistant', text: TYPE, status: 'completed', ...TURN, item_id: 'a1' },
    { role: 'status', status: 'success', turn_status: 'completed', duration_ms: 9_000, ...TURN },
  ]);
});

test('[PG165] an opened command shows all of itself and can be copied, on a phone too', async () => {
  const visit = await stage.open({ conversationId: id });
  const { page } = visit;
  await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const card = row(page, 'command').filter({ hasText: 'grep -rn' });
  await card.getByRole('button', { name: /grep -rn/ }).click();
  const whole = card.locator('pre').filter({ hasText: 'needle-at-the-end' });
  expect((await whole.innerText()).replaceAll(/\s+/g, ' ')).toBe(LONG);
  await card.getByRole('button', { name: 'Copy' }).first().click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(LONG);
  await page.setViewportSize(PHONE);
  expect(await sideways(page)).toEqual([]);
  await visit.shot('command-phone-dark');
  expectClean(visit);
});

test('[PG166] reads and the thoughts between them are one line, which unfolds; paths start at the project', async () => {
  const visit = await stage.open({ conversationId: id, colorScheme: 'light' });
  const { page } = visit;
  const looks = row(page, 'looks');
  const head = looks.getByRole('button', { name: 'Read src/a.ts, src/b.ts, src/c.ts and 1 more' });
  await head.waitFor();
  expect(await row(page, 'reasoning').count()).toBe(0);
  await visit.shot('looks-1280-light');
  await head.click();
  await row(page, 'command')
    .getByRole('button', { name: /^Read docs\/d\.md/ })
    .click();
  await page.getByText("sed -n '1,80p' docs/d.md").waitFor();
  expect(await row(page, 'reasoning').count()).toBe(1);
  expectClean(visit);
});

test('[PG167] a change of many files is one card with its counts, its files in natural order, and all of them on one press', async () => {
  const visit = await stage.open({ conversationId: id });
  const { page } = visit;
  const card = row(page, 'diff').filter({ hasText: 'Changed 40 files' });
  const head = card.getByRole('button', { name: /Changed 40 files/ });
  expect(await head.innerText()).toMatch(/Changed 40 files\s*\+80\s*−40/);
  expect(await card.getByRole('button').count()).toBe(1);
  await head.click();
  const names = (await card.getByRole('button', { name: /^src\/file/ }).allInnerTexts()).map(
    (text) => text.split('\n')[0],
  );
  expect(names.slice(0, 3)).toEqual(['src/file1.ts', 'src/file2.ts', 'src/file3.ts']);
  expect(names).toHaveLength(40);
  await visit.shot('many-files-1280-dark');
  await card.getByRole('button', { name: 'Expand all' }).click();
  await card.getByText('old src/file40.ts').waitFor();
  await card.getByRole('button', { name: 'Fold all' }).click();
  expect(await card.getByText('old src/file40.ts').count()).toBe(0);
});

const gaps = `(() => {
  const heading = [...document.querySelectorAll('h3, h4, h5, h6')].find((one) => one.textContent === 'A heading');
  const box = (one) => one.getBoundingClientRect();
  return [box(heading).top - box(heading.previousElementSibling).bottom, box(heading.nextElementSibling).top - box(heading).bottom];
})()`;

test('[PG168] a heading is nearer to what follows it; a table scrolls on a phone instead of breaking words', async () => {
  const visit = await stage.open({ conversationId: id, colorScheme: 'light' });
  const { page } = visit;
  await row(page, 'assistant').getByText('A heading').waitFor();
  const [above = 0, below = 0] = await page.evaluate<number[]>(gaps);
  expect([above, below]).toEqual([24, 8]);
  await visit.shot('type-1280-light');
  await page.setViewportSize(PHONE);
  const heights = await page.evaluate<number[]>(
    `[...document.querySelectorAll('td code')].map((one) => one.getClientRects().length)`,
  );
  expect(heights).toEqual([1, 1]);
  const [inner = 0, outer = 0] = await page.evaluate<number[]>(
    `(() => { const box = document.querySelector('table').parentElement; return [box.scrollWidth, box.clientWidth]; })()`,
  );
  expect(inner).toBeGreaterThan(outer);
  expect(await sideways(page)).toEqual([]);
  await visit.shot('type-phone-light');
});

test('[PG169] a message of a person has a ground of its own', async () => {
  const { page } = await stage.open({ conversationId: id });
  const ground = (role: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('[data-role="${role}"] > div')).backgroundColor`);
  expect(await ground('user')).not.toBe(await ground('assistant'));
});

test('[PG170] side by side a long line is reached by scrolling, and the card uses the width there is', async () => {
  const visit = await stage.open({ conversationId: id, viewport: { width: 1900, height: 900 } });
  const { page } = visit;
  const card = row(page, 'diff').filter({ hasText: 'src/one.ts' });
  const narrow = (await card.boundingBox())?.width ?? 0;
  await card.getByRole('button', { name: 'Side by side' }).click();
  await card.getByRole('button', { name: 'Unified' }).waitFor();
  expect((await card.boundingBox())?.width ?? 0).toBeGreaterThan(narrow + 300);
  const [inner = 0, outer = 0] = await page.evaluate<number[]>(
    `(() => { const box = document.querySelector('[data-split]'); return [box.scrollWidth, box.clientWidth]; })()`,
  );
  expect(inner).toBeGreaterThan(outer);
  const added = (await card.getByText('new src/one.ts').boundingBox()) ?? { x: 0, width: 0 };
  const edge = ((await card.boundingBox())?.x ?? 0) + ((await card.boundingBox())?.width ?? 0);
  expect(added.x + 100).toBeLessThan(edge);
  await visit.shot('split-wide-dark');
  await page.evaluate(`document.querySelector('[data-split]').scrollLeft = 1e6`);
  const shift = () =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('[data-split] span:last-child')).textIndent`);
  await eventually(shift).toMatch(/^-[1-9]/);
  await visit.shot('split-wide-scrolled-dark');
  expectClean(visit);
});

test('[PG171] the column can be wide, and this browser remembers it', async () => {
  const visit = await stage.open({ conversationId: id, viewport: { width: 1900, height: 900 } });
  const { page } = visit;
  const width = async () => (await row(page, 'assistant').boundingBox())?.width ?? 0;
  const narrow = await width();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('wide');
  await page.keyboard.press('Enter');
  expect(await width()).toBeGreaterThan(narrow + 300);
  await visit.reload();
  await row(page, 'assistant').waitFor();
  expect(await width()).toBeGreaterThan(narrow + 300);
  await visit.shot('wide-column-dark');
  await page.setViewportSize({ width: 820, height: 1100 });
  expect(await sideways(page)).toEqual([]);
  await visit.shot('reading-820-dark');
  expect(await button(page, 'Send').isVisible()).toBe(true);
});
