/** What the first visit costs: the scripts that index.html loads. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const WEB = join(import.meta.dirname, '../../dist/web');
/** What was reached when the rarely shown parts left the first load, and 1 KB for growth. */
const MAX_GZIP_BYTES = 179_000;
/** The entry, the runtime of the bundler and all else: many small files compress worse. */
const MAX_FILES = 3;

async function firstScripts(): Promise<string[]> {
  const html = await readFile(join(WEB, 'index.html'), 'utf8');
  const paths = [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path]) => path ?? '');
  return Promise.all(paths.map((path) => readFile(join(WEB, path), 'utf8')));
}

test('[PG18] the first load is at most 179,000 bytes of compressed script in three files', async () => {
  const scripts = await firstScripts();
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.length).toBeLessThanOrEqual(MAX_FILES);
  const bytes = scripts.reduce((sum, text) => sum + gzipSync(text).length, 0);
  expect(bytes).toBeLessThanOrEqual(MAX_GZIP_BYTES);
});

test('[PG18] terminal and plot are not part of it', async () => {
  for (const text of await firstScripts()) expect(text).not.toMatch(/xterm|u-legend|uplot/i);
});

test('[PG220] the palette and find are not part of it', async () => {
  for (const text of await firstScripts()) expect(text).not.toMatch(/\[data-suggested\] > button|found-current/);
});

test('[PG18] the diff view is not part of it', async () => {
  for (const text of await firstScripts()) expect(text).not.toContain('@@ -(');
});
