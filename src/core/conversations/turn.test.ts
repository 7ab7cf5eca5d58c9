/** How turns end, and what is told at their end: usage, plans, diffs, errors. */
import { describe, expect, test } from 'vitest';
import { AT, accept } from '../../../test/recording.ts';
import {
  begin,
  CHANGE,
  completed,
  delta,
  diffUpdated,
  end,
  failing,
  patch,
  runOf,
  say,
  started,
  THREAD,
  told,
  tool,
  usage,
  user,
} from '../../../test/signals.ts';
import type { Signal } from '../codex/signal.ts';
import { restore } from './reconcile.ts';
import { route } from './route.ts';

describe('turns', () => {
  test('[CV5] a turn ends once, and says how', () => {
    const run = runOf(
      started('t'),
      usage('t', 5),
      completed('t', { status: 'failed', failure: { message: 'no', code: 'other' } }),
      completed('t'),
      usage('t', 9),
    );
    expect(told(run)).toEqual(['token_usage t', 'error t no', 'status t error']);
    expect(run.live.usage?.total_tokens).toBe(9);
    expect(run.state).toMatchObject({ turn: null, activity: { state: 'idle', lamp: 'error' } });
    const before = { type: 'turn_started', turnId: 't' };
    expect(run.lifecycle).toEqual([before, { type: 'turn_ended', turnId: 't', status: 'failed' }]);
    expect(runOf(started('t'), completed('other')).lifecycle).toEqual([before]);
  });

  test('[CV5] how long it took is what Codex says, or what we saw', () => {
    const run = runOf(
      { type: 'turn.started', threadId: THREAD, turnId: 't', startedAtMs: AT - 70 },
      completed('t', { durationMs: null }),
      completed('never seen', { durationMs: null }),
    );
    expect(run.entries).toMatchObject([{ duration_ms: 70 }, { duration_ms: null }]);
  });

  test('[CV5] what comes after the end is told, and the ribbon stays as it was', () => {
    const run = runOf(
      started('t'),
      completed('t'),
      begin('t', tool('s')),
      end('t', tool('s', { status: 'completed' })),
      end('t', patch('p', 'completed')),
      failing('t', 'Reconnecting', true),
      { type: 'item.progress', threadId: THREAD, turnId: 't', itemId: 's', text: 'x' },
    );
    expect(told(run)).toEqual(['status t success', 'tool s completed', 'diff p applied']);
    expect(run.state).toMatchObject({ turn: null, activity: { state: 'idle', text: '', lamp: 'success' } });
  });

  test('[CV7] an error that is retried is only shown; a final one is one entry', () => {
    const run = runOf(
      started('t'),
      failing('t', 'Reconnecting', true),
      failing('t', 'no'),
      failing('t', 'no'),
      completed('t', { status: 'failed', failure: { message: 'no', code: 'other' } }),
    );
    expect(told(run)).toEqual(['error t no', 'status t error']);
    expect(told(runOf(failing('t', 'early')))).toEqual(['error t early']);
  });

  test('[CV10] the turn inside a review belongs to the review', () => {
    const note = { kind: 'note', id: 'n', note: 'review_started', text: 'Review started' } as const;
    const run = runOf(
      end('R', note),
      started('I'),
      begin('I', say('m', '')),
      delta('I', 'm', '{"findings"'),
      usage('I', 4),
      completed('R'),
    );
    expect(told(run)).toEqual([
      'note n Review started',
      'assistant m {"findings"',
      'token_usage I',
      'status R success',
    ]);
    expect(told(runOf(end('R', note), started('I'), completed('R'), completed('I')))).toEqual([
      'note n Review started',
      'status R success',
    ]);
  });

  test('[CV80] the prompt of a review is no message of the person, live and from the history of Codex', () => {
    const note = { kind: 'note', id: 'n', note: 'review_started', text: 'Review started: current changes' } as const;
    const prompt = user('u', 'Review the current changes.');
    const live = runOf(begin('R', note), started('I'), begin('R', prompt), end('R', prompt), end('R', note));
    expect(told(live)).toEqual(['note n Review started: current changes']);
    // After a restart in the middle of the review only the note is on disk.
    const again = route(restore(live.state, live.entries, null), end('R', { ...prompt, id: 'u2' }), 0);
    expect(again.outputs.filter((one) => one.do === 'append')).toEqual([]);
    // The next turn is a person's again.
    const later = runOf(
      end('R', note),
      end('R', prompt),
      completed('R'),
      end('t', user('next', 'Review the current changes.')),
    );
    expect(told(later).filter((one) => one.startsWith('user'))).toEqual(['user next Review the current changes.']);
  });

  test('[CV9] a plan is one entry with its last state', () => {
    const plan = (word: 'pending' | 'in_progress' | 'completed', text: string | null): Signal => ({
      type: 'plan.updated',
      threadId: THREAD,
      turnId: 't',
      steps: [{ step: 'A', status: word }],
      text,
    });
    const run = runOf(
      started('t'),
      plan('in_progress', null),
      end('t', { kind: 'plan', id: 't-plan', text: '# P' }),
      plan('completed', 'why'),
    );
    expect(run.live.items).toMatchObject([{ role: 'plan', steps: [{ status: 'completed' }] }]);
    accept(run, completed('t'));
    expect(run.entries.filter((entry) => entry.role === 'plan')).toMatchObject([
      { steps: [], text: '# P' },
      { steps: [{ step: 'A', status: 'completed' }], text: 'why' },
    ]);
    expect(run.live.items).toEqual([]);
  });
});

describe('diffs', () => {
  const APPLIED = patch('p', 'completed');
  test('[CV8] one per turn and content', () => {
    const run = runOf(
      started('t'),
      end('t', APPLIED),
      diffUpdated('t', 'A'),
      diffUpdated('t', 'A'),
      end('t', patch('q', 'completed')),
      diffUpdated('t', 'B'),
      diffUpdated('t', 'B'),
      completed('t'),
      started('u'),
      diffUpdated('u', 'A'),
      completed('u'),
    );
    expect(told(run).filter((one) => one.startsWith('diff'))).toEqual([
      'diff p applied',
      'diff q applied',
      'diff u applied',
    ]);
  });

  test('[CV8] a change that is told again says nothing new', () => {
    const run = runOf(started('t'), end('t', APPLIED), diffUpdated('t', 'A'), end('t', APPLIED), completed('t'));
    expect(told(run)).toEqual(['diff p applied', 'status t success']);
  });

  test('[CV8] edits that cancel out are said to; without any there is nothing to say', () => {
    const run = runOf(
      started('t'),
      diffUpdated('t', ''),
      end('t', APPLIED),
      diffUpdated('t', 'A'),
      end('t', patch('q', 'completed')),
      diffUpdated('t', ''),
      completed('t'),
    );
    expect(run.entries.flatMap((entry) => (entry.role === 'diff' ? [entry.diff] : []))).toEqual(['A', '']);
  });

  test('[CV8] a change no turn diff tells of is told at the end of the turn', () => {
    const run = runOf(started('t'), end('t', APPLIED), completed('t'));
    expect(run.entries).toMatchObject([
      { role: 'diff', status: 'applied', path: 'a.txt', event: 'turn/completed', item_id: 'p' },
      { role: 'status' },
    ]);
  });

  test('[CV8] a refused or failed change is told as what it would have done', () => {
    const run = runOf(
      started('t'),
      begin('t', patch('p', 'in_progress')),
      end('t', patch('p', 'declined')),
      end('t', patch('p', 'declined')),
      end('t', patch('q', 'failed')),
      completed('t'),
    );
    expect(told(run)).toEqual(['diff p declined', 'diff q failed', 'status t success']);
    expect(run.entries[0]).toMatchObject({
      diff: `diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n${CHANGE.diff}`,
    });
    expect(run.live.items).toEqual([]);
  });
});
