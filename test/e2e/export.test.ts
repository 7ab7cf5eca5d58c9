/** A conversation saved as a file from the page: the same document that the command line prints. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { composer, expectClean, say, setStage, turnsDone } from './stage.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');
const stage = setStage({ isDemo: true, flags: ['--demo'] });

async function saved(page: Page, act: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

test('[PG67] by /export and by the palette, each format is what the command line prints', async () => {
  const { id, page, visit } = await stage.fresh({ label: 'Fix: the/parser' });
  await say(page, 'Show me Markdown');
  await turnsDone(page);
  const printed = async (format: string) => {
    const args = [MAIN, '--home', stage.box.home, 'conversations', 'export', id, '--format', format];
    return (await promisify(execFile)(process.execPath, args)).stdout;
  };

  const html = await saved(page, async () => {
    await composer(page).fill('/export ht');
    await page.getByRole('option', { name: /HTML/ }).waitFor();
    await page.keyboard.press('Enter');
  });
  expect(html.name).toBe('Fix the parser.html');
  expect(html.text).toBe(await printed('html'));
  expect(html.text).toContain('<table>');
  await page.getByText('Saved as Fix the parser.html.').waitFor();

  for (const [format, label] of [
    ['md', 'Export as Markdown'],
    ['json', 'Export as JSON'],
  ] as const) {
    const file = await saved(page, async () => {
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Commands and conversations' });
      await palette.getByRole('combobox').fill(label);
      await palette.getByRole('option', { name: label }).waitFor();
      await page.keyboard.press('Enter');
    });
    expect(file.name).toBe(`Fix the parser.${format}`);
    // The settings of the conversation go on changing: the page notes how far it was read.
    const entries = (text: string) => (format === 'json' ? JSON.parse(text).entries : text);
    expect(entries(file.text)).toEqual(entries(await printed(format)));
  }
  expectClean(visit);
});
