/** The Changes panel: groups, differences, stage, unstage and discard with mouse and keys, live, comparisons, on a phone and in both themes. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { button, eventually, expectClean, PHONE, setStage, sideways } from './stage.ts';

const stage = setStage();

const numbered = (count: number, change: (line: number) => string | null = () => null) =>
  Array.from({ length: count }, (_, at) => change(at + 1) ?? `export const line${at + 1} = ${at + 1};`).join('\n') +
  '\n';

let count = 0;
/** A repository with staged, changed, new and deleted files; `src/long.ts` has two hunks. */
function makeRepository() {
  count += 1;
  const root = join(stage.box.dir, `panel-${count}`);
  const env = { ...process.env, HOME: stage.box.dir };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: root, env }).toString();
  write('src/long.ts', numbered(60));
  write('src/parser.ts', 'export const depth = 1;\n');
  write('notes.md', 'old notes\n');
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  git('checkout', '-q', '-b', 'fix/parser');
  write('src/parser.ts', 'export const depth = 3;\n');
  git('add', '-A');
  write(
    'src/long.ts',
    numbered(60, (line) => (line === 5 || line === 50 ? `export const line${line} = 'new';` : null)),
  );
  rmSync(join(root, 'notes.md'));
  write('docs/fresh.md', '# Fresh\n');
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null);
  return { root, git, write, read, status: () => git('status', '--porcelain').trimEnd().split('\n').filter(Boolean) };
}

const panel = (page: Page) => page.getByRole('region', { name: 'Drawer' });
const group = (page: Page, name: string) => panel(page).getByRole('region', { name: new RegExp(`^${name}, `) });
const groups = (page: Page) => panel(page).locator('section[aria-label] h3').allInnerTexts();

async function openPanel() {
  const repository = makeRepository();
  const begun = await stage.fresh({ cwd: repository.root });
  await begun.page.getByRole('button', { name: 'Changes', exact: true }).first().click();
  await group(begun.page, 'Changes').waitFor();
  return { ...repository, ...begun };
}

test('[CH120] [CH121] the panel shows branch, groups and differences, wide and on a phone, light and dark', async () => {
  const { visit, page } = await openPanel();
  expect(await groups(page)).toEqual(['Staged 1', 'Changes 2', 'New files 1']);
  expect(await panel(page).getByText('fix/parser').count()).toBe(1);
  await group(page, 'Changes')
    .getByRole('button', { name: /src\/long\.ts/, expanded: false })
    .click();
  await group(page, 'Changes').getByText('Part 2 of 2').waitFor();
  await visit.shot('changes-panel-1280');
  await page.setViewportSize({ width: 1600, height: 900 });
  await visit.shot('changes-panel-1600');
  await page.emulateMedia({ colorScheme: 'light' });
  await visit.shot('changes-panel-1600-light');
  await page.setViewportSize({ width: 820, height: 900 });
  await visit.shot('changes-panel-820-light');
  await group(page, 'Changes').getByRole('button', { name: 'Comment on line 5' }).first().click({ force: true });
  await eventually(() => page.locator('#composer').inputValue()).toContain('> src/long.ts:5');
  expectClean(visit);
});

test('[CH126] on a phone the panel scrolls in one direction and its buttons are large enough', async () => {
  const { visit, page } = await openPanel();
  await page.setViewportSize(PHONE);
  await group(page, 'Changes')
    .getByRole('button', { name: /src\/long\.ts/, expanded: false })
    .click();
  await group(page, 'Changes').getByText('Part 2 of 2').waitFor();
  expect(await sideways(page)).toEqual([]);
  const heights = await panel(page)
    .locator('[data-act]')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  await visit.shot('changes-panel-390');
  await page.emulateMedia({ colorScheme: 'light' });
  await visit.shot('changes-panel-390-light');
  expectClean(visit);
});

test('[CH121] [CH123] a hunk is staged, another discarded, the discard undone', async () => {
  const { page, status, git, read } = await openPanel();
  const changed = read('src/long.ts');
  await group(page, 'Changes')
    .getByRole('button', { name: /src\/long\.ts/, expanded: false })
    .click();
  await button(page, 'Stage part 1 of src/long.ts').click();
  await eventually(async () => status()).toContain('MM src/long.ts');
  expect(git('diff', '--cached', '--', 'src/long.ts')).toContain("+export const line5 = 'new';");
  expect(git('diff', '--cached', '--', 'src/long.ts')).not.toContain('line50 =');
  await group(page, 'Changes').getByText('Part 1 of 1').waitFor();
  await button(page, 'Discard part 1 of src/long.ts').click();
  await eventually(async () => status()).toContain('M  src/long.ts');
  await panel(page)
    .getByText(/^Changes were discarded at/)
    .waitFor();
  await button(page, 'Undo').click();
  await eventually(async () => read('src/long.ts')).toBe(changed);
  await eventually(() =>
    panel(page)
      .getByText(/^Changes were discarded at/)
      .count(),
  ).toBe(0);
});

test('[CH122] by keyboard alone: from file to file, stage, unstage, discard', async () => {
  const { page, status } = await openPanel();
  const focused = () =>
    page.evaluate<string | null>(
      `document.activeElement?.closest('[data-changed-file]')?.getAttribute('data-changed-file') ?? null`,
    );
  await group(page, 'Staged')
    .getByRole('button', { name: /src\/parser\.ts/, expanded: false })
    .focus();
  await page.keyboard.press('ArrowDown');
  await eventually(focused).toBe('unstaged:notes.md');
  await page.keyboard.press('s');
  await eventually(async () => status()).toContain('D  notes.md');
  await eventually(() => groups(page)).toEqual(['Staged 2', 'Changes 1', 'New files 1']);
  await eventually(focused).toMatch(/^(un)?staged:/);
  await group(page, 'Staged')
    .getByRole('button', { name: /notes\.md/, expanded: false })
    .focus();
  await page.keyboard.press('u');
  await eventually(async () => status()).toContain(' D notes.md');
  await eventually(() => groups(page)).toEqual(['Staged 1', 'Changes 2', 'New files 1']);
  await group(page, 'New files')
    .getByRole('button', { name: /fresh\.md/, expanded: false })
    .focus();
  await page.keyboard.press('d');
  await eventually(async () => status().some((line) => line.includes('docs/'))).toBe(false);
  await button(page, 'Undo').waitFor();
});

test('[CH124] [CH112] a change made in an editor and a commit in a terminal show without a reload', async () => {
  const { page, write, git } = await openPanel();
  write('src/other.ts', 'export {};\n');
  await eventually(() => groups(page)).toEqual(['Staged 1', 'Changes 2', 'New files 2']);
  git('add', '-A');
  git('commit', '-q', '-m', 'all');
  await panel(page).getByText('No changes: the files are as in the last commit.').waitFor();
});

test('[CH125] the files are compared with the last commit and with the base branch', async () => {
  const { page, git } = await openPanel();
  git('commit', '-q', '-m', 'parser');
  const select = panel(page).getByLabel('Compare');
  await select.selectOption('head');
  await panel(page)
    .getByRole('button', { name: /src\/long\.ts/ })
    .first()
    .waitFor();
  await eventually(() =>
    panel(page)
      .getByRole('button', { name: /src\/parser\.ts/ })
      .count(),
  ).toBe(0);
  await select.selectOption('base');
  await panel(page)
    .getByRole('button', { name: /src\/parser\.ts/ })
    .first()
    .waitFor();
});

test('[CH126] outside a repository the panel says why there is nothing', async () => {
  const { page } = await stage.fresh();
  await page.getByRole('button', { name: 'Changes', exact: true }).first().click();
  await panel(page)
    .getByText(/^There are no changes to show/)
    .waitFor();
});

test('[CH121] forty files and a difference of 20,000 lines open quickly', async () => {
  const { page, write, visit } = await openPanel();
  for (let at = 0; at < 40; at += 1) write(`many/file-${at}.ts`, numbered(10));
  write('many/huge.ts', numbered(20_000));
  await eventually(() => groups(page)).toContain('New files 42');
  const at = performance.now();
  await group(page, 'New files')
    .getByRole('button', { name: /huge\.ts/, expanded: false })
    .click();
  await panel(page).getByText('line19 = 19').first().waitFor();
  const tookMs = performance.now() - at;
  // Far above what a quiet machine needs, far below what laying out 20,000 rows takes.
  expect(tookMs).toBeLessThan(8_000);
  const rows = await panel(page).locator('[data-comment]').count();
  expect(rows).toBeLessThan(500);
  await visit.shot('changes-panel-many');
});
