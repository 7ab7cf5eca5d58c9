/** Two browsers: one that is open, and a new one that wants to log in. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { askForLogin } from '../../src/cli/login-link.ts';
import { button, composer, DESKTOP, expectClean, PHONE, setStage, sideways } from './stage.ts';

const stage = setStage();

async function newLink(): Promise<string> {
  const link = await askForLogin(stage.box.home);
  if (!link.ok) throw new Error(link.error.message);
  return link.value.url;
}

interface Newcomer {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly code: string;
}

/** A browser without a session that has opened a link and shows its code. */
async function arrive(browser: Browser, viewport = DESKTOP, colorScheme: 'light' | 'dark' = 'dark'): Promise<Newcomer> {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(await newLink());
  const code = await page.getByLabel('Code of this login').innerText();
  return { context, page, code };
}

const card = (page: Page) => page.getByRole('region', { name: 'A new browser wants to log in' });

test('[PG100][AG10] both show the same code; Allow lets the new browser in, with one session and no token left in its address', async () => {
  const open = await stage.open();
  const { page, code, context } = await arrive(stage.browser);
  expect(code).toMatch(/^\d{4}$/);
  await card(open.page).getByText(code, { exact: true }).waitFor();
  await expect.poll(() => open.page.title()).toContain('(1)');
  // A click that was meant for something else must not allow it: the button works a moment later.
  await card(open.page).getByRole('button', { name: 'Allow' }).click();
  await composer(page).waitFor();
  expect(page.url()).toBe(`${stage.box.url()}/`);
  await card(open.page).waitFor({ state: 'detached' });
  await page.reload();
  await composer(page).waitFor();
  expectClean(open);
  await context.close();
});

test('[PG100] Refuse: the new browser says so and what to do', async () => {
  const open = await stage.open();
  const { page, context } = await arrive(stage.browser);
  await card(open.page).getByRole('button', { name: 'Refuse' }).click();
  await page.getByRole('heading', { name: 'Not logged in' }).waitFor();
  await page.getByText('The other browser refused this login').waitFor();
  await page.getByText('signalbox open', { exact: true }).waitFor();
  await card(open.page).waitFor({ state: 'detached' });
  await context.close();
});

test('[PG100] a page that is opened or reloaded meanwhile shows the card too, and one answer serves all', async () => {
  const [first, second] = [await stage.open(), await stage.open()];
  const { page, code, context } = await arrive(stage.browser);
  await first.reload();
  for (const visit of [first, second]) await card(visit.page).getByText(code, { exact: true }).waitFor();
  await card(second.page).getByRole('button', { name: 'Refuse' }).click();
  for (const visit of [first, second]) await card(visit.page).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Not logged in' }).waitFor();
  await context.close();
});

test('[PG101] a reload of the browser that waits shows a new code, and the old one is gone from the card', async () => {
  const open = await stage.open();
  const { page, code, context } = await arrive(stage.browser);
  await page.reload();
  await expect.poll(() => page.getByLabel('Code of this login').innerText()).not.toBe(code);
  const next = await page.getByLabel('Code of this login').innerText();
  await card(open.page).getByText(next, { exact: true }).waitFor();
  expect(await card(open.page).count()).toBe(1);
  await card(open.page).getByRole('button', { name: 'Allow' }).click();
  await composer(page).waitFor();
  await context.close();
});

test('[PG101] a browser that is logged in and opens a link is not asked about', async () => {
  const open = await stage.open();
  const tab = await open.context.newPage();
  await tab.goto(await newLink());
  await composer(tab).waitFor();
  expect(tab.url()).toBe(`${stage.box.url()}/`);
  expect(await card(open.page).count()).toBe(0);
});

test.each([
  ['desktop', 'dark', DESKTOP],
  ['desktop', 'light', DESKTOP],
  ['phone', 'dark', PHONE],
  ['phone', 'light', PHONE],
] as const)(
  '[PG100][PG101] %s, %s: the card and the waiting page fit, and have what a person needs',
  async (name, colorScheme, viewport) => {
    const open = await stage.open({ viewport, colorScheme });
    const { page, code, context } = await arrive(stage.browser, viewport, colorScheme);
    await page.getByText(`signalbox logins allow ${code}`, { exact: true }).waitFor();
    await card(open.page).getByText('Allow it only if that browser is yours and shows this code.').waitFor();
    await button(open.page, 'Allow').waitFor();
    await expect.poll(() => button(open.page, 'Allow').isEnabled()).toBe(true);
    expect(await sideways(open.page)).toEqual([]);
    expect(await sideways(page)).toEqual([]);
    const shots = 'test-results/shots';
    await open.shot(`new-login-card-${name}-${colorScheme}`);
    await page.screenshot({ path: `${shots}/new-login-waiting-${name}-${colorScheme}.png` });
    await button(open.page, 'Refuse').click();
    await page.getByRole('heading', { name: 'Not logged in' }).waitFor();
    await page.screenshot({ path: `${shots}/new-login-refused-${name}-${colorScheme}.png` });
    await context.close();
  },
);
