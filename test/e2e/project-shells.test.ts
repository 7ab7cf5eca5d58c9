/** The shells of the open conversation's project, started from the Shells drawer. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { button, DESKTOP, eventually, expectClean, PHONE, setStage, sideways } from './stage.ts';

const stage = setStage();

const SERVER = "require('http').createServer((q, r) => r.end('hello')).listen(process.argv[1], '127.0.0.1')";
const SPEC = `version: "1"
shells:
  web:
    backend: proc
    command: ["node", "-e", ${JSON.stringify(SERVER)}, "\${free_port}"]
    env: { GREETING: "a value" }
  quiet:
    backend: proc
    command: [sleep, "600"]
    ui: { title: Quiet one }
`;

const drawer = (page: Page) => page.getByRole('region', { name: 'Drawer' });
const offered = (page: Page) => drawer(page).getByRole('region', { name: 'Shells of this project' });
const shellRow = (page: Page, title: string) => drawer(page).locator('[data-shell]').filter({ hasText: title });
const ownShells = async () =>
  (await stage.box.must('listShells', {})).shells.filter((shell) => !shell.is_infrastructure);

/** A conversation in a project of its own, with the Shells drawer open. */
async function openProject(name: string, spec: string, size = DESKTOP) {
  const cwd = join(stage.box.dir, name);
  await mkdir(cwd, { recursive: true });
  const file = join(cwd, 'shellspec.yaml');
  await writeFile(file, spec);
  const { visit, page } = await stage.fresh({ cwd }, { viewport: size, isTouch: size === PHONE });
  await openDrawer(page);
  return { visit, page, file };
}

async function openDrawer(page: Page) {
  const own = button(page, 'Shells');
  await ((await own.isVisible()) ? own : button(page, 'Drawer')).click();
  if (!(await offered(page).isVisible())) await drawer(page).getByRole('button', { name: 'Shells' }).click();
  await offered(page).waitFor();
}

test('[SH66] a shell of the project is started from the drawer after its command was shown', async () => {
  const { visit, page } = await openProject('offering', SPEC);
  await offered(page).getByText('node -e').waitFor();
  await visit.shot('project-shells');
  expect(await ownShells()).toEqual([]);
  await button(page, 'Start web…').click();
  const dialog = page.getByRole('dialog', { name: 'Start web?' });
  const shown = await dialog.innerText();
  expect(shown).toContain(`node -e "${SERVER}" '\${free_port}'`);
  expect(shown).toContain('GREETING=a value');
  expect(shown).toContain('shellspec.yaml');
  await visit.shot('project-shells-question');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await ownShells()).toEqual([]);
  await button(page, 'Start web…').click();
  await dialog.getByRole('button', { name: 'Start', exact: true }).click();
  await eventually(() => shellRow(page, 'web').getAttribute('data-state')).toBe('running');
  // Its name, not its id; and it is no longer offered.
  expect(await shellRow(page, 'web').innerText()).toMatch(/^web\n/);
  await eventually(() => button(page, 'Start web…').count()).toBe(0);
  const link = shellRow(page, 'web').getByRole('link', { name: /^localhost:\d+$/ });
  await link.waitFor();
  await visit.shot('project-shells-running');
  const href = (await link.getAttribute('href')) ?? '';
  expect(href).toMatch(/^http:\/\/localhost:\d+\/$/);
  await link.click();
  await page.getByRole('dialog').getByText(href, { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  expect(await (await fetch(href.replace('localhost', '127.0.0.1'))).text()).toBe('hello');
  await button(page, 'Stop web').click();
  await eventually(() => shellRow(page, 'web').getAttribute('data-state')).toBe('stopped');
  await stage.box.must('purgeShells', {});
  expectClean(visit);
});

test('[SH66] a file that changed after it was shown starts nothing and is shown anew', async () => {
  const { visit, page, file } = await openProject('changing', SPEC);
  await button(page, 'Start Quiet one…').click();
  const dialog = page.getByRole('dialog', { name: 'Start Quiet one?' });
  await dialog.getByText('sleep 600').waitFor();
  await writeFile(file, SPEC.replace('"600"', '"601"'));
  await dialog.getByRole('button', { name: 'Start', exact: true }).click();
  await dialog.getByText('sleep 601').waitFor();
  await dialog.getByText('The file has changed').waitFor();
  expect(await ownShells()).toEqual([]);
  await visit.shot('project-shells-changed');
  await dialog.getByRole('button', { name: 'Start', exact: true }).click();
  await eventually(() => shellRow(page, 'Quiet one').getAttribute('data-state')).toBe('running');
  const [own] = await ownShells();
  expect(own?.command).toEqual(['sleep', '601']);
  await stage.box.must('stopShell', { id: own?.id ?? '' });
  await stage.box.must('purgeShells', {});
  // The refused start is an answer of the server that the browser logs.
  expect(visit.problems.page).toEqual([]);
});

test('[SH66] a long command is started only after its end was in view, also on a phone', async () => {
  const long = Array.from({ length: 120 }, (_none, at) => `echo line-${at}`).join('; ');
  const spec = `version: "1"\nshells:\n  long:\n    backend: proc\n    command: ${JSON.stringify(long)}\n`;
  const { visit, page } = await openProject('long', spec, PHONE);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await sideways(page)).toEqual([]);
  await visit.shot('project-shells-phone');
  await button(page, 'Start long…').click();
  const dialog = page.getByRole('dialog', { name: 'Start long?' });
  const start = dialog.getByRole('button', { name: 'Start', exact: true });
  await dialog.getByText('line-119').waitFor();
  await visit.shot('project-shells-phone-question');
  expect(await start.isDisabled()).toBe(true);
  await button(page, 'Show the end').click();
  await eventually(() => start.isDisabled()).toBe(false);
  expect(await sideways(page)).toEqual([]);
  expectClean(visit);
});
