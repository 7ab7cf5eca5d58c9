/** Framework Shells in a browser: the list, a log, and what can be done. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { button, DESKTOP, eventually, expectClean, PHONE, setStage, sideways } from './stage.ts';

const SPEC = `version: "1"
shells:
  counter:
    backend: proc
    command: 'for i in $(seq 1 3000); do echo "line $i of the log"; done; printf "\\033[31mred words\\033[0m\\n"; exec sleep 600'
    subgroups: [dev]
    ui: {title: Counter, description: Counts and then waits}
  echo:
    backend: pipe
    command: [cat]
    subgroups: [dev]
    ui: {title: Echo}
  broken:
    backend: proc
    command: "echo before the end; exit 3"
    ui: {title: Broken}
`;

const stage = setStage();
beforeAll(async () => {
  const file = join(stage.box.project, 'dev.yaml');
  await writeFile(file, SPEC);
  await stage.box.must('upShells', { file });
  await stage.box.must('initialize', {});
});

const drawer = (page: Page) => page.getByRole('region', { name: 'Drawer' });
const group = (page: Page, name: string) => drawer(page).getByRole('region', { name, exact: true });
const shellRow = (page: Page, title: string) => drawer(page).getByRole('listitem').filter({ hasText: title });
const logBox = (page: Page, title: string) => drawer(page).getByRole('region', { name: `What ${title} writes` });

/** The last line lies within the box of the log, and the lines fill it. */
const isEndInView = (page: Page) => async (): Promise<boolean> => {
  const log = logBox(page, 'Counter');
  const [end, first, box] = await Promise.all([
    log.getByText('red words').boundingBox(),
    log.getByText('of the log').first().boundingBox(),
    log.boundingBox(),
  ]);
  return end !== null && first !== null && box !== null && end.y + end.height <= box.y + box.height && first.y <= box.y;
};

/** The page at `/fws/`, with its list there. */
async function openShells(size = DESKTOP) {
  const visit = await stage.open({ viewport: size, isTouch: size === PHONE });
  await visit.page.goto(`${stage.box.url()}/fws/`);
  await shellRow(visit.page, 'Counter').waitFor();
  return visit;
}

test('[SH23] /fws/ shows every shell by group, with state, CPU and memory, live', async () => {
  const visit = await openShells();
  const { page } = visit;
  await eventually(() => group(page, 'app_server').innerText()).toMatch(
    /Codex[\s\S]*% CPU · \d+ MB[\s\S]*Running|Codex[\s\S]*Running/,
  );
  await eventually(() => group(page, 'dev').innerText()).toMatch(/Counter[\s\S]*Echo/);
  await eventually(() => shellRow(page, 'Counter').innerText()).toMatch(/\d+\.\d % CPU · \d+ MB/);
  await eventually(() => group(page, 'other').innerText()).toMatch(/Broken[\s\S]*Failed · exit 3/);
  await visit.shot('shells-wide');
  await button(page, 'Stop Echo').click();
  await eventually(() => shellRow(page, 'Echo').getAttribute('data-state')).toBe('stopped');
  await button(page, 'Start Echo').click();
  await eventually(() => shellRow(page, 'Echo').getAttribute('data-state')).toBe('running');
  await button(page, 'Forget Broken and its log').click();
  await eventually(() => shellRow(page, 'Broken').count()).toBe(0);
  expectClean(visit);
});

test('[SH23] a log follows its end, is scrolled back, searched, and typed to', async () => {
  const visit = await openShells();
  const { page } = visit;
  await button(page, 'Log of Counter').click();
  const log = logBox(page, 'Counter');
  await eventually(() => log.innerText()).toContain('red words');
  expect(await log.getByText('red words').getAttribute('class')).toMatch(/fg1/);
  await eventually(isEndInView(page)).toBe(true);
  const isFollowing = () => button(page, 'Follow the end').getAttribute('aria-pressed');
  expect(await isFollowing()).toBe('true');
  await log.evaluate((one) => {
    one.scrollTop = 0;
  });
  await eventually(isFollowing).toBe('false');
  await button(page, 'Show earlier').click();
  await eventually(() => log.innerText()).toContain('line 1 of the log');
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('LINE 2999 of');
  await eventually(() => log.innerText()).toBe('line 2999 of the log');
  await visit.shot('shells-search');
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('');
  await button(page, 'All shells').click();
  await button(page, 'Log of Echo').click();
  await page.getByRole('textbox', { name: 'A line for Echo' }).fill('typed in the page');
  await page.keyboard.press('Enter');
  await eventually(() => logBox(page, 'Echo').innerText()).toContain('typed in the page');
  expectClean(visit);
});

test('[SH23] a part of Signalbox is stopped only after a question, and started again from here', async () => {
  const visit = await openShells();
  const { page } = visit;
  const state = async () => (await stage.box.must('status', {})).codex.state;
  await button(page, 'Stop Codex').click();
  const dialog = page.getByRole('dialog', { name: 'Stop Codex?' });
  await dialog.waitFor();
  await visit.shot('shells-question');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await state()).toBe('ready');
  await button(page, 'Stop Codex').click();
  await dialog.getByRole('button', { name: 'Stop it' }).click();
  await eventually(state).toBe('stopped');
  await drawer(page).getByRole('button', { name: 'Start Codex' }).click();
  await eventually(state).toBe('ready');
  expectClean(visit);
});

test('[SH23] on a phone the list and the log fit, and the drawer is there from the header too', async () => {
  const visit = await openShells(PHONE);
  const { page } = visit;
  await visit.shot('shells-phone');
  expect(await sideways(page)).toEqual([]);
  await button(page, 'Log of Counter').click();
  await eventually(() => logBox(page, 'Counter').innerText()).toContain('red words');
  await eventually(isEndInView(page)).toBe(true);
  await visit.shot('shells-phone-log');
  expect(await sideways(page)).toEqual([]);
  expectClean(visit);
});
