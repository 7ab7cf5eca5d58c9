/** The settings of the page over the API: who may write them, what is refused, and that they outlive the server. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

const stored = async () => (await box.must('readConfig', {})).page;

test('[PG245] only a person at the page changes the settings of the page', async () => {
  const refused = await box.call('writePage', { theme: 'dark' }, 'token');
  expect(refused).toMatchObject({ status: 403, ok: false });
  expect(await stored()).toMatchObject({ theme: 'system' });
});

test('[PG242] colors that are no plain colors, and names that are no colors, are refused', async () => {
  const dark = [
    { ink: 'transparent' },
    { ink: '#11223344' },
    { ink: 'url(https://example.org/x.png)' },
    { ink: 'var(--ground)' },
    { ink: '#123456;background:red' },
    { s1: '#123456' },
    { 'ink;}body{display': '#123456' },
  ];
  for (const colors of dark) {
    const answer = await box.call('writePage', { colors: { light: {}, dark: colors } } as never);
    expect([colors, answer.status]).toEqual([colors, 400]);
  }
  expect(await stored()).toMatchObject({ colors: { light: {}, dark: {} } });
});

test('[PG241] two acts with one key, a key of a request and an unknown act are refused, by name', async () => {
  const twice = await box.call('writePage', { keys: { find: 'Ctrl B' } });
  expect(twice).toMatchObject({ status: 400, body: { message: 'Ctrl B is the key of both "find" and "sidebar"' } });
  expect(await box.call('writePage', { keys: { find: 'Y' } })).toMatchObject({ status: 400 });
  expect(await box.call('writePage', { keys: { nonsense: 'Ctrl J' } } as never)).toMatchObject({ status: 400 });
  expect(await box.call('writePage', { keys: { find: 'Ctrl  J' } })).toMatchObject({ status: 400 });
  expect(await stored()).toMatchObject({ keys: {} });
});

test('[PG245] the settings outlive the server; a file that somebody else wrote counts for nothing', async () => {
  await box.must('writePage', { theme: 'contrast_dark', keys: { find: 'Ctrl J' } });
  await box.must('writePage', { density: 'compact' });
  await box.restart();
  expect(await stored()).toMatchObject({ theme: 'contrast_dark', density: 'compact', keys: { find: 'Ctrl J' } });
  const path = join(box.home, 'page.json');
  await writeFile(path, (await readFile(path, 'utf8')).replace('contrast_dark', 'light'));
  await box.restart();
  expect(await stored()).toMatchObject({ theme: 'system', density: 'comfortable', keys: {} });
});
