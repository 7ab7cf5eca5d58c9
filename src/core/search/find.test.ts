/** Plain text found in entries: what counts as there, and what is shown of it. */
import { describe, expect, test } from 'vitest';
import type { NewEntry } from '../../contract/entry.ts';
import { createNeedle, findInEntry } from './find.ts';

const user = (text: string): NewEntry => ({ role: 'user', text });

/** The two looks agree: whatever is found in the entry is also seen in its line. */
function hit(entry: NewEntry, q: string) {
  const needle = createNeedle(q);
  const found = findInEntry(entry, needle);
  if (found !== null) expect(needle.mayBeIn(JSON.stringify({ seq: 1, ts: 'x', ...entry }))).toBe(true);
  return found;
}

describe('a needle', () => {
  test.each([
    ['a.c', 'abc', false],
    ['a.c', 'xA.Cx', true],
    ['(', 'f(x)', true],
    ['\\d', '1', false],
    ['\\d', 'the \\D sign', true],
    ['"quoted"', 'a "QUOTED" word', true],
    ['two\nlines', 'Two\nLines', true],
    ['GRÖSSE', 'größe', false],
    ['ÄÖ', 'xäöx', true],
    ['💡', 'an 💡', true],
    ['a/b-c', 'A/B-C', true],
    ['^$|[]{}+*?', 'x^$|[]{}+*?x', true],
  ])('[SR1] %j in %j: %s', (q, text, isThere) => {
    expect(hit(user(text), q) !== null).toBe(isThere);
  });

  test('[SR2] counts every occurrence in the texts of an entry', () => {
    expect(hit(user('a needle, the NEEDLE, needles'), 'needle')?.count).toBe(3);
  });

  test('[SR2] shows the match as it is written, with a little around it, on one line', () => {
    expect(hit(user(`${'a '.repeat(100)}\nthe Needle\n\n${'b '.repeat(200)}`), 'needle')).toEqual({
      before: `… ${'a '.repeat(27)}the `,
      match: 'Needle',
      after: ` ${'b '.repeat(69)}…`,
      count: 1,
    });
  });

  test('[SR2] says nothing is cut where nothing is', () => {
    expect(hit(user('the Needle lies here'), 'needle')).toEqual({
      before: 'the ',
      match: 'Needle',
      after: ' lies here',
      count: 1,
    });
  });

  test('[SR5] looks only at what is shown', () => {
    const command: NewEntry = {
      role: 'command',
      command: 'ls',
      argv: 'bash -lc hidden',
      cwd: '/nowhere',
      output: 'out put',
      exit_code: 0,
      duration_ms: 1,
      status: 'completed',
      actions: [],
      turn_id: 'turn-77',
    };
    expect(hit(command, 'OUT PUT')).toMatchObject({ match: 'out put' });
    for (const q of ['hidden', 'turn-77', 'exit_code', 'completed', 'command']) expect(hit(command, q)).toBeNull();
  });

  test('[SR1] finds every kind of text', () => {
    const entries: NewEntry[] = [
      { role: 'reasoning', text: 'x needle', status: 'completed' },
      { role: 'plan', steps: [{ step: 'a needle', status: 'pending' }] },
      { role: 'diff', diff_id: 'd', diff: '+needle', files: [], status: 'applied' },
      { role: 'tool', kind: 'mcp', name: 't', output: 'needle', status: 'completed', duration_ms: null },
      { role: 'note', kind: 'api', text: 'needle' },
      { role: 'error', text: 'needle' },
      { role: 'shell_output', command: 'x', stdout: '', stderr: 'needle', exit_code: 1, duration_ms: 1 },
    ];
    for (const entry of entries) expect(hit(entry, 'needle')).not.toBeNull();
  });
});

test('[SR5] what became of a message is not found', () => {
  const text = 'Codex stopped before it kept this message.';
  const delivery: NewEntry = { role: 'delivery', client_message_id: 'm1', state: 'not_delivered', reason: 'r', text };
  expect(hit(delivery, 'stopped')).toBeNull();
  expect(hit(delivery, 'not_delivered')).toBeNull();
});
