/** Output of real runs of git, shortened, and what is said about it. */
import { expect, test } from 'vitest';
import { addOutput, createHookReader, explainFailure, NO_OUTPUT, showOutput } from './ship-output.ts';

const shown = (...texts: readonly string[]) => showOutput(texts.reduce(addOutput, NO_OUTPUT));

test('[CH145] a line of progress stands with its last state, and no address shows a password', () => {
  expect(shown('Writing objects:  50% (1/2)\rWriting', ' objects: 100% (2/2), done.\nTo https://me:pw@host/r\n')).toBe(
    'Writing objects: 100% (2/2), done.\nTo https://host/r',
  );
});

test('[CH133] of a long output the beginning and the end are kept', () => {
  const text = shown(
    'first\n',
    ...Array.from({ length: 500 }, (_none, at) => `${at} ${'x'.repeat(1_000)}\n`),
    'last\n',
  );
  expect(text).toMatch(/^first\n0 x/);
  expect(text).toMatch(/cut.*x\nlast$/s);
  expect(text.length).toBeLessThan(70_000);
});

test('[CH133] the hooks of the command are read from its trace, not those of commands that a hook started', () => {
  const reader = createHookReader();
  for (const line of [
    '{"event":"child_start","sid":"1","child_id":0,"child_class":"hook","hook_name":"pre-commit"}',
    '{"event":"child_start","sid":"1/2","child_id":0,"child_class":"hook","hook_name":"commit-msg"}',
    '{"event":"child_exit","sid":"1/2","child_id":0,"code":1}',
    '{"event":"child_exit","sid":"1","child_id":0,"code":3}',
    'no json',
    '{"event":"child_start","sid":"1","child_id":1,"child_class":"hook","hook_name":"post-commit"}',
  ])
    reader.read(line);
  expect(reader.hooks()).toEqual([
    { name: 'pre-commit', exit_code: 3 },
    { name: 'post-commit', exit_code: null },
  ]);
});

test.each([
  ['commit', "fatal: Unable to create '/r/.git/index.lock': File exists.", 'locked'],
  ['commit', 'error: gpg failed to sign the data\nfatal: failed to write commit object', 'signing'],
  ['commit', 'Author identity unknown\n*** Please tell me who you are.', 'identity'],
  ['push', ' ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs', 'rejected'],
  ['push', ' ! [rejected]        main -> main (stale info)', 'rejected'],
  ['push', ' ! [remote rejected] main -> main (pre-receive hook declined)', 'refused'],
  ['push', "fatal: could not read Username for 'https://host': terminal prompts disabled", 'login'],
  ['push', 'git@host: Permission denied (publickey).', 'login'],
  ['pull', 'fatal: Not possible to fast-forward, aborting.', 'diverged'],
  ['pull', 'ssh: Could not resolve host host', 'unreachable'],
  ['pull', 'something new', 'other'],
] as const)('[CH145] %s: %s', (action, output, reason) => {
  expect(explainFailure(action, output, [])).toMatchObject({ reason, files: [] });
});

test('[CH142] files that would be overwritten are named', () => {
  const output =
    'error: Your local changes to the following files would be overwritten by checkout:\n\ta.txt\n\tb c.txt\nPlease commit';
  expect(explainFailure('switch', output, [])).toMatchObject({ reason: 'overwrite', files: ['a.txt', 'b c.txt'] });
});
