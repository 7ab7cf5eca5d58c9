/** The warning about a directory that contains the folders rights hang on. */
import { expect, test } from 'vitest';
import { describeExposure } from './describe-exposure.ts';

const folders = { home: '/h/u/.local/share/signalbox', codexHome: '/h/u/.codex', configDir: '/h/u/.config/signalbox' };

test.each([
  ['/h/u', ['.local/share/signalbox', '.codex', '.config/signalbox']],
  ['/', ['.local/share/signalbox', '.codex', '.config/signalbox']],
  ['/h/u/.local', ['.local/share/signalbox']],
  ['/h/u/.codex', ['.codex']],
])('[AG6] the warning about %s names what it contains, what is protected and what is not', (cwd, named) => {
  const text = describeExposure(cwd, folders) ?? '';
  expect(text).toMatch(`The directory of this conversation, ${cwd}, contains`);
  for (const folder of Object.values(folders))
    expect(text.includes(`(${folder})`), folder).toBe(named.some((name) => folder.endsWith(name)));
  expect(text).toMatch('Protected: a sandboxed command cannot change these folders');
  expect(text).toMatch('Not protected: every other file in this directory');
});

test.each(['/h/u/project', '/h/u/.codex/skills', '/h/u/.cod', '/h/user'])('[AG6] %s contains none of them', (cwd) => {
  expect(describeExposure(cwd, folders)).toBeNull();
});
