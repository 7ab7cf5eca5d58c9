/** What names a file is a link, whoever named it; the viewer beside the conversation shows the line. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { NewEntry } from '../../src/contract/entry.ts';
import { button, composer, eventually, expectClean, PHONE, row, setStage, sideways } from './stage.ts';
import { openTerminal, pane, runLine } from './terminal-words.ts';
import { writeTranscripts } from './write-transcript.ts';

const stage = setStage();
let id = '';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAAAgCAIAAAAt/+nTAAAANElEQVR42u3PMQEAAAgDIJfc6FpjDwRgktVEbaqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrxAQ8AAQHWjq1nAAAAAElFTkSuQmCC';
const CODE = Array.from({ length: 400 }, (_, at) => `export const value${at + 1} = ${at + 1}; // a comment`).join('\n');

const ANSWER = `The fault is in \`src/parser.ts:212\`, see also [the lexer](src/lexer.ts#L3) and src/parser.ts:7.

![a picture](docs/picture.png)

![no picture](docs/fake.png) Escape with [this](javascript:alert(1)).`;

const past: NewEntry[] = [
  { role: 'user', text: 'look at src/lexer.ts:2' },
  { role: 'assistant', text: ANSWER, status: 'completed' },
  {
    role: 'command',
    command: 'node run.js',
    cwd: '',
    output: 'Error: no\n    at parse (sub/deep.js:5:9)\n',
    exit_code: 1,
    duration_ms: 40,
    status: 'completed',
    actions: [],
  },
  {
    role: 'diff',
    diff: 'diff --git a/src/lexer.ts b/src/lexer.ts\n--- a/src/lexer.ts\n+++ b/src/lexer.ts\n@@ -3,1 +3,1 @@\n-old\n+new\n',
    status: 'applied',
    diff_id: 'd1',
    files: [{ path: 'src/lexer.ts', kind: 'update' }],
  },
];

beforeAll(async () => {
  const { project } = stage.box;
  for (const path of ['src', 'docs', 'sub']) await mkdir(join(project, path), { recursive: true });
  await writeFile(join(project, 'src/parser.ts'), CODE);
  await writeFile(join(project, 'src/lexer.ts'), 'one\ntwo\nthree\n');
  await writeFile(join(project, 'sub/deep.js'), Array.from({ length: 9 }, (_, at) => `deep ${at + 1}`).join('\n'));
  await writeFile(join(project, 'docs/picture.png'), Buffer.from(PNG, 'base64'));
  await writeFile(join(project, 'docs/fake.png'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  [id = ''] = await writeTranscripts(stage.box, past);
});

const viewer = (page: Awaited<ReturnType<typeof stage.open>>['page']) =>
  page.getByRole('region', { name: 'File', exact: true });

test('[PG160][PG161] names in answers, messages, output and diffs open the viewer at their line', async () => {
  const visit = await stage.open({ conversationId: id });
  const { page } = visit;
  const view = viewer(page);
  const here = view.locator('[aria-current="true"]');
  await row(page, 'assistant').getByRole('link', { name: 'src/parser.ts:212' }).click();
  await eventually(() => here.innerText()).toContain('value212');
  await view.getByText('src/parser.ts', { exact: true }).waitFor();
  expect(await here.isVisible()).toBe(true);
  await eventually(() => here.locator('span[class*="number"], span[class*="keyword"]').count()).toBeGreaterThan(0);
  await visit.shot('viewer-1280-dark');
  await row(page, 'assistant').getByRole('link', { name: 'the lexer' }).click();
  await eventually(() => here.innerText()).toContain('three');
  await row(page, 'assistant').getByRole('link', { name: 'src/parser.ts:7' }).click();
  await eventually(() => here.innerText()).toContain('value7 ');
  await row(page, 'user').getByRole('link', { name: 'src/lexer.ts:2' }).press('Enter');
  await eventually(() => here.innerText()).toContain('two');
  await row(page, 'command').getByRole('link', { name: 'sub/deep.js:5:9' }).click();
  await eventually(() => here.innerText()).toContain('deep 5');
  await row(page, 'diff').getByRole('link', { name: 'Open src/lexer.ts' }).click();
  await eventually(() => view.innerText()).toContain('three');
  expect(await row(page, 'assistant').getByRole('link', { name: 'this' }).count()).toBe(0);
  expectClean(visit);
});

test('[PG161] more of a long file is loaded on demand, and what cannot be shown is said', async () => {
  const { page } = await stage.open({ conversationId: id });
  await writeFile(
    join(stage.box.project, 'src/long.ts'),
    Array.from({ length: 3_000 }, (_, at) => `row ${at + 1}`).join('\n'),
  );
  await row(page, 'user').getByRole('link', { name: 'src/lexer.ts:2' }).click();
  const view = viewer(page);
  await view.getByText('two').waitFor();
  await row(page, 'assistant').getByRole('link', { name: 'no picture' }).click();
  await view.getByText('<svg xmlns="http://www.w3.org/2000/svg"/>').waitFor();
});

test('[PG161] the viewer mentions the place in the message, copies the path and opens an editor', async () => {
  const visit = await stage.open({ conversationId: id });
  const { page } = visit;
  await row(page, 'assistant').getByRole('link', { name: 'src/parser.ts:212' }).click();
  const view = viewer(page);
  await view.getByText('value212').first().waitFor();
  await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await view.getByRole('button', { name: 'Copy path' }).click();
  await eventually(() => page.evaluate('navigator.clipboard.readText()')).toBe('src/parser.ts');
  const path = join(stage.box.project, 'src/parser.ts');
  const editor = view.getByRole('link', { name: 'Open in VS Code' });
  expect(await editor.getAttribute('href')).toBe(`vscode://file${path}:212`);
  await view.getByRole('button', { name: 'Mention in message' }).click();
  expect(await composer(page).inputValue()).toBe('@src/parser.ts:212 ');
  await view.getByRole('button', { name: 'Choose editor' }).click();
  await page.getByRole('menuitemradio', { name: 'Cursor' }).click();
  expect(await view.getByRole('link', { name: 'Open in Cursor' }).getAttribute('href')).toBe(
    `cursor://file${path}:212`,
  );
  await view.getByRole('button', { name: 'Choose editor' }).click();
  await page.getByRole('menuitemradio', { name: /^Another/ }).click();
  await view.getByRole('textbox', { name: /address or command/i }).fill('echo edit {path}:{line}');
  await view.getByRole('button', { name: 'Open in editor' }).click();
  await row(page, 'shell_output').getByText(`edit ${path}:212`).first().waitFor();
});

test('[TP30] a name on the screen of the terminal opens the viewer, from where the shell is', async () => {
  const { page } = await stage.fresh();
  await openTerminal(page);
  await runLine(page, 'cd sub && echo deep.js:4');
  const name = pane(page).locator('.xterm-rows > div', { hasText: /^deep\.js:4$/ });
  await eventually(async () => {
    if (await name.isVisible()) {
      await name.hover({ position: { x: 20, y: 6 }, force: true });
      await name.click({ position: { x: 20, y: 6 }, force: true });
    }
    return viewer(page).locator('[aria-current="true"]').isVisible();
  }).toBe(true);
  expect(await viewer(page).locator('[aria-current="true"]').innerText()).toContain('deep 4');
});

test('[PG162] an image of the project is shown, by its bytes; nothing else is fetched', async () => {
  const visit = await stage.open({ conversationId: id });
  const { page } = visit;
  const picture = row(page, 'assistant').getByRole('img', { name: 'a picture' });
  await picture.waitFor();
  expect(await picture.getAttribute('src')).toMatch(/^data:image\/png;base64,/);
  await eventually(() => page.evaluate(`document.querySelector('img[alt="a picture"]').naturalWidth`)).toBe(64);
  await row(page, 'assistant').getByRole('link', { name: 'no picture' }).waitFor();
  await page.setViewportSize(PHONE);
  await row(page, 'assistant').getByRole('link', { name: 'src/parser.ts:212' }).click();
  await viewer(page).getByText('value212').first().waitFor();
  expect(await sideways(page)).toEqual([]);
  await visit.shot('viewer-phone-dark');
  await button(page, 'Close the drawer').click();
  expectClean(visit);
});
