/** The shared terminal in the page: real shells, the real server, the strict policy. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import type { PageOptions, Visit } from '../../src/testing/browser.ts';
import { PROBE } from './probe.ts';
import { button, composer, eventually, expectClean, row, script, setStage } from './stage.ts';
import {
  expectOnScreen,
  mark,
  openTerminal,
  pane,
  readScreen,
  runLine,
  shellWaits,
  typeLine,
} from './terminal-words.ts';

const stage = setStage({ env: { SHELL: '/bin/bash' } });

async function begin(options: PageOptions = {}) {
  const fresh = await stage.fresh({}, options);
  await openTerminal(fresh.page);
  return fresh;
}

const menuItem = (visit: Visit, name: string) => visit.page.getByRole('menuitem', { name, exact: true });

test('[TP6] commands run as typed, show in color, get a mark each, and a reload keeps the screen', async () => {
  const { visit, page } = await begin();
  await runLine(page, "printf '\\033[31mred\\033[0m \\033[38;2;10;200;30mtrue\\033[0m\\n'");
  await expectOnScreen(page, 'red true');
  const colors = await page.evaluate<string[]>(`[...document.querySelectorAll('.xterm-rows span')]
    .filter((one) => /^(red|true)$/.test(one.textContent)).map((one) => getComputedStyle(one).color)`);
  expect(new Set(colors).size).toBe(2);
  await runLine(page, '(exit 3)', 'exit 3');
  await visit.shot('terminal-dark');
  const before = await readScreen(page);
  await visit.reload();
  await eventually(() => readScreen(page)).toEqual(before);
  await mark(page, /\(exit 3\): exit 3/).waitFor();
  const ink = () => page.evaluate<string>("getComputedStyle(document.querySelector('.xterm-rows')).color");
  const darkInk = await ink();
  await page.emulateMedia({ colorScheme: 'light' });
  await eventually(ink).not.toBe(darkInk);
  await visit.shot('terminal-light');
  expectClean(visit);
});

test('[TP7] the policy is the same as everywhere, and the terminal needs nothing beyond it', async () => {
  const response = await fetch(stage.box.url());
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("style-src 'self';");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toMatch(/unsafe|nonce|sha256|blob:/);
});

test('[TP8] pages that look at one terminal agree, and a later one has the same screen', async () => {
  const { visit, id } = await begin();
  await runLine(visit.page, 'echo from-the-first');
  const other = await stage.open({ conversationId: id });
  await openTerminal(other.page);
  await expectOnScreen(other.page, 'from-the-first');
  await runLine(other.page, 'echo from-the-second');
  await expectOnScreen(visit.page, 'from-the-second');
  await eventually(() => readScreen(visit.page)).toEqual(await readScreen(other.page));
  expectClean(visit, other);
});

test('[TP2] a socket cut in the middle of output comes back with its cursor: nothing twice, nothing missing', async () => {
  const { visit, page, id } = await begin({ probe: PROBE });
  await typeLine(page, 'for i in $(seq 1 12); do echo line-$i; sleep 0.1; done');
  for (const at of [2, 6, 9]) {
    await expectOnScreen(page, `line-${at}`);
    // The last time the page is away until the command has ended.
    await visit.context.setOffline(at === 9);
    await page.evaluate('__probe.cut()');
  }
  const { box } = stage;
  const newest = async () => (await box.must('terminalBlocks', { id, limit: 1 })).blocks.at(-1)?.status;
  await eventually(newest).not.toBe('running');
  await visit.context.setOffline(false);
  await expectOnScreen(page, 'line-12');
  const lines = (await readScreen(page)).filter((line) => line.startsWith('line-'));
  expect(lines).toEqual(Array.from({ length: 12 }, (_none, at) => `line-${at + 1}`));
  await mark(page, /for i in.*exit 0/).waitFor();
  expect(visit.problems.csp).toEqual([]);
});

test('[TP9] Ctrl-C ends `yes` at once, while its output floods the page', async () => {
  const { page } = await begin();
  await typeLine(page, 'yes');
  await eventually(async () => (await readScreen(page)).filter((line) => line === 'y').length).toBeGreaterThan(10);
  const began = performance.now();
  await page.keyboard.press('Control+c');
  await expectOnScreen(page, /\^C/);
  // A busy machine draws late; a flood that had to be read to its end would take minutes.
  expect(performance.now() - began).toBeLessThan(8_000);
  await row(page, 'shell_output').getByText('stopped', { exact: true }).waitFor();
  await runLine(page, 'echo alive');
  await expectOnScreen(page, 'alive');
});

test('[TP10] jump, run again, copy, ask: by the marks, the list and the keyboard', async () => {
  const { visit } = await begin();
  const { page, context } = visit;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await runLine(page, 'echo needle-one; (exit 4)', 'exit 4');
  await runLine(page, 'seq 1 100');
  await eventually(async () => (await readScreen(page)).includes('needle-one')).toBe(false);
  await page.keyboard.press('Control+Shift+ArrowUp');
  await page.keyboard.press('Control+Shift+ArrowUp');
  await expectOnScreen(page, 'needle-one');
  const failed = mark(page, /echo needle-one.*exit 4/);
  await failed.click();
  await visit.shot('terminal-mark-menu');
  await menuItem(visit, 'Copy output').click();
  await eventually(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe('needle-one\n');
  await failed.click();
  await menuItem(visit, 'Run again').click();
  await eventually(() => mark(page, /echo needle-one.*exit 4/).count()).toBeGreaterThan(0);
  await button(page, 'Commands').last().click();
  const list = page.getByRole('search', { name: 'Commands' });
  await eventually(() => list.getByRole('listitem').count()).toBe(3);
  await list.getByRole('searchbox').fill('99');
  await eventually(() => list.getByRole('listitem').count()).toBe(1);
  await list.getByRole('listitem').getByText('seq 1 100', { exact: true }).waitFor();
  await visit.shot('terminal-commands');
  await list.getByRole('button', { name: /seq 1 100: exit 0/ }).click();
  await menuItem(visit, 'Ask about this').click();
  await page.getByRole('list', { name: 'Asked about' }).getByText('seq 1 100').waitFor();
  expect(await composer(page).inputValue()).toBe('');
  expectClean(visit);
});

test('[TP80] what is asked about is a chip that can be removed, and goes to the model as data, not as words of the person', async () => {
  const { id, visit } = await begin();
  const { page } = visit;
  await runLine(page, 'echo the-cause; (exit 3)', 'exit 3');
  await runLine(page, 'echo other');
  // The first message takes along what was run so far.
  const first = script(stage.box, [{ say: 'seen' }]);
  await stage.box.must('sendMessage', { conversation_id: id, text: first });
  await row(page, 'status').waitFor();
  await stage.box.must('patchConversation', { id, context: { commands: false } });
  const chips = page.getByRole('list', { name: 'Asked about' });
  const ask = async (name: RegExp) => {
    await mark(page, name).click();
    await menuItem(visit, 'Ask about this').click();
  };
  await ask(/echo other/);
  await ask(/echo the-cause.*exit 3/);
  await eventually(() => chips.getByRole('listitem').count()).toBe(2);
  await visit.shot('terminal-asked');
  await chips.getByRole('button', { name: 'Do not ask about echo other' }).click();
  await eventually(() => chips.getByRole('listitem').count()).toBe(1);
  await visit.reload();
  await chips.getByText('echo the-cause').waitFor();
  const why = script(stage.box, [{ say: 'because' }]);
  await composer(page).fill(`why ${why}`);
  await composer(page).press('Enter');
  const asked = await stage.box.model.waitForRequest(({ userText }) => userText.includes(`why ${why}`));
  const body = JSON.stringify(asked.body);
  expect(body).toContain('the-cause');
  expect(body).toContain('asked_about');
  await chips.waitFor({ state: 'detached' });
  await row(page, 'user')
    .last()
    .getByRole('button', { name: /^Context: 1 command/ })
    .waitFor();
  const { conversation } = await stage.box.must('readConversation', { id });
  expect(conversation.pending_cmd_buffer).toBeNull();
  expectClean(visit);
});

test('[TP10] find on the screen, in what has scrolled away as well', async () => {
  const { visit, page } = await begin();
  await runLine(page, 'echo hay-stack; seq 1 100');
  await page.keyboard.press('Control+Shift+F');
  const field = page.getByRole('searchbox', { name: 'Find on the screen' });
  await field.fill('hay-stack');
  await pane(page)
    .getByText(/\d of 2/)
    .waitFor();
  await field.press('Enter');
  await expectOnScreen(page, 'hay-stack');
  await visit.shot('terminal-find');
  await field.press('Escape');
  await runLine(page, 'echo back-in-the-shell');
  expectClean(visit);
});

test('[TP5] hostile sequences run nothing, read nothing and open nothing', async () => {
  const { visit } = await begin();
  const { page, context } = visit;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(`navigator.clipboard.writeText('secret')`);
  await pane(page).locator('textarea').focus();
  const sequences = [
    '\\033]52;c;?\\007',
    '\\033]52;c;ZXZpbA==\\007',
    '\\033]8;;javascript:alert(1)\\033\\\\js-link\\033]8;;\\033\\\\ ',
    '\\033]8;;https://evil.example/\\033\\\\web-link\\033]8;;\\033\\\\ ',
    '\\033]0;<img src=x onerror=alert(1)>\\007',
    '\\033[21t\\033]133;C\\007\\033]133;D;0\\007\\033P+q544e\\033\\\\',
    '<script>alert(2)</script>\\n',
  ].join('');
  await runLine(page, `printf '${sequences}'`);
  await expectOnScreen(page, /js-link web-link .*<script>alert\(2\)<\/script>/);
  // Asked before anything reaches the clipboard, and not obeyed by itself.
  await pane(page).getByText('A program wants to put this on your clipboard').waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('secret');
  await pane(page).getByRole('button', { name: 'Cancel' }).click();
  const title = await page.title();
  expect(title).not.toContain('onerror');
  const link = pane(page).locator('.xterm-rows span', { hasText: /^web-link$/ });
  // The link is looked up when the pointer reaches another cell, and moves when the question above it goes away: a pointer that stays in its
  // cell then finds nothing, however often it clicks.
  const follow = async () => {
    await link.hover({ position: { x: 40, y: 4 }, force: true });
    await link.hover({ position: { x: 4, y: 4 }, force: true });
    await link.click({ position: { x: 4, y: 4 }, force: true });
    return pane(page).getByText('https://evil.example/', { exact: true }).isVisible();
  };
  await eventually(follow).toBe(true);
  await visit.shot('terminal-link');
  await pane(page).getByRole('button', { name: 'Cancel' }).click();
  // Whatever answers the page gave, the shell was not typed into.
  await runLine(page, 'echo still-clean');
  expect((await readScreen(page)).at(-3)).toMatch(/[$#] echo still-clean$/);
  expectClean(visit);
});

test('[TP1] no key is caught: Tab is the shell’s, and two keys lead out', async () => {
  const { visit, page } = await begin();
  const inside = () => page.evaluate<boolean>(`document.activeElement?.closest('[data-terminal]') !== null`);
  expect(await inside()).toBe(true);
  await page.keyboard.press('Tab');
  expect(await inside()).toBe(true);
  await page.keyboard.press('Control+Shift+E');
  await eventually(() => page.evaluate<string>('document.activeElement?.id')).toBe('composer');
  await page.keyboard.press('Control+Backquote');
  await eventually(inside).toBe(true);
  await page.keyboard.press('Control+Backquote');
  await eventually(() => pane(page).count()).toBe(0);
  await eventually(() => page.evaluate<string>('document.activeElement?.id')).toBe('composer');
  expectClean(visit);
});

test('[TP11] a shell that ends says so and can be started again', async () => {
  const { visit, page } = await begin();
  await runLine(page, 'echo before-the-end');
  await typeLine(page, 'exit 7');
  await pane(page).getByText('The shell has ended (exit 7).').waitFor();
  await button(page, 'Start a new shell').click();
  await shellWaits(page);
  await pane(page).locator('textarea').focus();
  await runLine(page, 'echo a-new-one');
  expectClean(visit);
});

test('[PG320] a command typed in the terminal is one quiet line in the transcript, unless it is opened or failed', async () => {
  const { visit, page } = await begin();
  await runLine(page, 'echo quiet-output; sleep 0.2');
  const card = row(page, 'shell_output').last();
  const head = card.getByRole('button', { name: /echo quiet-output/ });
  expect(await head.getAttribute('aria-expanded')).toBe('false');
  expect(await card.locator('pre').count()).toBe(0);
  expect(await card.innerText()).toMatch(/exit 0[\s\S]*1 line/);
  await visit.shot('terminal-quiet');
  await head.click();
  await card.locator('pre').getByText('quiet-output', { exact: true }).waitFor();
  await pane(page).locator('textarea').focus();
  await typeLine(page, 'read -r waits');
  const running = row(page, 'shell_input').last();
  await running.getByText('running').waitFor();
  expect(await running.getByRole('button', { name: /read -r/ }).getAttribute('aria-expanded')).toBe('false');
  await page.keyboard.press('Control+c');
  await row(page, 'shell_output').nth(1).getByText('stopped', { exact: true }).waitFor();
  await runLine(page, 'echo not-well; (exit 3)', 'exit 3');
  const failed = row(page, 'shell_output').last();
  expect(await failed.getByRole('button', { name: /echo not-well/ }).getAttribute('aria-expanded')).toBe('true');
  await failed.locator('pre').getByText('not-well', { exact: true }).waitFor();
  await visit.reload();
  await eventually(() => row(page, 'shell_output').count()).toBe(3);
  const states = row(page, 'shell_output').locator('button[aria-expanded]');
  expect(await states.evaluateAll((all) => all.map((one) => one.getAttribute('aria-expanded')))).toEqual([
    'false',
    // Ctrl-C of the person is no failure.
    'false',
    'true',
  ]);
  await visit.shot('terminal-quiet-failed');
  expectClean(visit);
});

test('[TP12] [TP16] a command is one card in the transcript: live while it runs, the same after a reload', async () => {
  const { visit, page } = await begin();
  await typeLine(page, "printf 'card-begins \\033[31mcard-red\\033[0m\\n'; read -r x; echo card-ends; (exit 5)");
  const card = row(page, 'shell_input').last();
  const colored = (one: Locator) => one.locator('pre span', { hasText: /^card-red$/ }).getAttribute('class');
  await card.getByRole('button', { name: /card-begins/ }).click();
  await card.locator('pre').getByText('card-red', { exact: true }).waitFor();
  expect(await colored(card)).toMatch(/fg1/);
  await card.getByText('running').waitFor();
  await pane(page).locator('textarea').focus();
  await typeLine(page, 'go');
  const done = row(page, 'shell_output').last();
  await done.getByText('exit 5', { exact: true }).waitFor();
  await done
    .locator('pre')
    .last()
    .getByText(/card-begins[\s\S]*card-ends/)
    .waitFor();
  const live = await done.innerText();
  await visit.shot('terminal-card');
  await visit.reload();
  await eventually(() => row(page, 'shell_output').last().innerText()).toBe(live);
  expectClean(visit);
});

test('[TP12] a card asks for output when the server tells of more, and each line shows once', async () => {
  const { visit, id, page } = await begin();
  const watcher = await stage.box.watch(id);
  let reads = 0;
  page.on('request', (request) => {
    if (request.url().includes('/output?')) reads += 1;
  });
  await typeLine(page, 'for n in 1 2 3 4 5; do echo line-$n; sleep 0.3; done; read -r x');
  const openCard = () => row(page, 'shell_input').last().locator('button[aria-expanded="false"]').click();
  await openCard();
  const lines = async () =>
    (await row(page, 'shell_input').last().locator('pre').last().innerText()).trim().split(/\s+/);
  await eventually(lines).toEqual([1, 2, 3, 4, 5].map((n) => `line-${n}`));
  // One look when the card appears, and one for each time the server told of more.
  await eventually(async () => watcher.frames.filter((one) => one.type === 'block_output').length).toBeGreaterThan(1);
  await eventually(
    async () => reads - watcher.frames.filter((one) => one.type === 'block_output').length,
  ).toBeLessThanOrEqual(1);
  watcher.close();
  await visit.reload();
  await openCard();
  await eventually(lines).toEqual([1, 2, 3, 4, 5].map((n) => `line-${n}`));
  await stage.box.must('terminalInput', { id, data: 'go\n' });
  await row(page, 'shell_output').last().getByText('exit 0', { exact: true }).waitFor();
});

test('[TP12] a long output shows its last lines, then all that was kept, read from the server', async () => {
  const { visit, page } = await begin();
  await runLine(page, 'seq 1 60000');
  const card = row(page, 'shell_output').last();
  await card.getByRole('button', { name: /seq 1 60000/ }).click();
  await card.getByText(/cut out of the middle/).waitFor();
  await card.getByRole('button', { name: 'Show all that was kept' }).click();
  await card.getByRole('button', { name: 'Show all 60,000 lines' }).waitFor();
  expectClean(visit);
});
