/** `!` and shell mode: commands from the composer run in the shared terminal. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page, Response, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { twoFrames } from '../../src/testing/browser.ts';
import { button, composer, eventually, expectClean, PHONE, row, say, setStage, sideways } from './stage.ts';
import { expectOnScreen, mark, openTerminal, pane, prompt, runLine } from './terminal-words.ts';

const stage = setStage({ env: { SHELL: '/bin/bash' } });
beforeAll(async () => {
  await mkdir(join(stage.box.project, 'lib'));
  await writeFile(join(stage.box.project, 'README.md'), 'readme-text\n');
  await writeFile(join(stage.box.project, 'lib', 'alpha.txt'), 'a\n');
  await writeFile(join(stage.box.project, 'lib', 'alps.txt'), 'b\n');
});

test('[TP13] [PG321] `!` runs in the shared terminal, and shows there and as an open card', async () => {
  const { visit, page } = await stage.fresh();
  await say(page, '!echo from-the-composer');
  await row(page, 'shell_output').getByText('from-the-composer', { exact: true }).waitFor();
  await row(page, 'shell_output').getByText('exit 0').waitFor();
  await openTerminal(page);
  await expectOnScreen(page, 'from-the-composer');
  await mark(page, /echo from-the-composer: exit 0/).waitFor();
  await visit.reload();
  await eventually(() => row(page, 'shell_output').locator('button[aria-expanded="false"]').count()).toBe(1);
  expectClean(visit);
});

test('[TP4] shell mode: history, ghost text of commands and files, completion; clearly shown and left by keyboard', async () => {
  const { visit, page } = await stage.fresh();
  await composer(page).fill('a message kept');
  await page.keyboard.press('Control+Shift+Backquote');
  await prompt(page).waitFor();
  await eventually(() => page.evaluate<string>('document.activeElement?.id')).toBe('composer');
  await visit.shot('shell-mode');
  await prompt(page).pressSequentially('echo shell-mode-works');
  await prompt(page).press('Enter');
  await row(page, 'shell_output').getByText('shell-mode-works', { exact: true }).waitFor();
  await eventually(() => prompt(page).inputValue()).toBe('');

  await prompt(page).press('ArrowUp');
  await eventually(() => prompt(page).inputValue()).toBe('echo shell-mode-works');
  await prompt(page).fill('');
  await prompt(page).pressSequentially('echo sh');
  await page.getByText('ell-mode-works', { exact: true }).waitFor();
  await visit.shot('shell-mode-ghost');
  await prompt(page).press('ArrowRight');
  await eventually(() => prompt(page).inputValue()).toBe('echo shell-mode-works');

  await prompt(page).fill('');
  await prompt(page).pressSequentially('cat READ');
  await page.getByText('ME.md', { exact: true }).waitFor();
  await prompt(page).press('Tab');
  await eventually(() => prompt(page).inputValue()).toMatch(/^cat README\.md ?$/);

  await prompt(page).fill('');
  await prompt(page).pressSequentially('cat lib/al');
  await prompt(page).press('Tab');
  await eventually(() => page.getByRole('option').count()).toBe(2);
  await visit.shot('shell-mode-completions');
  await page.getByRole('option', { name: /alps/ }).click();
  await eventually(() => prompt(page).inputValue()).toBe('cat lib/alps.txt ');

  await prompt(page).press('Escape');
  await eventually(() => composer(page).inputValue()).toBe('a message kept');
  expectClean(visit);
});

/** Words whose lookup waits for its answer until the test lets it go. */
async function hold(page: Page, url: string, ...words: readonly string[]) {
  const held = new Set(words);
  const waiting = new Map<string, Route[]>();
  await page.route(url, async (route) => {
    const word = route.request().postDataJSON()?.query ?? '';
    if (!held.has(word)) return route.continue();
    waiting.set(word, [...(waiting.get(word) ?? []), route]);
  });
  return {
    waits: (word: string) => eventually(async () => waiting.has(word)).toBe(true),
    letGo: async (word: string) => {
      held.delete(word);
      for (const route of waiting.get(word) ?? []) await route.continue();
    },
  };
}

/** Resolves when the paths for the empty prompt have arrived: what is typed sooner is looked up without them. */
async function beginShellMode(): Promise<Page> {
  const { page } = await stage.fresh();
  const isFirst = (response: Response) => response.url().endsWith('/mention') && isForEmptyWord(response);
  const known = page.waitForResponse(isFirst);
  await page.keyboard.press('Control+Shift+Backquote');
  await prompt(page).waitFor();
  await (await known).finished();
  await twoFrames(page);
  return page;
}

const isForEmptyWord = (response: Response): boolean => response.request().postDataJSON()?.query === '';

test('[TP4] Tab takes the suggestion in view although answers to earlier words come late', async () => {
  const page = await beginShellMode();
  const paths = await hold(page, '**/mention', 'c', 'READ');
  await prompt(page).pressSequentially('c');
  await paths.waits('c');
  await prompt(page).pressSequentially('at READ');
  await page.getByText('ME.md', { exact: true }).waitFor();
  await paths.letGo('c');
  await paths.waits('READ');
  await twoFrames(page);
  await page.keyboard.press('Tab');
  await eventually(() => prompt(page).inputValue()).toBe('cat README.md');
});

test('[TP4] Tab before anything is known waits for the answer, and any other key gives it up', async () => {
  const page = await beginShellMode();
  const paths = await hold(page, '**/mention', 'lib/al', 'READ');
  await prompt(page).pressSequentially('cat lib/al');
  await paths.waits('lib/al');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement?.id')).toBe('composer');
  expect(await page.getByRole('option').count()).toBe(0);
  await paths.letGo('lib/al');
  await eventually(() => prompt(page).inputValue()).toBe('cat lib/alp');
  await eventually(() => page.getByRole('option').count()).toBe(2);

  await prompt(page).fill('cat READ');
  await paths.waits('READ');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift');
  await paths.letGo('READ');
  await page.getByText('ME.md', { exact: true }).waitFor();
  await twoFrames(page);
  expect(await prompt(page).inputValue()).toBe('cat READ');
});

test('[TP4] where the shell has gone, the word is looked up again', async () => {
  const page = await beginShellMode();
  const places = await hold(page, '**/api/terminal/*', '');
  await prompt(page).pressSequentially('cd lib');
  await prompt(page).press('Enter');
  await row(page, 'shell_output').getByText('exit 0').waitFor();
  await prompt(page).pressSequentially('cat alph');
  await places.waits('');
  await places.letGo('');
  await page.getByText('a.txt', { exact: true }).waitFor();
});

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const all = await page.evaluate<Violation[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)`,
  );
  return all
    .filter((one) => one.impact === 'serious' || one.impact === 'critical')
    .map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 200)).join(' | ')}`);
}

test('[TP14] axe finds nothing serious in the terminal, its list and shell mode, light and dark', async () => {
  const { page } = await stage.fresh();
  await openTerminal(page);
  await runLine(page, 'echo one');
  await runLine(page, '(exit 2)', 'exit 2');
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await eventually(() => findings(page)).toEqual([]);
    await button(page, 'Commands').last().click();
    await page.getByRole('search', { name: 'Commands' }).waitFor();
    await eventually(() => findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Shift+Backquote');
    await prompt(page).waitFor();
    await eventually(() => findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await composer(page).waitFor();
  }
});

test('[TP15] on a phone the terminal is a sheet with a bar of keys, and nothing is wider than the screen', async () => {
  const { visit, page } = await stage.fresh({}, { viewport: PHONE, isTouch: true });
  // On a phone one button opens the drawer, where the panel is chosen.
  await page.getByRole('button', { name: /^Drawer/ }).tap();
  await button(page, 'Terminal').tap();
  await pane(page).locator('textarea').waitFor({ state: 'attached' });
  await pane(page).locator('.xterm-screen').tap();
  await runLine(page, 'echo from-a-phone');
  await page.keyboard.type('sleep 100');
  await page.keyboard.press('Enter');
  await mark(page, /sleep 100: running/).waitFor();
  await visit.shot('terminal-phone');
  expect(await sideways(page)).toEqual([]);
  const keys = page.getByRole('toolbar', { name: 'Keys' });
  for (const key of await keys.getByRole('button').all()) {
    expect((await key.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44);
  }
  await keys.getByRole('button', { name: 'Ctrl', exact: true }).tap();
  await page.keyboard.type('c');
  await mark(page, /sleep 100: (?:exit 130|stopped)/).waitFor();
  await keys.getByRole('button', { name: 'Up', exact: true }).tap();
  await expectOnScreen(page, /sleep 100$/);
  expectClean(visit);
});

test('[TP45] Ctrl-R searches earlier commands, takes one into the box and runs nothing by itself', async () => {
  const { visit, page } = await stage.fresh();
  await page.keyboard.press('Control+Shift+Backquote');
  for (const command of ['echo first-one', 'printf second', 'echo third-one']) {
    await prompt(page).fill(command);
    await prompt(page).press('Enter');
    await eventually(() => prompt(page).inputValue()).toBe('');
    await row(page, 'shell_output').filter({ hasText: command }).first().waitFor();
  }
  const listed = () => page.getByRole('listbox', { name: 'Earlier commands' }).getByRole('option').allInnerTexts();
  await prompt(page).fill('ech');
  await prompt(page).press('Control+r');
  await eventually(listed).toEqual(['echo third-one', 'echo first-one']);
  await prompt(page).fill('one first');
  await eventually(listed).toEqual(['echo first-one']);
  await prompt(page).press('Escape');
  await eventually(() => prompt(page).inputValue()).toBe('ech');

  await prompt(page).fill('');
  await prompt(page).press('Control+r');
  await prompt(page).press('Control+r');
  const active = page.getByRole('option', { selected: true });
  await eventually(() => active.innerText()).toBe('printf second');
  await visit.shot('shell-history-search');
  const { violations } = await page.evaluate<axe.AxeResults>(
    `${axe.source}; axe.run({ runOnly: ['wcag2a', 'wcag2aa'] })`,
  );
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  await prompt(page).press('Enter');
  await eventually(() => prompt(page).inputValue()).toBe('printf second');
  expect(await row(page, 'shell_output').count()).toBe(3);
  await prompt(page).press('Enter');
  await eventually(() => row(page, 'shell_output').count()).toBe(4);
  expectClean(visit);
});
