/** Ghost text, Tab and ↑ of shell mode. */
import { describe, expect, test } from 'vitest';
import { AT_NOW, completeWord, escapePath, ghostOf, stepHistory, wordAt } from './ghost.ts';

describe('ghost text', () => {
  const history = ['npm test', 'ls', 'npm run build', 'for x in 1\ndo'];
  test('[TP4] is the rest of the newest command that begins so', () => {
    expect(ghostOf('npm', history, [])).toBe(' run build');
    expect(ghostOf('npm t', history, [])).toBe('est');
    expect(ghostOf('npm test', history, [])).toBe('');
    expect(ghostOf('', history, [])).toBe('');
    expect(ghostOf('for', history, [])).toBe('');
  });
  test('or of the only path', () => {
    expect(ghostOf('cat READ', history, ['README.md'])).toBe('ME.md');
    expect(ghostOf('cat R', history, ['README.md', 'RELEASE.md'])).toBe('');
    expect(ghostOf('cat ', history, ['README.md'])).toBe('');
    expect(ghostOf('cat my', history, ['my file'])).toBe('\\ file');
  });
});

test('the word at the caret, as the shell takes it', () => {
  expect(wordAt('cat src/a', 9)).toEqual({ word: 'src/a', start: 4 });
  expect(wordAt('cat my\\ fi', 10)).toEqual({ word: 'my fi', start: 4 });
  expect(wordAt('A=x;ls>out', 10)).toEqual({ word: 'out', start: 7 });
  expect(wordAt('ls ', 3)).toEqual({ word: '', start: 3 });
});

describe('Tab', () => {
  test('[TP4] one fitting path goes in whole, part by part', () => {
    expect(completeWord('READ', ['README.md', 'x'])).toEqual({ insert: 'README.md ', choices: [] });
    expect(completeWord('sr', ['src/web/App.tsx', 'src/core/a.ts'])).toEqual({ insert: 'src/', choices: [] });
    expect(completeWord('my', ['my file'])).toEqual({ insert: 'my\\ file ', choices: [] });
  });
  test('of several, what they share, and the choice', () => {
    expect(completeWord('a', ['abc1', 'abc2', 'b'])).toEqual({ insert: 'abc', choices: ['abc1', 'abc2'] });
  });
  test('none', () => {
    expect(completeWord('zz', ['a'])).toBeNull();
  });
  test('letters a shell would take otherwise are escaped', () => {
    expect(escapePath("a'b$(c)")).toBe("a\\'b\\$\\(c\\)");
  });
});

describe('↑ and ↓', () => {
  const history = ['ls', 'git status', 'git log', 'ls'];
  test('[TP4] go through what begins so, each once', () => {
    const first = stepHistory(history, AT_NOW, 1, 'git');
    expect(first?.text).toBe('git log');
    const second = stepHistory(history, first?.place ?? AT_NOW, 1, 'git log');
    expect(second?.text).toBe('git status');
    expect(stepHistory(history, second?.place ?? AT_NOW, 1, 'git status')).toBeNull();
    const back = stepHistory(history, second?.place ?? AT_NOW, -1, 'git status');
    expect(back?.text).toBe('git log');
    expect(stepHistory(history, back?.place ?? AT_NOW, -1, 'git log')?.text).toBe('git');
  });
  test('from an empty prompt, all; below it nothing', () => {
    expect(stepHistory(history, AT_NOW, 1, '')?.text).toBe('ls');
    expect(stepHistory(history, AT_NOW, -1, '')).toBeNull();
  });
});
