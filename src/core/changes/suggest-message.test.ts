/** Plain messages from files and words of the conversation. */
import { expect, test } from 'vitest';
import { type ChangedPath, draftRequest, stripComments, suggestMessage } from './suggest-message.ts';

const files = (...paths: readonly string[]): ChangedPath[] => paths.map((path) => ({ path, status: 'changed' }));
const NOTHING = { answer: null, label: null };

test('[CH140] without words of the conversation the files make the subject', () => {
  expect(suggestMessage([{ path: 'src/a.ts', status: 'added' }], NOTHING)).toBe('Add a.ts');
  expect(suggestMessage(files('src/x/a.ts', 'src/x/b.ts'), NOTHING)).toBe(
    'Change a.ts, b.ts\n\n- Change src/x/a.ts\n- Change src/x/b.ts',
  );
  const many = suggestMessage(files(...Array.from({ length: 25 }, (_none, at) => `src/x/${at}.ts`)), NOTHING);
  expect(many).toMatch(/^Change 25 files in src\/x\n\n- Change src\/x\/0.ts\n/);
  expect(many).toMatch(/- and 5 more$/);
  expect(suggestMessage([], NOTHING)).toBe('');
});

test('[CH140] the first sentence of the last answer is the subject if it can be one, else the label', () => {
  const one = files('a.ts');
  expect(suggestMessage(one, { answer: '**fixed the parser of dates.** It was wrong.', label: 'x y z w v' })).toBe(
    'Fixed the parser of dates',
  );
  for (const answer of ['Done.', 'Shall I go on with this?', `${'long '.repeat(30)}.`, ''])
    expect(suggestMessage(one, { answer, label: 'Fix the parser' })).toBe('Fix the parser');
});

test('[CH140] the template of the person follows, without its comments', () => {
  const template = stripComments('\n# What and why?\nRefs: \n# end\n');
  expect(suggestMessage(files('a.ts'), NOTHING, template)).toBe('Change a.ts\n\nRefs:');
});

test('[CH147] a pull request is named after its one commit, else after the conversation or the branch', () => {
  const facts = { plan: [], label: null, branch: 'codex/fix-the_parser' };
  const one = { subject: 'Fix it', body: 'Because.' };
  expect(draftRequest({ ...facts, commits: [one] })).toEqual({ title: 'Fix it', body: 'Because.' });
  const plan = [
    { step: 'Look', status: 'completed' },
    { step: 'Act', status: 'pending' },
  ];
  expect(draftRequest({ ...facts, plan, commits: [one, { subject: 'Test it', body: '' }] })).toEqual({
    title: 'Fix the parser',
    body: '- Fix it\n- Test it\n\n## Plan\n- [x] Look\n- [ ] Act',
  });
});
