/** The first run: the demo model, the three things to try, and signing in, with the real Codex and a sign-in service on this machine. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Visit } from '../../src/testing/browser.ts';
import { type LoginIssuer, startLoginIssuer } from './login-issuer.ts';
import { button, composer, dock, eventually, expectClean, PHONE, row, setStage, sideways, turnsDone } from './stage.ts';

let issuer: LoginIssuer;
// What is said first is done last.
afterAll(() => issuer.close());
const stage = setStage(async () => {
  issuer = await startLoginIssuer();
  return {
    isDemo: true,
    env: {
      OPENAI_API_KEY: '',
      CODEX_API_KEY: '',
      CODEX_APP_SERVER_LOGIN_ISSUER: issuer.url,
      CODEX_APP_SERVER_CHATGPT_BASE_URL: `${issuer.url}/backend-api/`,
    },
  };
});

const account = () => stage.box.must('account', {});
const settled = (demo: boolean) =>
  expect.poll(account, { timeout: 20_000 }).toMatchObject({ demo, restart_pending: false });
beforeEach(async () => {
  issuer.answer('wait');
  if ((await account()).signed_in) await stage.box.must('accountLogout', {});
  await settled(true);
});

/** Codex is started again in between: a question asked just then is refused, and asked again. */
function expectCleanButForRestarts(visit: Visit): void {
  const console = visit.problems.console.filter((line) => !line.includes('503 (Service Unavailable)'));
  expectClean({ ...visit, problems: { ...visit.problems, console } });
}

const panel = (page: Page) => page.getByRole('region', { name: 'Account' });
async function signOutAndBack(page: Page): Promise<void> {
  await button(page, 'Settings').click();
  await button(page, 'Sign out').click();
  await page.keyboard.press('Escape');
  await panel(page).getByText('Demo model, not an AI').waitFor({ timeout: 20_000 });
}

test('[PG54] an empty page says what this is, who answers, and three things to try that work with the demo model', async () => {
  const visit = await stage.open();
  const { page } = visit;
  await panel(page).getByText('Demo model, not an AI').waitFor();
  await eventually(() => page.getByRole('combobox', { name: 'Start in' }).inputValue()).toBe(stage.box.project);
  await visit.shot('first-run');
  await page.setViewportSize(PHONE);
  expect(await sideways(page)).toEqual([]);
  await visit.shot('first-run-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  const tries = page.getByRole('list', { name: 'Try one of these' }).getByRole('button');
  expect(await tries.count()).toBe(3);
  for (const [at, see] of [
    [0, () => row(page, 'command').first().waitFor()],
    [1, () => row(page, 'diff').first().waitFor()],
    [2, () => dock(page).waitFor()],
  ] as const) {
    await button(page, 'New conversation').click();
    await tries.nth(at).click();
    expect(await composer(page).inputValue()).not.toBe('');
    await composer(page).press('Enter');
    await see();
    // The second may ask as well; what matters is that it shows.
    if ((await dock(page).count()) > 0) await dock(page).getByRole('button', { name: 'Allow once' }).click();
    await turnsDone(page);
  }
  await page.getByRole('button', { name: /Demo model, not an AI/ }).waitFor();
  expectClean(visit);
});

test('[PG41] sign in with ChatGPT: the code waits, can be given up, fails with a reason, and comes through', async () => {
  const visit = await stage.open();
  const { page } = visit;
  await panel(page).getByRole('button', { name: 'Sign in with ChatGPT' }).click();
  await panel(page).getByText('ABCD-12345').waitFor();
  expect(await panel(page).getByRole('link').count()).toBe(0);
  await panel(page).getByText(`${issuer.url}/codex/device`).waitFor();
  await visit.shot('sign-in-code');
  await visit.reload();
  await panel(page).getByText('ABCD-12345').waitFor();
  await panel(page).getByRole('button', { name: 'Give up' }).click();
  await panel(page).getByRole('button', { name: 'Sign in with ChatGPT' }).click();
  await panel(page).getByText('ABCD-12345').waitFor();
  issuer.answer('no');
  await panel(page)
    .getByRole('alert')
    .getByText(/That sign-in did not go through: .+\. Nothing has changed; try again\./)
    .waitFor();
  await visit.shot('sign-in-failed');
  issuer.answer('yes');
  await panel(page).getByRole('button', { name: 'Sign in with ChatGPT' }).click();
  await page.getByText('Codex is signed in.').waitFor({ timeout: 20_000 });
  await settled(false);
  await signOutAndBack(page);
  expectCleanButForRestarts(visit);
});

test('[PG41] sign in with a key: what is no key is said before it is sent; the field forgets it', async () => {
  const visit = await stage.open();
  const { page } = visit;
  await panel(page).getByRole('button', { name: 'Use an API key' }).click();
  const field = page.getByLabel('OpenAI API key');
  await field.fill('short');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('This does not look like an API key').waitFor();
  expect(await field.inputValue()).toBe('short');
  await visit.shot('sign-in-key');
  await field.fill('sk-test-0123456789abcdef');
  await page.keyboard.press('Enter');
  await page.getByText('Signed in with an API key').waitFor({ timeout: 20_000 });
  await settled(false);
  expect(await page.content()).not.toContain('sk-test-0123456789abcdef');
  await signOutAndBack(page);
  expectCleanButForRestarts(visit);
});

test('[PG41] a login made elsewhere shows at once, without a reload', async () => {
  const visit = await stage.open();
  await panel(visit.page).getByText('Demo model, not an AI').waitFor();
  await writeFile(
    join(stage.box.codexHome, 'auth.json'),
    JSON.stringify({ OPENAI_API_KEY: 'sk-elsewhere-0123456789' }),
    {
      mode: 0o600,
    },
  );
  await visit.page.getByText('Signed in with an API key').waitFor({ timeout: 20_000 });
  await eventually(() => panel(visit.page).count()).toBe(0);
});
