/** The second confirmation in the page, and the tokens and the password in its settings. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { button, eventually, expectClean, PHONE, setStage } from './stage.ts';

const stage = setStage();
const dialog = (page: Page) => page.getByRole('alertdialog');
const approvalOf = async (id: string) => (await stage.box.must('readConversation', { id })).conversation.approval;

async function choose(page: Page, words: string): Promise<void> {
  await page
    .getByRole('button', { name: /^Approvals and sandbox/ })
    .first()
    .click();
  await page.getByRole('menuitemradio', { name: new RegExp(words) }).click();
}

test('[AT11] Never ask says what it means; Escape and Cancel, which has the focus, change nothing', async () => {
  const { id, visit, page } = await stage.fresh();
  await choose(page, 'Never ask');
  await dialog(page).getByText('without asking you first').waitFor();
  expect(await page.evaluate('document.activeElement?.textContent')).toBe('Cancel');
  await visit.shot('confirm-never');
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await choose(page, 'Never ask');
  await dialog(page).waitFor();
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  expect(await approvalOf(id)).toBe('on-request');
  await choose(page, 'Never ask');
  await dialog(page).getByRole('button', { name: 'Never ask' }).click();
  await eventually(() => approvalOf(id)).toBe('never');
  await choose(page, 'No sandbox');
  await dialog(page).getByText('with all your rights').waitFor();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  expectClean(visit);
});

test('[AT11] settings: a token is made, copied, listed and revoked; with a password it asks for it', async () => {
  const visit = await stage.open({ viewport: PHONE, isTouch: true, colorScheme: 'light' });
  const { page } = visit;
  await button(page, 'Show conversations').click();
  await button(page, 'Settings').click();
  await page.getByLabel('New password, at least 8 characters').fill('correct horse');
  await button(page, 'Set a password').click();
  await page.getByText('A password is set.').waitFor();
  await button(page, 'Create a token').click();
  await page.getByLabel('What it is for').fill('nightly build');
  await page.getByLabel('Run commands').check();
  await visit.shot('tokens-form');
  await button(page, 'Create a token').click();
  await dialog(page).getByText('any command as you').waitFor();
  await dialog(page).getByLabel('Your Signalbox password').fill('wrong one');
  await dialog(page).getByRole('button', { name: 'Create the token' }).click();
  await dialog(page).getByText('That is not the password.').waitFor();
  await visit.shot('confirm-password');
  await dialog(page).getByLabel('Your Signalbox password').fill('correct horse');
  await dialog(page).getByRole('button', { name: 'Create the token' }).click();
  await page.getByText('it is not shown again').waitFor();
  const secret = await page.locator('code', { hasText: 'sbx_' }).innerText();
  await visit.shot('tokens-made');
  const headers = { authorization: `Bearer ${secret}` };
  expect((await fetch(`${stage.box.url()}/api/session`, { headers })).status).toBe(200);
  await button(page, 'Done').click();
  await visit.shot('tokens-list');
  await button(page, 'Revoke nightly build').click();
  await page.getByText('No tokens.').waitFor();
  expect((await fetch(`${stage.box.url()}/api/session`, { headers })).status).toBe(401);
  await page.getByLabel('Current password').fill('correct horse');
  await button(page, 'Remove').click();
  await page.getByText('The password is removed.').waitFor();
  expectClean(visit);
});
