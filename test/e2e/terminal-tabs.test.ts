/** Several terminals of a conversation as tabs. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { button, eventually, expectClean, PHONE, setStage, sideways } from './stage.ts';
import { expectOnScreen, mark, openTerminal, pane, runLine, shellWaits, typeLine } from './terminal-words.ts';

const stage = setStage({ env: { SHELL: '/bin/bash' } });

const tab = (page: Page, name: string | RegExp) => pane(page).getByRole('tab', { name });
const tabNames = (page: Page) => pane(page).getByRole('tab').allInnerTexts();
const focusTerminal = (page: Page) => pane(page).locator('textarea').focus();

test('[TM65] terminals are tabs: added, named by what runs, switched, the same after a reload, closed', async () => {
  const { visit, page } = await stage.fresh();
  await openTerminal(page);
  expect(await tabNames(page)).toEqual([]);
  await runLine(page, 'echo in-the-shared');
  await button(page, 'New terminal').click();
  await eventually(() => tabNames(page)).toEqual(['Shared', '2']);
  expect(await tab(page, '2').getAttribute('aria-selected')).toBe('true');
  await shellWaits(page);
  await focusTerminal(page);
  await typeLine(page, 'echo only-mine; read -r waits');
  await expectOnScreen(page, 'only-mine');
  await eventually(() => tabNames(page)).toEqual(['Shared', '2 echo only-mine; read -r waits']);
  await visit.shot('terminal-tabs');
  await tab(page, 'Shared').click();
  await expectOnScreen(page, 'in-the-shared');
  await tab(page, /^2/).click();
  await expectOnScreen(page, 'only-mine');
  await visit.reload();
  await eventually(() => tabNames(page)).toEqual(['Shared', '2 echo only-mine; read -r waits']);
  await expectOnScreen(page, 'only-mine');
  // Nothing of it is in the conversation.
  expect(await page.getByRole('region', { name: 'Transcript' }).innerText()).not.toContain('only-mine');
  await button(page, 'Close terminal 2 echo only-mine; read -r waits').click();
  const dialog = page.getByRole('dialog', { name: 'Close terminal 2?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await tab(page, /^2/).count()).toBe(1);
  await focusTerminal(page);
  await typeLine(page, 'x');
  await eventually(() => tabNames(page)).toEqual(['Shared', '2']);
  await tab(page, '2').focus();
  await page.keyboard.press('ArrowLeft');
  await eventually(() => tab(page, 'Shared').getAttribute('aria-selected')).toBe('true');
  await button(page, 'Close terminal 2').click();
  await eventually(() => tabNames(page)).toEqual([]);
  await expectOnScreen(page, 'in-the-shared');
  expect(visit.problems.page).toEqual([]);
});

test('[TM65] a command of an own terminal is run again there, and asked about from there', async () => {
  const { id, visit, page } = await stage.fresh();
  await openTerminal(page);
  await button(page, 'New terminal').click();
  await eventually(() => tabNames(page)).toEqual(['Shared', '2']);
  await shellWaits(page);
  await focusTerminal(page);
  await typeLine(page, 'echo once-$((1+1))');
  await mark(page, /echo once.*exit 0/).waitFor();
  await mark(page, /echo once/).click();
  await page.getByRole('menuitem', { name: 'Run again' }).click();
  await eventually(async () => (await stage.box.must('terminalBlocks', { id: `${id}~2` })).blocks.length).toBe(2);
  expect((await stage.box.must('terminalBlocks', { id })).blocks).toEqual([]);
  await mark(page, /echo once/)
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Ask about this' }).click();
  await page.getByRole('list', { name: 'Asked about' }).getByText('echo once').waitFor();
  await visit.shot('terminal-tabs-asked');
  expectClean(visit);
});

test('[TM65] tabs fit a phone, and axe finds nothing serious', async () => {
  const { visit, page } = await stage.fresh({}, { viewport: PHONE, isTouch: true });
  await openTerminal(page);
  for (const count of [2, 3]) {
    await button(page, 'New terminal').click();
    await eventually(async () => (await tabNames(page)).length).toBe(count);
  }
  await shellWaits(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await visit.shot('terminal-tabs-phone');
  expect(await sideways(page)).toEqual([]);
  const sizes = await pane(page)
    .getByRole('tab')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
  await page.evaluate(axe.source);
  const found = await page.evaluate<{ id: string; impact: string }[]>(
    'axe.run("[data-terminal]", { runOnly: ["wcag2a", "wcag2aa"] }).then((r) => r.violations)',
  );
  expect(found.filter(({ impact }) => impact === 'serious' || impact === 'critical').map((one) => one.id)).toEqual([]);
  expectClean(visit);
});
