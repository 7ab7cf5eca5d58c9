/** [CH34] Which paths of a work tree belong to Signalbox or Codex. */
import { expect, test } from 'vitest';
import { closedWithin, isClosedPath, openPathspecs } from './closed-folders.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('[CH34] the folders inside a work tree are closed, and a work tree inside such a folder is closed as a whole', () => {
  const folders = ['/home/a/.local/share/signalbox', '/home/a/.codex'];
  expect(closedWithin('/home/a', folders)).toEqual(['.local/share/signalbox', '.codex']);
  expect(closedWithin('/', folders)).toEqual(['home/a/.local/share/signalbox', 'home/a/.codex']);
  expect(closedWithin('/home/a/.codexes', folders)).toEqual([]);
  expect(closedWithin('/home/a/.codex', folders)).toBeNull();
  expect(closedWithin('/home/a/.codex/x', folders)).toBeNull();
});

test('[CH34] a path is closed by whole names, also with bytes that are no UTF-8 behind the folder', () => {
  const closed = ['.codex', 'dé'];
  for (const path of ['.codex', '.codex/', '.codex/auth.json', 'dé/x'])
    expect(isClosedPath(bytes(path), closed)).toBe(true);
  for (const path of ['.codexes', '.code', 'x/.codex', 'd/x', ''])
    expect(isClosedPath(bytes(path), closed)).toBe(false);
  expect(isClosedPath(Uint8Array.from([...bytes('.codex/'), 0xff]), closed)).toBe(true);
});

test('[CH34] git is asked for paths by their letters, whatever signs are in them', () => {
  expect(openPathspecs(undefined, [])).toEqual(['--']);
  expect(openPathspecs(':(exclude)x', [])).toEqual(['--', ':(exclude)x']);
  expect(openPathspecs(':(glob)**', ['a'])).toEqual(['--', ':(top,literal):(glob)**', ':(top,exclude,literal)a']);
});
