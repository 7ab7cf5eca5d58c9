/** What a turn did to the files, in the page: the row of the turn, its differences, undo with its questions, restore. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ModelEvent } from '../../src/demo/model-event.ts';
import {
  begin,
  button,
  eventually,
  expectClean,
  PHONE,
  row,
  setStage,
  sideways,
  transcript,
  turnsDone,
} from './stage.ts';

const stage = setStage();

let count = 0;
/** A repository with one commit. */
function makeRepository() {
  count += 1;
  const root = join(stage.box.dir, `repo-${count}`);
  mkdirSync(join(root, 'src'), { recursive: true });
  const env = { ...process.env, HOME: stage.box.dir };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: root, env }).toString();
  git('init', '-q', '-b', 'main');
  writeFileSync(join(root, 'src/parser.ts'), 'export const depth = 1;\nexport const width = 2;\n');
  writeFileSync(join(root, 'notes.md'), 'old notes\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null);
  return { root, git, read, write: (path: string, text: string) => writeFileSync(join(root, path), text) };
}

const command = (cmd: string): ModelEvent => ({
  call: 'exec_command',
  args: { cmd, login: false, yield_time_ms: 5_000 },
});
/** The scripted model answers at once, so the command waits for the snapshot as it would wait for a real model. */
const EDIT =
  "sleep 1; printf 'export const depth = 3;\\nexport const width = 2;\\n' > src/parser.ts; rm notes.md; printf 'new\\n' > fresh.txt";
const BEFORE = { parser: 'export const depth = 1;\nexport const width = 2;\n', notes: 'old notes\n', fresh: null };
const AFTER = { parser: 'export const depth = 3;\nexport const width = 2;\n', notes: null, fresh: 'new\n' };

/** A turn whose command changed three files, on a page. */
async function changed() {
  const repository = makeRepository();
  const begun = await begin(
    stage,
    { cwd: repository.root, approval: 'never', sandbox: 'danger-full-access' },
    [command(EDIT)],
    [{ say: 'done' }],
  );
  await turnsDone(begun.page);
  await changesRow(begun.page).waitFor();
  const { read } = repository;
  const files = () => ({ parser: read('src/parser.ts'), notes: read('notes.md'), fresh: read('fresh.txt') });
  return { ...repository, ...begun, files };
}

const changesRow = (page: Page) => row(page, 'status').locator('[data-changes]');
const head = (page: Page) => changesRow(page).getByRole('button', { name: /^Changed / });

test('[CH40] [CH45] a turn says what its command changed, also after a reload, and opens the differences', async () => {
  const { visit, page } = await changed();
  const words = async () => (await head(page).innerText()).replaceAll(/\s+/g, ' ');
  await eventually(words).toBe('Changed 3 files +2 −2');
  await head(page).click();
  const region = changesRow(page).getByRole('region', { name: 'src/parser.ts' });
  await region.waitFor();
  expect(await changesRow(page).locator('mark').allInnerTexts()).toEqual(['1', '3']);
  await visit.shot('changes-row-1280');
  await page.setViewportSize({ width: 1600, height: 900 });
  await visit.shot('changes-row-1600');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 820, height: 900 });
  await visit.shot('changes-row-820-light');
  await page.setViewportSize(PHONE);
  expect(await sideways(page)).toEqual([]);
  await visit.shot('changes-row-390-light');
  await visit.reload();
  await eventually(words).toBe('Changed 3 files +2 −2');
  expectClean(visit);
});

test('[CH42] one press undoes the changes of a turn and says so; one press undoes the undo', async () => {
  const { visit, page, files } = await changed();
  expect(files()).toEqual(AFTER);
  await changesRow(page).getByRole('button', { name: 'Undo these changes' }).focus();
  await page.keyboard.press('Enter');
  await changesRow(page).getByRole('button', { name: 'Undo the undo' }).waitFor();
  expect(files()).toEqual(BEFORE);
  expect(await changesRow(page).innerText()).toContain('undone');
  await visit.shot('changes-undone');
  await visit.reload();
  await changesRow(page).getByRole('button', { name: 'Undo the undo' }).click();
  await changesRow(page).getByRole('button', { name: 'Undo these changes' }).waitFor();
  expect(files()).toEqual(AFTER);
  expectClean(visit);
});

test('[CH41] a file that changed since is asked about, and nothing is written before the choice', async () => {
  const { visit, page, files, write, root } = await changed();
  write('src/parser.ts', 'mine\n');
  await changesRow(page).getByRole('button', { name: 'Undo these changes' }).click();
  const question = changesRow(page).getByRole('region', { name: /changed after this turn/ });
  await question.getByRole('group', { name: 'src/parser.ts' }).waitFor();
  expect(await page.evaluate('document.activeElement?.getAttribute("aria-label")')).toMatch(/changed after this turn/);
  expect(await question.getByRole('button', { name: 'Undo with these choices' }).isDisabled()).toBe(true);
  expect(files()).toEqual({ ...AFTER, parser: 'mine\n' });
  await visit.shot('changes-conflict');
  await page.setViewportSize(PHONE);
  expect(await sideways(page)).toEqual([]);
  await visit.shot('changes-conflict-390');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(files()).toEqual({ ...AFTER, parser: 'mine\n' });
  await changesRow(page).getByRole('button', { name: 'Undo these changes' }).click();
  await question.getByRole('radio', { name: 'Keep it, and write the older content beside it' }).check();
  await question.getByRole('button', { name: 'Undo with these choices' }).click();
  await changesRow(page).getByRole('button', { name: 'Undo the undo' }).waitFor();
  expect(files()).toEqual({ ...BEFORE, parser: 'mine\n' });
  const beside = execFileSync('ls', [join(root, 'src')])
    .toString()
    .split('\n')
    .find((name) => name.includes('before-'));
  expect(readFileSync(join(root, 'src', beside ?? ''), 'utf8')).toBe(BEFORE.parser);
  expectClean(visit);
});

test('[CH43] everything is restored to a turn after a yes, and the restore is undone in one press', async () => {
  const { visit, page, files, write } = await changed();
  write('src/parser.ts', 'later\n');
  await head(page).click();
  await changesRow(page).getByRole('button', { name: 'Restore everything to here' }).click();
  const question = changesRow(page).getByRole('region', { name: /^1 file gets the content from after this turn/ });
  await question.getByText('src/parser.ts').waitFor();
  expect(files().parser).toBe('later\n');
  await visit.shot('changes-restore');
  await question.getByRole('button', { name: 'Restore', exact: true }).click();
  await changesRow(page).getByRole('button', { name: 'Undo the restore' }).waitFor();
  expect(files()).toEqual(AFTER);
  await changesRow(page).getByRole('button', { name: 'Undo the restore' }).click();
  await changesRow(page).getByRole('button', { name: 'Undo these changes' }).waitFor();
  expect(files().parser).toBe('later\n');
  expectClean(visit);
});

test('[CH44] outside a repository the page says once, after the first change, that changes cannot be undone', async () => {
  const input = '*** Begin Patch\n*** Add File: plain.txt\n+one\n*** End Patch\n';
  const { visit, page } = await begin(
    stage,
    { approval: 'never' },
    [{ custom: 'apply_patch', input }],
    [{ say: 'ok' }],
  );
  await turnsDone(page);
  await transcript(page)
    .getByText(/^Changes here cannot be undone: .*Everything else works\.$/)
    .waitFor();
  expect(await changesRow(page).count()).toBe(0);
  await visit.shot('changes-none');
  await button(page, 'Send').waitFor();
  expectClean(visit);
});
