/** Reading a change: side by side or unified, word by word, and comments on its lines that go into the message. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import {
  begin,
  button,
  composer,
  eventually,
  expectClean,
  PHONE,
  row,
  setStage,
  sideways,
  turnsDone,
} from './stage.ts';

const stage = setStage();
beforeAll(async () => {
  const lines = Array.from({ length: 12 }, (_none, at) => `export const value${at} = ${at};`);
  // A repository of its own: Codex names changed files from the top of theirs.
  await promisify(execFile)('git', ['init', '--quiet', stage.box.project]);
  await writeFile(join(stage.box.project, 'values.ts'), `${lines.join('\n')}\n`);
});

async function change(to: string, from = 'export const value5 = 5;') {
  const input = `*** Begin Patch\n*** Update File: values.ts\n@@\n export const value4 = 4;\n-${from}\n+${to}\n export const value6 = 6;\n*** End Patch\n`;
  const begun = await begin(stage, { approval: 'never' }, [{ custom: 'apply_patch', input }], [{ say: 'changed' }]);
  await turnsDone(begun.page);
  await row(begun.page, 'diff').getByRole('region', { name: 'values.ts' }).waitFor();
  return begun;
}

test('[PG45] side by side, with what changed within a line marked; the choice is remembered', async () => {
  const { visit, page } = await change('export const value5 = 55;');
  const diff = row(page, 'diff');
  expect(await diff.locator('mark').allInnerTexts()).toEqual(['5']);
  await diff.getByRole('button', { name: 'Side by side' }).click();
  await diff.getByRole('button', { name: 'Unified' }).waitFor();
  const [left, right] = await Promise.all(
    ['= 5;', '= 55;'].map((text) => diff.getByText(`export const value5 ${text}`).boundingBox()),
  );
  expect(left?.y).toBe(right?.y);
  expect(right?.x ?? 0).toBeGreaterThan((left?.x ?? 0) + 100);
  await visit.shot('diff-split');
  await visit.reload();
  await row(page, 'diff').getByRole('button', { name: 'Unified' }).waitFor();
  await page.setViewportSize(PHONE);
  // No room for two columns there.
  await eventually(() => row(page, 'diff').getByRole('button', { name: 'Unified' }).count()).toBe(0);
  expect(await sideways(page)).toEqual([]);
  await visit.shot('diff-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  await row(page, 'diff').getByRole('button', { name: 'Unified' }).click();
  expectClean(visit);
});

test('[PG46] a comment on a line, by mouse or by keyboard, becomes a quotation in the message', async () => {
  const { visit, page } = await change('export const value5 = 6;', 'export const value5 = 55;');
  const diff = row(page, 'diff');
  // The line that was taken away and the one that came have the same number.
  const comment = diff.getByRole('button', { name: 'Comment on line 6' }).nth(1);
  await diff.getByText('export const value5 = 6;').hover();
  await comment.click();
  await eventually(() => composer(page).inputValue()).toMatch(/^> values\.ts:\d+\n> `export const value5 = 6;`\n\n$/);
  await page.keyboard.type('why six?');
  await visit.shot('diff-comment');
  await composer(page).fill('');
  await diff.getByRole('region', { name: 'values.ts' }).focus();
  await page.keyboard.press('Tab');
  const isThere = () =>
    page.evaluate<boolean>(`document.activeElement.getAttribute('aria-label') === 'Comment on line 6'`);
  for (let presses = 0; presses < 8 && !(await isThere()); presses += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await eventually(() => composer(page).inputValue()).toBe('> values.ts:6\n> `export const value5 = 55;`\n\n');
  expect(await page.evaluate('document.activeElement?.id')).toBe('composer');
  await page.keyboard.type('and this?');
  await button(page, 'Send').click();
  await row(page, 'user').nth(1).getByText('and this?').waitFor();
  await turnsDone(page, 2);
  expectClean(visit);
});
