/** Turns from before Signalbox, as the entries they would have left. */
import { expect, test } from 'vitest';
import { CWD, command, found, patch, say, think, tool, user } from '../../../test/signals.ts';
import { entriesOfTurn } from './past-turns.ts';

const PLACE = { threadId: 'thread', cwd: CWD, digest: (text: string) => `#${text}` };

const short = (turn: Parameters<typeof entriesOfTurn>[0]) =>
  entriesOfTurn(turn, PLACE).map((entry) =>
    `${entry.role} ${entry.item_id ?? '-'} ${'status' in entry ? entry.status : ''}`.trim(),
  );

test('[CV20] items become entries in their order, then the end', () => {
  const items = [
    user('u', 'go'),
    think('r', ''),
    command('c', { status: 'completed', exitCode: 0 }),
    command('s', { isUserShell: true, status: 'completed' }),
    patch('p', 'completed'),
    patch('q', 'declined'),
    tool('x', { status: 'failed' }),
    say('m', 'done'),
  ];
  expect(short(found('t', items))).toEqual([
    'user u',
    'command c completed',
    'shell_input s',
    'shell_output s',
    'diff p applied',
    'diff q declined',
    'tool x failed',
    'assistant m completed',
    'status - success',
  ]);
  expect(entriesOfTurn(found('t', [patch('p', 'completed')]), PLACE)[0]).toMatchObject({
    diff_id: expect.stringMatching(/^thread:t:#applied/),
    path: 'a.txt',
    event: 'thread/turns/list',
  });
});

test('a failed turn says why; one that goes on has no end', () => {
  const failure = { message: 'no', code: 'other' };
  expect(entriesOfTurn(found('t', [], { status: 'failed', failure }), PLACE)).toMatchObject([
    { role: 'error', text: 'no', code: 'other' },
    { role: 'status', status: 'error', turn_status: 'failed', duration_ms: 5 },
  ]);
  expect(
    entriesOfTurn(found('t', [], { status: 'failed', failure: { ...failure, code: null } }), PLACE)[0],
  ).not.toHaveProperty('code');
  expect(short(found('t', [command('c')], { status: 'running' }))).toEqual(['command c completed']);
  expect(short(found('t', [], { status: 'interrupted' }))).toEqual(['status - warning']);
});

test('[CV6] what an ended turn left unfinished was interrupted', () => {
  const items = [command('c'), tool('x'), patch('p', 'in_progress'), command('s', { isUserShell: true })];
  expect(short(found('t', items, { status: 'interrupted' }))).toEqual([
    'command c interrupted',
    'tool x interrupted',
    'diff p interrupted',
    'shell_input s',
    'shell_output s',
    'status - warning',
  ]);
});
