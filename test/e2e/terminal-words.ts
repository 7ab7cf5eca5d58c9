/** The words in which tests of the terminal in the page are written. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually, row } from './stage.ts';

export const pane = (page: Page): Locator => page.getByRole('region', { name: 'Terminal', exact: true });
/** The mark beside a command; its name tells the command and its end. */
export const mark = (page: Page, name: RegExp | string): Locator =>
  pane(page).locator('[data-block]').getByRole('button', { name });
export const prompt = (page: Page): Locator => page.getByRole('textbox', { name: 'Shell command', exact: true });

/** What is on the screen, line by line, without the empty rest. */
export async function readScreen(page: Page): Promise<readonly string[]> {
  const lines = await pane(page)
    .locator('.xterm-rows > div')
    .evaluateAll((rows) => rows.map((row) => (row.textContent ?? '').replaceAll('\u00a0', ' ').trimEnd()));
  return lines.join('\n').trimEnd().split('\n');
}

/** Opened by its key, with the focus in it and the shell waiting. */
export async function openTerminal(page: Page): Promise<void> {
  await page.keyboard.press('Control+Backquote');
  await shellWaits(page);
}

export async function shellWaits(page: Page): Promise<void> {
  await eventually(async () => (await readScreen(page)).at(-1) ?? '').toMatch(/[$#%>] ?$/);
}

/** Typed as a person does, and ended with Enter. */
export async function typeLine(page: Page, line: string): Promise<void> {
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}

/** The command has run: its card in the transcript says how it ended, and the shell waits again. */
export async function runLine(page: Page, line: string, end = 'exit 0'): Promise<void> {
  const before = await row(page, 'shell_output').count();
  await typeLine(page, line);
  await row(page, 'shell_output').nth(before).getByText(end, { exact: true }).waitFor();
  await shellWaits(page);
}

export async function expectOnScreen(page: Page, line: string | RegExp): Promise<void> {
  await eventually(async () =>
    (await readScreen(page)).some((one) => (typeof line === 'string' ? one === line : line.test(one))),
  ).toBe(true);
  expect(await readScreen(page)).not.toEqual([]);
}
