/** What is shown of the warnings of Codex that belong to no thread. */
import { expect, test } from 'vitest';
import { addWarning } from './codex-warnings.ts';
import type { Signal } from './signal.ts';

const warning = (text: string, threadId: string | null = null): Signal => ({
  type: 'warning',
  threadId,
  text,
  code: 'config',
});

test('[CX32] a warning of no thread is kept once, the newest five of them, each within a length', () => {
  const list = addWarning(addWarning([], warning('one')), warning(' one\n'));
  expect(list).toEqual(['one']);
  expect(addWarning(list, warning('two', 'thread'))).toBe(list);
  expect(addWarning(list, warning('  '))).toBe(list);
  expect(addWarning(list, { type: 'noise', text: 'x' })).toBe(list);
  const untrusted =
    'Project-local config, hooks, and exec policies are disabled in the following folders until the project is trusted, but skills still load.';
  expect(addWarning(list, warning(`${untrusted}\n    1. /p/.codex`))).toBe(list);
  const many = ['2', '3', '4', '5', '6'].reduce((all, text) => addWarning(all, warning(text)), list);
  expect(many).toEqual(['2', '3', '4', '5', '6']);
  expect(addWarning([], warning('x'.repeat(5_000)))[0]).toHaveLength(2_000);
});
