/** Commit and ship in the Changes panel, with real hooks, a real remote and what they refuse. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { branches, card, confirmation, message, openChanges, openShip, panel, trust } from './ship-repository.ts';
import { button, eventually, expectClean, freePort, setStage } from './stage.ts';

// A server that is started again must be where the page looks for it.
const stage = setStage(async () => ({ flags: ['--port', String(await freePort())] }));

test('[CH150] all changes are committed when nothing is staged, else what is staged; the button says which', async () => {
  const { visit, page, git, write, head } = await openShip(stage);
  await openChanges(page);
  await panel(page).getByText('There is nothing to commit.').waitFor();
  write('a.txt', 'two\n');
  write('new.txt', 'new\n');
  await button(page, 'Commit all changes').waitFor();
  await panel(page).getByText('1 new file is not part of it').waitFor();
  await message(page).fill('Change a');
  await button(page, 'Commit all changes').dblclick();
  await eventually(async () => head()).toBe('Change a');
  await card(page)
    .getByText(/^Committed [0-9a-f]{7} Change a$/)
    .waitFor();
  expect(await message(page).inputValue()).toBe('');
  expect(git('rev-list', '--count', 'HEAD').trim()).toBe('2');
  write('a.txt', 'three\n');
  git('add', 'new.txt');
  await button(page, 'Commit 1 staged file').waitFor();
  await message(page).fill('Add new\n\nBecause.');
  await message(page).press('Control+Enter');
  await eventually(async () => head()).toBe('Add new');
  expect(git('status', '--porcelain')).toBe(' M a.txt\n');
  expectClean(visit);
});

test("[CH150] the person's template, a suggestion that can be taken back, and an amendment of the last commit", async () => {
  const { page, git, write, head } = await openShip(stage);
  write('docs/template', '# Say why\nTeam: parsers\n');
  git('config', 'commit.template', 'docs/template');
  git('add', '-A');
  git('commit', '-q', '-m', 'Add a template\n\nIt has a team.');
  write('a.txt', 'two\n');
  await openChanges(page);
  await eventually(() => message(page).inputValue()).toBe('Team: parsers');
  await message(page).press('Control+Enter');
  await panel(page).getByText('Write a message first.').waitFor();
  await message(page).fill('my words');
  await button(page, 'Suggest a message').click();
  await eventually(() => message(page).inputValue()).toBe('Change a.txt\n\nTeam: parsers');
  await button(page, 'Put my text back').click();
  expect(await message(page).inputValue()).toBe('my words');
  await page.getByLabel('Amend the last commit').check();
  await eventually(() => message(page).inputValue()).toBe('Add a template\n\nIt has a team.');
  await button(page, 'Amend the message').waitFor();
  git('add', 'a.txt');
  await button(page, 'Amend with 1 staged file').waitFor();
  await page.getByLabel('Amend the last commit').uncheck();
  expect(await message(page).inputValue()).toBe('my words');
  await page.getByLabel('Amend the last commit').check();
  await eventually(() => message(page).inputValue()).toContain('It has a team.');
  await message(page).fill('Add a better template');
  await button(page, 'Amend with 1 staged file').click();
  await eventually(async () => head()).toBe('Add a better template');
  expect(git('rev-list', '--count', 'HEAD').trim()).toBe('2');
  await eventually(() => message(page).inputValue()).toBe('Team: parsers');
});

test('[CH151] a message survives closing the panel and a reload', async () => {
  const { visit, page, write } = await openShip(stage);
  write('a.txt', 'two\n');
  await openChanges(page);
  await message(page).fill('Half a thought');
  await button(page, 'Close the drawer').click();
  await message(page).waitFor({ state: 'detached' });
  await openChanges(page);
  expect(await message(page).inputValue()).toBe('Half a thought');
  await visit.reload();
  await eventually(() => message(page).inputValue()).toBe('Half a thought');
});

test("[CH152] the repository's own hook runs only after the yes; its output is shown while it runs and after a refusal", async () => {
  const gate = join(stage.box.dir, 'gate');
  const ran = join(stage.box.dir, 'ran');
  const hooks = {
    'pre-commit': `touch ${ran}; echo "checking the parser"; while [ ! -e ${gate} ]; do sleep 0.05; done; echo "parser.ts:1 depth is wrong" >&2; exit 3`,
  };
  const { visit, page, write, head } = await openShip(stage, { hooks });
  write('a.txt', 'two\n');
  await openChanges(page);
  await message(page).fill('Change a');
  await button(page, 'Commit all changes').click();
  await confirmation(page).getByText('pre-commit').waitFor();
  expect(await page.evaluate('document.activeElement?.textContent')).toBe('Cancel');
  await visit.shot('ship-trust-1280');
  await page.keyboard.press('Enter');
  await confirmation(page).waitFor({ state: 'detached' });
  expect(existsSync(ran)).toBe(false);
  expect(await card(page).count()).toBe(0);
  await button(page, 'Commit all changes').click();
  await trust(page);
  await card(page).getByText('checking the parser').waitFor();
  await card(page).getByText('pre-commit: running').waitFor();
  expect(await button(page, 'Commit all changes').getAttribute('aria-disabled')).toBe('true');
  await visit.shot('ship-hook-running-1280');
  await visit.reload();
  await card(page).getByText('checking the parser').waitFor();
  writeFileSync(gate, '');
  await card(page).getByRole('alert').getByText('The hook pre-commit refused this commit (exit code 3)').waitFor();
  await card(page).getByText('parser.ts:1 depth is wrong').waitFor();
  await card(page).getByText('exit 3', { exact: true }).first().waitFor();
  expect(await message(page).inputValue()).toBe('Change a');
  expect(head()).toBe('first');
  await visit.shot('ship-hook-refused-1280');
  await button(page, 'Ask Codex about it').click();
  await eventually(() => page.locator('#composer').inputValue()).toContain('depth is wrong');
  await button(page, 'Close the card').click();
  await card(page).waitFor({ state: 'detached' });
});

test('[CH152] a slow hook is cancelled, and a commit whose hook passes says so', async () => {
  const hooks = { 'pre-commit': 'echo started; grep -q slow a.txt && sleep 600; exit 0' };
  const { page, write, head } = await openShip(stage, { hooks });
  write('a.txt', 'slow\n');
  await openChanges(page);
  await message(page).fill('Change a');
  await message(page).press('Control+Enter');
  await trust(page);
  await card(page).getByText('started').waitFor();
  await button(page, 'Cancel the commit').click();
  await card(page).getByRole('alert').getByText('You cancelled this').waitFor();
  expect(head()).toBe('first');
  write('a.txt', 'quick\n');
  await message(page).press('Control+Enter');
  await eventually(async () => head()).toBe('Change a');
  await card(page).getByText('Committed').waitFor();
});

test('[CH153] branches: found by words, switched, made; one that would overwrite changes names the files and asks', async () => {
  const { visit, page, git, write, read, branch } = await openShip(stage, { isPushed: true });
  git('switch', '-q', '-c', 'fix/parser');
  write('a.txt', 'of the branch\n');
  git('commit', '-q', '-am', 'branch');
  git('switch', '-q', 'main');
  git('branch', 'docs');
  write('a.txt', 'mine\n');
  await openChanges(page);
  await button(page, 'Branch main: switch or create').click();
  await branches(page).getByRole('option', { name: /^docs/ }).waitFor();
  await visit.shot('ship-branches-1280');
  await branches(page).getByRole('combobox').fill('pars');
  await eventually(() => branches(page).getByRole('option').count()).toBe(1);
  await page.keyboard.press('Enter');
  await trust(page);
  await card(page).getByRole('alert').getByText('would be overwritten').waitFor();
  await card(page).getByRole('listitem').getByText('a.txt').waitFor();
  expect(branch()).toBe('main');
  await visit.shot('ship-overwrite-1280');
  await button(page, 'Replace these changes and switch').click();
  await eventually(async () => branch()).toBe('fix/parser');
  expect(read('a.txt')).toBe('of the branch\n');
  await card(page).getByText('Switched to fix/parser').waitFor();
  await card(page).getByText('kept for 90 days').waitFor();
  await button(page, 'Branch fix/parser: switch or create').click();
  await branches(page).getByRole('combobox').fill('codex/depth');
  await button(page, 'New branch…').click();
  const name = branches(page).getByLabel('Name of the new branch');
  expect(await name.inputValue()).toBe('codex/depth');
  await name.fill('codex..depth');
  await branches(page).getByText('Git does not take this name').waitFor();
  await name.fill('codex/depth');
  await name.press('Enter');
  await eventually(async () => branch()).toBe('codex/depth');
  await button(page, 'Branch codex/depth: switch or create').waitFor();
  expectClean(visit);
});

test('[CH154] pull and push with counts; a diverged branch offers merge and rebase', async () => {
  const { visit, page, git, write, bare, remoteHead, pushFromElsewhere } = await openShip(stage, { isPushed: true });
  write('c.txt', 'c\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'ours');
  await openChanges(page);
  const push = panel(page).getByRole('button', { name: 'Push 1 commit to origin' });
  await push.waitFor();
  pushFromElsewhere('b.txt', 'b\n');
  await push.click();
  await trust(page);
  await card(page).getByRole('alert').getByText('Pull first').waitFor();
  await visit.shot('ship-rejected-1280');
  await card(page).getByRole('button', { name: 'Pull', exact: true }).click();
  await card(page).getByRole('alert').getByText('have both moved').waitFor();
  await panel(page).getByRole('button', { name: 'Pull 1 commit from origin/main' }).waitFor();
  await button(page, 'Rebase my commits onto theirs').click();
  await card(page).getByText('Pulled origin/main').waitFor();
  expect(git('log', '--format=%s').trim().split('\n')).toEqual(['ours', 'theirs: b.txt', 'first']);
  await panel(page).getByRole('button', { name: 'Push 1 commit to origin' }).click();
  await card(page).getByText('Pushed main').waitFor();
  expect(remoteHead()).toBe(git('rev-parse', 'HEAD').trim());
  expect(bare).not.toBe('');
  await panel(page).getByRole('button', { name: 'Push: origin has everything' }).waitFor();
  expectClean(visit);
});

test('[CH154] a pull with conflicts names the files and changes nothing', async () => {
  const { page, git, write, pushFromElsewhere } = await openShip(stage, { isPushed: true });
  write('a.txt', 'ours\n');
  git('commit', '-q', '-am', 'ours');
  pushFromElsewhere('a.txt', 'theirs\n');
  const before = git('rev-parse', 'HEAD');
  await openChanges(page);
  await panel(page)
    .getByRole('button', { name: /^Pull:/ })
    .click();
  await trust(page);
  await button(page, 'Merge theirs into mine').click();
  await card(page).getByRole('alert').getByText('Nothing was changed here').waitFor();
  await card(page).getByRole('listitem').getByText('a.txt').waitFor();
  expect(git('rev-parse', 'HEAD')).toBe(before);
  expect(git('status', '--porcelain')).toBe('');
});

test('[CH154] what cannot be done says why when it is pressed', async () => {
  const { page, git, bare } = await openShip(stage);
  await openChanges(page);
  await panel(page).getByRole('button', { name: 'Push', exact: true }).press('Enter');
  await card(page).getByRole('alert').getByText('This repository has no remote').waitFor();
  await button(page, 'Close the card').click();
  git('remote', 'add', 'origin', 'http://127.0.0.1:9/x.git');
  await button(page, 'Read again').click();
  await panel(page).getByRole('button', { name: 'Pull', exact: true }).press('Enter');
  await card(page).getByRole('alert').getByText('main follows no branch of a remote yet').waitFor();
  await panel(page).getByRole('button', { name: 'Push main to origin for the first time' }).click();
  await card(page).getByRole('alert').getByText('The remote could not be reached').waitFor();
  git('init', '-q', '--bare', bare);
  git('remote', 'set-url', 'origin', bare);
  await button(page, 'Try again').press('Enter');
  await trust(page);
  await card(page).getByText('Pushed main').waitFor();
  git('checkout', '-q', '--detach');
  await panel(page).getByRole('button', { name: 'Push', exact: true }).press('Enter');
  await card(page).getByRole('alert').getByText('You are on no branch').waitFor();
});

test('[CH155] commits of the remote are replaced only behind a confirmation', async () => {
  const { visit, page, git, remoteHead } = await openShip(stage, { isPushed: true });
  git('commit', '-q', '--amend', '-m', 'better');
  const theirs = remoteHead();
  await openChanges(page);
  await panel(page)
    .getByRole('button', { name: /^Push 1 commit/ })
    .click();
  await trust(page);
  await button(page, 'Replace the commits of the remote…').click();
  await confirmation(page).getByText('Replace the branch of the remote?').waitFor();
  await visit.shot('ship-force-1280');
  await page.keyboard.press('Escape');
  await confirmation(page).waitFor({ state: 'detached' });
  expect(remoteHead()).toBe(theirs);
  await button(page, 'Replace the commits of the remote…').click();
  await button(page, 'Replace it').click();
  await card(page).getByText('Pushed main').waitFor();
  expect(remoteHead()).toBe(git('rev-parse', 'HEAD').trim());
});

test('[CH152] after the server was killed the card says that nobody knows how far the action came', async () => {
  const gate = join(stage.box.dir, 'gate-killed');
  const over = join(stage.box.dir, 'over-killed');
  const hooks = { 'pre-commit': `echo started; while [ ! -e ${gate} ]; do sleep 0.05; done; touch ${over}; exit 1` };
  const { page, write } = await openShip(stage, { hooks });
  write('a.txt', 'two\n');
  await openChanges(page);
  await message(page).fill('Change a');
  await message(page).press('Control+Enter');
  await trust(page);
  await card(page).getByText('started').waitFor();
  await stage.box.restart();
  await card(page).getByRole('alert').getByText('The server was started again while this ran').waitFor();
  expect(await message(page).inputValue()).toBe('Change a');
  writeFileSync(gate, '');
  await eventually(async () => existsSync(over)).toBe(true);
});
