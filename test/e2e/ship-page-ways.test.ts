/** Shipping by keyboard alone, on a phone, while a turn runs, and pull requests with a `gh` that takes what the real one takes. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { makeDir } from '../../src/testing/box.ts';
import { branches, card, confirmation, message, openChanges, openShip, panel, trust } from './ship-repository.ts';
import { button, composer, eventually, expectClean, PHONE, say, script, setStage, sideways } from './stage.ts';

let tools = '';
/** Logged in to `github.com` only; refuses what the real one refuses. */
const GH = `#!/bin/sh
case "$1 $2" in
"auth status") [ "$3" = --hostname ] && [ "$4" = github.com ]; exit;;
"pr create") shift 2;;
*) exit 1;;
esac
while [ $# -gt 0 ]; do
  case "$1" in
  --repo|--head|--base|--title) eval "$(echo "$1" | tr -d -)=\\$2"; shift 2;;
  --body-file) [ "$2" = - ] || exit 1; cat > "FOLDER/body"; shift 2;;
  --draft) shift;;
  *) echo "unknown flag: $1" >&2; exit 1;;
  esac
done
[ "$title" = taken ] && { echo "a pull request for branch \\"$head\\" already exists" >&2; exit 1; }
printf '%s|%s|%s|%s' "$repo" "$head" "$base" "$title" > "FOLDER/asked"
echo "https://$repo/pull/7"
`;

const stage = setStage(async () => {
  tools = await makeDir('tools');
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, 'gh'), GH.replaceAll('FOLDER', tools));
  chmodSync(join(tools, 'gh'), 0o755);
  return { env: { PATH: `${tools}:${process.env.PATH}` } };
});

/** A branch with one commit more than `main`, as pushed, on a host. */
async function openHosted(url: string) {
  const opened = await openShip(stage);
  const { git, write } = opened;
  git('remote', 'add', 'origin', url);
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  git('switch', '-q', '-c', 'fix/depth');
  write('src/parser.ts', 'export const depth = 2;\n');
  git('commit', '-q', '-am', 'Fix the depth\n\nIt was too small.');
  git('update-ref', 'refs/remotes/origin/fix/depth', 'HEAD');
  await openChanges(opened.page);
  return opened;
}

/** Not scrolled out of what holds it. */
const isInView = (of: Locator): Promise<boolean> =>
  of.evaluate((one) => {
    const { top, left } = one.getBoundingClientRect();
    return one.contains(one.ownerDocument.elementFromPoint(left + 2, top + 2));
  });

const form = (page: Page) => page.getByRole('dialog', { name: 'Pull request' });

test('[CH156] a pull request is edited and opened with gh; a refusal keeps what was written', async () => {
  const { visit, page } = await openHosted('https://github.com/acme/app.git');
  await button(page, 'Pull request').click();
  const title = form(page).getByLabel('Title');
  await eventually(() => title.inputValue()).toBe('Fix the depth');
  expect(await form(page).getByLabel('Text').inputValue()).toBe('It was too small.');
  await visit.shot('ship-request-1280');
  await title.fill('taken');
  await form(page).getByLabel('Text').fill('Mine, with *words*');
  await page.keyboard.press('Escape');
  await form(page).waitFor({ state: 'detached' });
  await button(page, 'Pull request').click();
  await eventually(() => title.inputValue()).toBe('taken');
  await form(page).getByRole('button', { name: 'Open with gh' }).click();
  await form(page).getByRole('alert').getByText('already exists').waitFor();
  expect(await form(page).getByLabel('Text').inputValue()).toBe('Mine, with *words*');
  await title.fill('Fix the depth of the parser');
  await title.press('Control+Enter');
  const link = form(page).getByRole('link', { name: 'Open the pull request' });
  await link.waitFor();
  expect(await link.getAttribute('href')).toBe('https://github.com/acme/app/pull/7');
  expect(readFileSync(join(tools, 'asked'), 'utf8')).toBe(
    'github.com/acme/app|fix/depth|main|Fix the depth of the parser',
  );
  expect(readFileSync(join(tools, 'body'), 'utf8')).toBe('Mine, with *words*');
  expect(await form(page).getByRole('button', { name: 'Open with gh' }).count()).toBe(0);
  expectClean(visit);
});

test('[CH156] without a tool there is the page of the host, with title and text to copy', async () => {
  const { visit, page } = await openHosted('git@gitlab.com:acme/app.git');
  await button(page, 'Pull request').click();
  const link = form(page).getByRole('link', { name: 'Open the page of gitlab.com' });
  await link.waitFor();
  expect(await link.getAttribute('href')).toMatch(/^https:\/\/gitlab\.com\/acme\/app\/-\/merge_requests\/new/);
  await form(page).getByRole('group', { name: 'Copy the text' }).waitFor();
  await visit.shot('ship-request-link-1280');
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await sideways(page)).toEqual([]);
  await visit.shot('ship-request-link-390-light');
});

test('[CH156] a branch that the remote does not have is pushed from the form', async () => {
  const { page, git, remoteHead, write } = await openShip(stage, { isPushed: true });
  git('switch', '-q', '-c', 'fix/depth');
  write('a.txt', 'two\n');
  git('commit', '-q', '-am', 'Fix it');
  await openChanges(page);
  await button(page, 'Pull request').click();
  await form(page).getByText('The remote does not have fix/depth as it is here').waitFor();
  await form(page).getByRole('button', { name: 'Push fix/depth' }).click();
  await trust(page);
  await form(page).getByText('The page of this host is not known').waitFor();
  expect(remoteHead('fix/depth')).toBe(git('rev-parse', 'HEAD').trim());
});

/** Presses Tab until what has the focus is called this. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  const focused = () =>
    page.evaluate<string>(`(() => { const one = document.activeElement;
      return one?.getAttribute('aria-label') ?? one?.textContent?.trim() ?? ''; })()`);
  for (let at = 0; at < 80 && (await focused()) !== name; at += 1) await page.keyboard.press(key);
  expect(await focused()).toBe(name);
}

test('[CH157] by keyboard alone: commit, trust, a new branch, push', async () => {
  const hooks = { 'pre-commit': 'echo checked' };
  const { page, write, head, branch, git, remoteHead } = await openShip(stage, { isPushed: true, hooks });
  write('a.txt', 'two\n');
  await tabTo(page, 'Changes', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await message(page).waitFor();
  await tabTo(page, 'Commit message');
  await page.keyboard.type('Change a');
  await page.keyboard.press('Control+Enter');
  await confirmation(page).waitFor();
  await tabTo(page, 'Trust and go on');
  await page.keyboard.press('Enter');
  await eventually(async () => head()).toBe('Change a');
  await card(page).getByText('Committed').waitFor();
  const isFocused = (name: string) =>
    page.evaluate<boolean>(`document.activeElement?.getAttribute('aria-label') === ${JSON.stringify(name)}`);
  expect(await isFocused('Commit message')).toBe(true);
  await tabTo(page, 'Branch main: switch or create', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await branches(page).waitFor();
  await page.keyboard.press('Escape');
  await branches(page).waitFor({ state: 'detached' });
  expect(await isFocused('Branch main: switch or create')).toBe(true);
  await page.keyboard.press('Enter');
  await branches(page).getByRole('combobox').waitFor();
  await page.keyboard.type('codex/keys');
  await branches(page).getByText('No branch has this name.').waitFor();
  await page.keyboard.press('Enter');
  await branches(page).getByLabel('Name of the new branch').waitFor();
  await page.keyboard.press('Enter');
  await eventually(async () => branch()).toBe('codex/keys');
  await button(page, 'Branch codex/keys: switch or create').waitFor();
  expect(await isFocused('Branch codex/keys: switch or create')).toBe(true);
  await panel(page).getByRole('button', { name: 'Push codex/keys to origin for the first time' }).waitFor();
  await tabTo(page, 'Push codex/keys to origin for the first time');
  await page.keyboard.press('Enter');
  await card(page).getByText('Pushed codex/keys').waitFor();
  expect(remoteHead('codex/keys')).toBe(git('rev-parse', 'HEAD').trim());
  await tabTo(page, 'Close the card');
  await page.keyboard.press('Enter');
  await card(page).waitFor({ state: 'detached' });
  // From the place of the card, not from the top of the page.
  await page.keyboard.press('Tab');
  expect(await isFocused('Compare')).toBe(true);
});

test('[CH157] on a phone: nothing sticks out, everything can be pressed, and the flow works with a finger', async () => {
  const hooks = {
    'pre-commit': 'echo "a long line of a hook that says what it checked and where it was checked"; exit 1',
  };
  const { visit, page, write, git, branch } = await openShip(
    stage,
    { isPushed: true, hooks },
    { viewport: PHONE, isTouch: true, colorScheme: 'light' },
  );
  git('switch', '-q', '-c', 'a-branch-with-a-very-long-name/that-does-not-fit-on-a-phone-at-all');
  write('a.txt', 'two\n');
  write('new.txt', 'new\n');
  await button(page, 'Drawer').first().tap();
  await panel(page).getByRole('button', { name: 'Changes', exact: true }).tap();
  await message(page).fill('Change a');
  await button(page, 'Commit all changes').tap();
  await confirmation(page).waitFor();
  await visit.shot('ship-trust-390-light');
  await button(page, 'Trust and go on').tap();
  await card(page).getByRole('alert').waitFor();
  expect(await sideways(page)).toEqual([]);
  const small = await panel(page)
    .locator('button:visible, select:visible')
    .evaluateAll((all) =>
      all
        .filter((one) => one.closest('pre, [class*="console"]') === null && one.getBoundingClientRect().height < 43.5)
        .map((one) => one.getAttribute('aria-label') ?? one.textContent),
    );
  expect(small).toEqual([]);
  await visit.shot('ship-refused-390-light');
  await button(page, 'Ask Codex about it').tap();
  await eventually(() => composer(page).inputValue()).toContain('where it was checked');
  await panel(page).waitFor({ state: 'detached' });
  await button(page, 'Drawer').first().tap();
  await panel(page).getByRole('button', { name: 'Changes', exact: true }).tap();
  await page.emulateMedia({ colorScheme: 'dark' });
  await card(page).getByRole('alert').waitFor();
  await visit.shot('ship-refused-390');
  await page.getByRole('button', { name: /^Branch a-branch/ }).tap();
  await branches(page).waitFor();
  await visit.shot('ship-branches-390');
  await branches(page).getByRole('option', { name: /^main/ }).tap();
  await eventually(async () => branch()).toBe('main');
  await card(page).getByText('kept for 90 days').waitFor();
  await visit.shot('ship-switched-390');
});

test('[CH152] many programs are read from the first on, with the buttons in view', async () => {
  const names = [
    'pre-commit',
    'commit-msg',
    'prepare-commit-msg',
    'post-commit',
    'pre-push',
    'pre-rebase',
    'post-merge',
  ];
  const names2 = [
    'post-checkout',
    'post-rewrite',
    'applypatch-msg',
    'pre-applypatch',
    'pre-merge-commit',
    'reference-transaction',
  ];
  const hooks = Object.fromEntries([...names, ...names2].map((name) => [name, 'exit 0']));
  const { visit, page, write } = await openShip(stage, { hooks }, { viewport: PHONE, isTouch: true });
  write('a.txt', 'two\n');
  await button(page, 'Drawer').first().tap();
  await panel(page).getByRole('button', { name: 'Changes', exact: true }).tap();
  await message(page).fill('Change a');
  await button(page, 'Commit all changes').tap();
  const first = confirmation(page).getByText('This repository names programs');
  await first.waitFor();
  await visit.shot('ship-trust-many-390');
  const bottom = async (name: string) => {
    const box = await button(page, name).boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  expect(await bottom('Trust and go on')).toBeLessThanOrEqual(PHONE.height);
  expect((await first.boundingBox())?.y).toBeGreaterThan(0);
  expect(await isInView(first)).toBe(true);
});

test('[CH153] while a turn runs no branch is changed, and the page says why', async () => {
  const { page, visit, git, branch } = await openShip(stage);
  git('branch', 'other');
  const word = script(stage.box, [{ gate: 'turn' }, { say: 'done' }]);
  await say(page, `do ${word}`);
  await button(page, 'Stop').first().waitFor();
  await openChanges(page);
  await button(page, 'Branch main: switch or create').click();
  await branches(page).getByText('A turn is running').waitFor();
  await branches(page)
    .getByRole('option', { name: /^other/ })
    .click();
  expect(branch()).toBe('main');
  stage.box.model.release('turn');
  await branches(page).getByText('A turn is running').waitFor({ state: 'detached' });
  await branches(page)
    .getByRole('option', { name: /^other/ })
    .click();
  await eventually(async () => branch()).toBe('other');
  expectClean(visit);
});

test('[CH157] wide and narrow, light and dark', async () => {
  const { visit, page, write, git } = await openShip(stage, { isPushed: true });
  write('a.txt', 'two\n');
  git('add', '-A');
  write('src/parser.ts', 'export const depth = 2;\n');
  await openChanges(page);
  await message(page).fill('Make the parser deeper\n\nIt stopped at one level.');
  await panel(page).getByText('1 file has changes').waitFor();
  for (const [width, theme] of [
    [1600, 'dark'],
    [1280, 'light'],
    [820, 'dark'],
    [390, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme });
    expect(await sideways(page)).toEqual([]);
    await visit.shot(`ship-panel-${width}-${theme}`);
  }
  expectClean(visit);
});
