/** Cards: titles, decisions, and the entry that is left. */
import { expect, test } from 'vitest';
import { asks, CWD, runOf } from '../../../test/signals.ts';
import type { Ask } from '../../contract/approval.ts';
import { entryOfAsk, recordedAnswers } from './card.ts';

const cardOf = (ask: Ask) => runOf(asks(0, 't', 'i', { ask })).asks[0];
const command = (text: string, more = {}): Ask => ({
  kind: 'command',
  action: 'run',
  command: text,
  actions: [],
  ...more,
});
const changes = (...paths: string[]) => paths.map((path) => ({ path, kind: 'update', diff: '' }));
const elicitation: Ask = { kind: 'elicitation', server: 's', message: 'Name?\nmore', mode: 'form', persist: [] };
const question = { id: 'q', header: 'H', question: 'Go?', is_other: false, is_secret: false, options: [] };

test.each<[Ask, string, string]>([
  [command("/bin/bash -lc 'ls -la'"), 'Run ls -la?', 'accept accept_for_session cancel decline'],
  [
    command("/bin/bash -lc 'ls; rm -rf x'", { actions: [{ type: 'listFiles', command: 'ls' }] }),
    'Run ls; rm -rf x?',
    'accept accept_for_session cancel decline',
  ],
  [command('ls', { always_rule: ['ls'] }), 'Run ls?', 'accept accept_for_session accept_always cancel decline'],
  [command('ls', { always_rule: ['ls'], once_only: true }), 'Run ls?', 'accept decline'],
  [command('y', { action: 'stdin' }), 'Type into y?', 'accept accept_for_session cancel decline'],
  [
    command('', { action: 'network', network: { host: 'example.org' } }),
    'Reach example.org?',
    'accept accept_for_session cancel decline',
  ],
  [command('', { action: 'network' }), 'Reach the network?', 'accept accept_for_session cancel decline'],
  [{ kind: 'file_change', changes: changes(`${CWD}/a`) }, 'Change a?', 'accept accept_for_session cancel decline'],
  [
    { kind: 'file_change', changes: changes('/x', '/y', '/z') },
    'Change /x and 2 more?',
    'accept accept_for_session cancel decline',
  ],
  [{ kind: 'file_change', changes: [] }, 'Change files?', 'accept accept_for_session cancel decline'],
  [
    { kind: 'file_change', changes: [], grant_root: '/r' },
    'Allow writes under /r?',
    'accept accept_for_session cancel decline',
  ],
  [{ kind: 'permissions', permissions: {} }, 'Grant more permissions?', 'accept accept_for_session cancel decline'],
  [elicitation, 'Name?', 'accept cancel decline'],
  [
    { kind: 'mcp_tool', server: 's', message: 'Name?', mode: 'form', persist: ['session', 'always'] },
    'Name?',
    'accept accept_for_session accept_always cancel decline',
  ],
  [
    { kind: 'mcp_tool', server: 'signalbox', message: 'Name?', mode: 'form', persist: ['session', 'always'] },
    'Name?',
    'accept accept_for_session cancel decline',
  ],
  [{ kind: 'questions', questions: [question] }, 'Go?', 'accept decline'],
  [{ kind: 'questions', questions: [] }, 'A question', 'accept decline'],
  [{ kind: 'unknown', method: 'brand/new', params: {} }, 'Codex asks: brand/new', 'accept decline'],
])('[AP12] %j', (ask, title, decisions) => {
  expect(cardOf(ask)).toMatchObject({ title, kind: ask.kind, decisions: decisions.split(' ') });
});

test('a long command has a short title and is shown whole', () => {
  const card = cardOf(command(`echo ${'x'.repeat(300)}`));
  expect(card?.title.length).toBeLessThan(140);
  expect(card?.ask).toMatchObject({ command: `echo ${'x'.repeat(300)}` });
});

test('[AP12] the title of a command of several lines says how many follow', () => {
  expect(cardOf(command(`git status${'\n'.repeat(61)}rm -rf ~`))?.title).toBe('Run git status … and 61 more lines?');
  expect(cardOf(command('a\nb\n'))?.title).toBe('Run a … and 1 more line?');
});

test('the entry says what was asked and how it ended', () => {
  const file: Ask = {
    kind: 'file_change',
    changes: [
      { path: `${CWD}/a`, kind: 'move', diff: '', moved_to: `${CWD}/b` },
      { path: '/c', kind: 'odd', diff: '' },
    ],
  };
  const approval = cardOf(file);
  if (approval === undefined) throw new Error('no card');
  const entry = entryOfAsk({ ...approval, reason: 'why' }, CWD, { status: 'expired', decision: null, event: 'e' });
  expect(entry).toMatchObject({
    role: 'approval',
    status: 'expired',
    reason: 'why',
    path: 'a',
    turn_id: 't',
    item_id: 'i',
    event: 'e',
  });
  expect(entry).toHaveProperty(
    'diff',
    'diff --git a/a b/b\nrename from a\nrename to b\n--- a/a\n+++ b/b\ndiff --git a//c b//c\n--- a//c\n+++ b//c\n',
  );
  expect(entry).not.toHaveProperty('decision');
  const root = entryOfAsk(
    { ...approval, turn_id: null, item_id: null, ask: { kind: 'file_change', changes: [], grant_root: '/r' } },
    CWD,
    { status: 'accepted', decision: 'accept', event: 'e' },
  );
  expect(root).toEqual({
    role: 'approval',
    approval_id: approval.approval_id,
    kind: 'file_change',
    status: 'accepted',
    decision: 'accept',
    title: 'Change a and 1 more?',
    path: '/r',
    event: 'e',
  });
});

test('[CV82] answered questions are kept in order with their answers, a secret without', () => {
  const ask = {
    kind: 'questions' as const,
    questions: [
      { ...question, id: 'way', question: 'Which way?', header: 'Way' },
      { ...question, id: 'key', question: 'The key?', is_secret: true },
      { ...question, id: '__proto__', question: 'And this?' },
    ],
  };
  const approval = cardOf(ask);
  if (approval === undefined) throw new Error('no card');
  const given = JSON.parse('{"way":["left","because"],"key":["s3cret"],"__proto__":["x"],"other":["y"]}');
  const answers = recordedAnswers(ask, { decision: 'accept', answers: given });
  expect(JSON.stringify(answers)).not.toContain('s3cret');
  const end = { status: 'accepted', decision: 'accept', event: 'answered' } as const;
  expect(entryOfAsk(approval, CWD, { ...end, answers })).toMatchObject({
    questions: [
      { header: 'Way', question: 'Which way?', answers: ['left', 'because'] },
      { question: 'The key?', answers: [], is_secret: true },
      { question: 'And this?', answers: ['x'] },
    ],
  });
  // Even if somebody hands the secret over, the entry does not take it.
  expect(JSON.stringify(entryOfAsk(approval, CWD, { ...end, answers: { key: ['s3cret'] } }))).not.toContain('s3cret');
  expect(recordedAnswers(ask, { decision: 'decline', answers: given })).toEqual({});
  const elsewhere = entryOfAsk(approval, CWD, { ...end, decision: null });
  expect(elsewhere).toMatchObject({ questions: [{ answers: [] }, { answers: [] }, { answers: [] }] });
});
