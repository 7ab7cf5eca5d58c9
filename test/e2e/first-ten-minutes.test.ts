/** `docs/user/first-ten-minutes.md` in the page, word for word: its prompts, its keys, and where it says things are. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { button, composer, dock, eventually, expectClean, row, say, setStage, turnsDone } from './stage.ts';

const DOCUMENT = resolve(import.meta.dirname, '../../docs/user/first-ten-minutes.md');
const stage = setStage({ isDemo: true, flags: ['--demo'] });

test('[DC15] what the document tells a person to try works as it says', async () => {
  const document = await readFile(DOCUMENT, 'utf8');
  const prompts = [...document.matchAll(/^- `([^`]+)`/gm)].map(([, prompt]) => prompt ?? '');
  expect(prompts).toEqual(['Run ls -la', 'Create hello.txt', 'Run id -un outside the sandbox']);
  const { page, visit } = await stage.fresh();
  const [list = '', create = '', ask = ''] = prompts;

  await say(page, list);
  await turnsDone(page);
  await eventually(() => row(page, 'command').innerText()).toContain('exit 0');

  await say(page, create);
  await turnsDone(page, 2);
  expect(await readFile(join(stage.box.project, 'hello.txt'), 'utf8')).not.toBe('');

  // "Codex asks, and you answer with `y` or `n`": the message box is empty and keeps the focus.
  await say(page, ask);
  await page.locator('[data-keys="ready"]').waitFor();
  await page.keyboard.press('y');
  await turnsDone(page, 3);
  expect(await composer(page).inputValue()).toBe('');

  // "*Sign in* above the message box".
  const signIn = await page.getByRole('button', { name: 'Sign in' }).boundingBox();
  const box = await composer(page).boundingBox();
  expect((box?.y ?? 0) - (signIn?.y ?? 0)).toBeGreaterThan(0);
  expect((box?.y ?? 0) - (signIn?.y ?? 0)).toBeLessThan(60);

  // "While Codex works": the keys of the table.
  await say(page, 'Run `sleep 60` outside the sandbox');
  await dock(page).waitFor();
  await button(page, 'Stop').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await turnsDone(page, 4);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands and conversations' }).waitFor();
  expectClean(visit);
});
