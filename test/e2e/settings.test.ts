/** Settings of the page: look, keys, notices; the same in every browser. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  button,
  dock,
  eventually,
  expectClean,
  PHONE,
  row,
  say,
  script,
  setStage,
  sideways,
  transcript,
} from './stage.ts';

const stage = setStage();
const PLAIN = {
  theme: 'system',
  density: 'comfortable',
  colors: { light: {}, dark: {} },
  keys: {},
  notices: { asks: true, ends: true, events: true },
} as const;
beforeEach(async () => {
  await stage.box.must('writePage', PLAIN);
});

const stored = async () => (await stage.box.must('readConfig', {})).page;
const ground = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

async function openSettings(page: Page): Promise<void> {
  await button(page, 'Settings').first().click();
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
}

test('[PG240] theme and density hold in every browser, at once and later', async () => {
  const one = await stage.open({ colorScheme: 'light' });
  const other = await stage.open({ colorScheme: 'light' });
  expect(await ground(one.page)).toBe('rgb(251, 251, 253)');
  await openSettings(one.page);
  await one.page.getByRole('radio', { name: 'Dark', exact: true }).check();
  await one.page.getByRole('radio', { name: 'Compact' }).check();
  await eventually(() => ground(other.page)).toBe('rgb(13, 15, 19)');
  await eventually(() => other.page.evaluate<string>('document.documentElement.dataset.density ?? ""')).toBe('compact');
  await eventually(stored).toMatchObject({ theme: 'dark', density: 'compact' });
  const third = await stage.open({ colorScheme: 'light' });
  await eventually(() => ground(third.page)).toBe('rgb(13, 15, 19)');
  expectClean(one, other, third);
});

test('[PG240] compact shows more in the same height', async () => {
  const id = await stage.box.create({ label: 'dense' });
  const visit = await stage.open({ conversationId: id });
  const height = () =>
    visit.page
      .getByRole('link', { name: /dense/ })
      .first()
      .evaluate((one) => one.getBoundingClientRect().height);
  const before = await height();
  await stage.box.must('writePage', { density: 'compact' });
  await eventually(async () => (await height()) < before).toBe(true);
});

test('[PG240] the first paint has the theme and the colors', async () => {
  await stage.box.must('writePage', { theme: 'dark', colors: { light: {}, dark: { ground: '#102030' } } });
  const visit = await stage.open({ colorScheme: 'light' });
  const { page } = visit;
  await eventually(() => ground(page)).toBe('rgb(16, 32, 48)');
  // Without the script of the page nothing but the head is there to give it its look.
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.reload({ waitUntil: 'commit' });
  await eventually(() => ground(page)).toBe('rgb(16, 32, 48)');
});

test('[PG241] keys are found, changed, taken from another act after a question, and set back', async () => {
  const visit = await stage.open();
  const { page } = visit;
  await openSettings(page);
  const keys = page.getByRole('list', { name: 'Keys', exact: true });
  await page.getByRole('searchbox', { name: 'Search keys' }).fill('show or hide');
  await eventually(() => keys.getByRole('listitem').count()).toBe(1);
  const change = () => keys.getByRole('button', { name: 'Change the key of: Show or hide conversations' });
  await change().click();
  await page.keyboard.press('Control+w');
  await page.getByText('Ctrl W is taken by the browser. Press another key.').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByText('Ctrl K is the key of “Commands and conversations”.').waitFor();
  expect(await stored()).toMatchObject({ keys: {} });
  await button(page, 'Use it here instead').click();
  await eventually(stored).toMatchObject({ keys: { sidebar: 'Ctrl K', palette: '' } });
  await page.getByRole('searchbox', { name: 'Search keys' }).fill('commands and');
  await keys.getByText('no key').waitFor();
  // Escape in a field with a text empties it first.
  await page.getByRole('searchbox', { name: 'Search keys' }).fill('');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const list = page.getByRole('navigation', { name: 'Conversations' });
  await list.waitFor();
  await page.keyboard.press('Control+k');
  await list.waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+k');
  await list.waitFor();
  await openSettings(page);
  await keys.getByRole('button', { name: 'Reset the key of: Commands and conversations' }).click();
  await page.getByText('Ctrl K is the key of “Show or hide conversations”.').waitFor();
  await button(page, 'Keep it there').click();
  await button(page, 'Reset all keys').click();
  await eventually(stored).toMatchObject({ keys: {} });
  await change().click();
  await page.keyboard.press('Escape');
  await change().waitFor();
  await change().click();
  await button(page, 'No key').click();
  await eventually(stored).toMatchObject({ keys: { sidebar: '' } });
  await keys.getByRole('button', { name: 'Reset the key of: Show or hide conversations' }).click();
  await eventually(stored).toMatchObject({ keys: {} });
  expectClean(visit);
});

test('[PG242] a color of the shown theme is changed, warned about if hard to read, and set back', async () => {
  const visit = await stage.open({ colorScheme: 'dark' });
  const { page } = visit;
  await openSettings(page);
  await button(page, 'Colors').click();
  await page.getByText('Colors of the dark theme.').waitFor();
  await page.getByLabel('Text', { exact: true }).fill('#303030');
  await eventually(stored).toMatchObject({ colors: { light: {}, dark: { ink: '#303030' } } });
  await page.getByText(/^Hard to read: contrast 1\.\d to 1/).waitFor();
  await eventually(() => page.evaluate<string>('getComputedStyle(document.body).color')).toBe('rgb(48, 48, 48)');
  await page.emulateMedia({ colorScheme: 'light' });
  await eventually(() => page.evaluate<string>('getComputedStyle(document.body).color')).toBe('rgb(22, 24, 29)');
  await page.emulateMedia({ colorScheme: 'dark' });
  await button(page, 'Reset Text').click();
  await eventually(stored).toMatchObject({ colors: { light: {}, dark: {} } });
  await eventually(() => page.evaluate<string>('getComputedStyle(document.body).color')).toBe('rgb(232, 234, 238)');
  await page.getByRole('radio', { name: 'High contrast, dark' }).check();
  await page.getByText('High contrast has colors of its own.').waitFor();
  expectClean(visit);
});

test('[PG244] nothing is notified about that was switched off', async () => {
  const probe = `window.shown = []; window.Notification = class { constructor(_, { body }) { window.shown.push(body); }
    static permission = 'granted'; static requestPermission() { return Promise.resolve('granted'); } };
    Object.defineProperty(document, 'hasFocus', { value: () => window.isAway !== true });`;
  const id = await stage.box.create({ approval: 'never' });
  const visit = await stage.open({ conversationId: id, probe });
  const { page } = visit;
  await openSettings(page);
  await page.getByRole('checkbox', { name: /^Notify me in this browser/ }).check();
  await page.getByRole('checkbox', { name: 'a turn is done' }).uncheck();
  await eventually(stored).toMatchObject({ notices: { asks: true, ends: false, events: true } });
  await page.keyboard.press('Escape');
  await page.evaluate('window.isAway = true');
  await say(page, script(stage.box, [{ say: 'first' }]));
  await row(page, 'status').nth(0).waitFor();
  await stage.box.must('writePage', { notices: PLAIN.notices });
  await say(page, script(stage.box, [{ say: 'second' }]));
  await row(page, 'status').nth(1).waitFor();
  await eventually(() => page.evaluate<string[]>('window.shown')).toHaveLength(1);
});

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Every text below 7:1, or 4.5:1 where it is large. */
async function weakTexts(page: Page, screen: string): Promise<string[]> {
  await page.evaluate(axe.source);
  const all = await page.evaluate<Violation[]>(
    `axe.run(document, { runOnly: ['color-contrast', 'color-contrast-enhanced'] }).then((result) => result.violations)`,
  );
  return all.flatMap((one) => one.nodes.map((node) => `${screen}: ${node.html.slice(0, 160)} ${node.failureSummary}`));
}

let full = '';
let asking = '';
const run = (cmd: string) => ({ call: 'exec_command', args: { cmd, login: false } });
beforeAll(async () => {
  const { box } = stage;
  full = await box.create({ approval: 'never', label: 'with everything' });
  const patch = '*** Begin Patch\n*** Add File: contrast.txt\n+one\n*** End Patch\n';
  const code = '```ts\n// a comment\nconst a: number = 1; export { a as "b" };\n```';
  const word = script(
    box,
    [
      { think: '**Thinking** of it' },
      run("printf '\\033[31mred\\033[32mgreen\\033[34mblue\\033[35mviolet\\033[90mgrey\\033[0m\\n'; exit 2"),
    ],
    [{ custom: 'apply_patch', input: patch }],
    [{ say: `# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n${code}\n\n> quoted\n\n[link](https://example.org)` }],
  );
  await box.must('shellExec', { conversation_id: full, command: 'seq 100; false' });
  const watcher = await box.watch(full);
  await box.must('sendMessage', { conversation_id: full, text: word });
  await watcher.turnEnd();
  asking = await box.create({ approval: 'untrusted' });
  const other = await box.watch(asking);
  await box.must('sendMessage', { conversation_id: asking, text: script(box, [run('touch axe')], [{ say: 'done' }]) });
  await other.approval();
});

/** Seven screens, and axe looks at every element of each; a busy machine needs its time. */
const AXE_MS = 90_000;

for (const scheme of ['light', 'dark'] as const) {
  test(
    `[PG243] in high contrast every text has at least 7:1: ${scheme}`,
    async () => {
      await stage.box.must('writePage', { theme: `contrast_${scheme}` });
      const visit = await stage.open({ colorScheme: scheme === 'light' ? 'dark' : 'light' });
      const { page } = visit;
      await eventually(() => ground(page)).toBe(scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(0, 0, 0)');
      const found = await weakTexts(page, 'home');
      await visit.go(full);
      await transcript(page).getByText('Title').waitFor();
      found.push(...(await weakTexts(page, 'conversation')));
      await visit.shot(`contrast-${scheme}`);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      found.push(...(await weakTexts(page, 'palette')));
      await page.keyboard.press('Escape');
      await openSettings(page);
      found.push(...(await weakTexts(page, 'settings')));
      await page.keyboard.press('Escape');
      for (const panel of ['Events', 'Board', 'Shells']) {
        await button(page, panel).first().click();
        found.push(...(await weakTexts(page, panel)));
      }
      await visit.go(asking);
      await dock(page).waitFor();
      found.push(...(await weakTexts(page, 'request')));
      await visit.shot(`contrast-request-${scheme}`);
      expect(found).toEqual([]);
    },
    AXE_MS,
  );
}

test('[PG240] the settings fit on a phone', async () => {
  const visit = await stage.open({ viewport: PHONE, isTouch: true });
  const { page } = visit;
  await page.evaluate('dispatchEvent(new KeyboardEvent("keydown", { key: ",", code: "Comma", ctrlKey: true }))');
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  await visit.shot('settings-phone');
  expect(await sideways(page)).toEqual([]);
});
