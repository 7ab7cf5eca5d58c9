/** Schedules on the page: made with words and a preview, run, paused, removed with a way back; wide and on a phone. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { button, eventually, expectClean, PHONE, row, setStage, sideways, transcript } from './stage.ts';

const stage = setStage();
const drawer = (page: Page) => page.getByRole('region', { name: 'Drawer' });
const list = (page: Page) => drawer(page).getByRole('list', { name: 'Schedules' });

async function openPanel(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('open schedules');
  await page.keyboard.press('Enter');
  await drawer(page).getByRole('button', { name: 'New schedule' }).waitFor();
}

async function fillForm(page: Page, message: string, when: string): Promise<void> {
  await drawer(page).getByRole('button', { name: 'New schedule' }).click();
  await page.getByRole('textbox', { name: 'Message', exact: true }).last().fill(message);
  await page.getByRole('textbox', { name: 'When' }).fill(when);
}

test('[SC11] words say what they mean before they are scheduled; a run by hand reaches the conversation', async () => {
  const { visit, page } = await stage.fresh({ label: 'with a plan' });
  await openPanel(page);
  await fillForm(page, 'What changed since yesterday?', 'every blue moon');
  await drawer(page)
    .getByText(/not understood/)
    .waitFor();
  expect(await button(page, 'Schedule it').isDisabled()).toBe(true);
  await page.getByRole('textbox', { name: 'When' }).fill('every weekday at 9:00');
  await drawer(page)
    .getByText(/^Next: /)
    .waitFor();
  await visit.shot('schedules-form');
  await button(page, 'Schedule it').click();
  await eventually(() => list(page).getByRole('listitem').innerText()).toMatch(
    /What changed since yesterday\?[\s\S]*Next /,
  );
  await button(page, 'Send now: What changed since yesterday?').click();
  await row(page, 'user').getByText('What changed since yesterday?').waitFor();
  await eventually(() => list(page).innerText()).toContain('1 run');
  await visit.shot('schedules-list');
  await button(page, 'Pause: What changed since yesterday?').click();
  await eventually(() => list(page).innerText()).toContain('Paused');
  await button(page, 'Resume: What changed since yesterday?').click();
  await eventually(() => list(page).innerText()).toContain('Next ');
  await button(page, 'Remove: What changed since yesterday?').click();
  await eventually(() => list(page).getByRole('listitem').count()).toBe(0);
  await button(page, 'Undo').click();
  await eventually(() => list(page).getByRole('listitem').count()).toBe(1);
  await transcript(page).waitFor();
  expectClean(visit);
});

test('[SC11] what another page or the command line changes shows at once, also on a phone and without a conversation', async () => {
  const visit = await stage.open({ viewport: PHONE, isTouch: true, colorScheme: 'light' });
  const { page } = visit;
  await page.evaluate(
    `localStorage.setItem('signalbox.device', JSON.stringify({ ...JSON.parse(localStorage.getItem('signalbox.device') ?? '{}'), drawer: 'schedules' }))`,
  );
  await visit.reload();
  await drawer(page).getByRole('button', { name: 'New schedule' }).waitFor();
  const { schedule } = await stage.box.must('addSchedule', {
    name: 'Nightly <b>look</b>',
    text: 'look',
    target: { kind: 'directory', cwd: stage.box.project },
    when: { kind: 'words', words: 'every day at 3:00', time_zone: 'UTC' },
  });
  await list(page).getByText('Nightly <b>look</b>').waitFor();
  expect(await sideways(page)).toEqual([]);
  await visit.shot('schedules-phone');
  await drawer(page).getByRole('button', { name: 'New schedule' }).tap();
  await visit.shot('schedules-phone-form');
  expect(await sideways(page)).toEqual([]);
  await stage.box.must('removeSchedule', { schedule_id: schedule.schedule_id });
  await eventually(() => list(page).getByText('Nightly').count()).toBe(0);
  expectClean(visit);
});
