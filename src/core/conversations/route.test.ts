/** What becomes of each signal: items, turns, errors, diffs, plans, and what comes late. */
import { describe, expect, test } from 'vitest';
import { AT, accept, createRun, type Run, sayTo } from '../../../test/recording.ts';
import {
  begin,
  CWD,
  command,
  completed,
  delta,
  end,
  failing,
  GONE,
  patch,
  runOf,
  say,
  started,
  THREAD,
  think,
  told,
  tool,
  user,
} from '../../../test/signals.ts';
import { NOTHING_APPLIED } from '../codex/applied-settings.ts';
import type { Signal } from '../codex/signal.ts';
import { route } from './route.ts';

const lastActivity = (run: Run) => run.state.activity;

describe('items', () => {
  test('[CV2] deltas are shown, and the finished item is what is kept', () => {
    const run = runOf(started('t'), begin('t', say('m', '')), delta('t', 'm', 'Hel'), delta('t', 'm', 'lo?'));
    expect(run.live.items).toMatchObject([{ role: 'assistant', text: 'Hello?' }]);
    expect(run.events.flatMap((event) => ('delta' in event ? [event.offset] : []))).toEqual([0, 3]);
    accept(run, end('t', say('m', 'Hello!')));
    expect(told(run)).toEqual(['assistant m Hello!']);
    expect(run.live.items).toEqual([]);
  });

  test('[CV2] paragraphs of a summary are set apart, as in the finished text', () => {
    const part = (text: string, index: number) => delta('t', 'r', text, { channel: 'reasoning', part: index });
    const run = runOf(started('t'), begin('t', think('r', '')), part('one', 0), part('two', 1), part('!', 1));
    expect(run.live.items).toMatchObject([{ text: 'one\n\ntwo!' }]);
  });

  test('[CV2] a delta of an item nobody announced opens it', () => {
    const run = runOf(
      delta('t', 'm', 'mid', {}),
      delta('t', 'c', 'out', { channel: 'command' }),
      delta('t', 'p', '# P', { channel: 'plan' }),
      delta('t', 'r', 'hm', { channel: 'reasoning' }),
    );
    expect(run.live.items.map((item) => `${item.role} ${item.text}`)).toEqual([
      'assistant mid',
      'command out',
      'plan # P',
      'reasoning hm',
    ]);
    expect(run.state.turn?.id).toBe('t');
    accept(run, completed('t'));
    expect(told(run)).toEqual(['assistant m mid', 'plan p # P', 'reasoning r hm', 'status t success']);
    expect(run.live.items).toMatchObject([{ role: 'command', item_id: 'c' }]);
  });

  test('[CV4] each thing is one entry, however often it is told', () => {
    const turn = [
      started('t'),
      begin('t', user('u', 'go')),
      end('t', user('u', 'go')),
      begin('t', command('c')),
      end('t', command('c', { status: 'completed', exitCode: 0 })),
      end('t', say('m', 'x')),
    ];
    const run = runOf(...turn, ...turn, begin('t', say('m', '')), delta('t', 'm', 'x'), completed('t'), completed('t'));
    expect(told(run)).toEqual(['user u go', 'command c completed', 'assistant m x', 'status t success']);
  });

  test('empty thoughts and plans leave nothing; notes and tools do', () => {
    const run = runOf(
      begin('t', think('r', '')),
      end('t', think('r', ' ')),
      end('t', { kind: 'plan', id: 'p', text: '' }),
      end('t', { kind: 'note', id: 'n', note: 'compaction', text: 'compacted' }),
      begin('t', tool('x')),
      { type: 'item.progress', threadId: THREAD, turnId: 't', itemId: 'x', text: ' half way ' },
    );
    expect(lastActivity(run).text).toBe('half way');
    accept(run, end('t', tool('x', { status: 'in_progress', output: 'o', error: 'e', input: 'i', durationMs: 2 })));
    expect(told(run)).toEqual(['note n compacted', 'tool x completed']);
    expect(run.entries.at(-1)).toMatchObject({ server: 'tiny', input: 'i', output: 'o', error: 'e', duration_ms: 2 });
    expect(run.live.items).toEqual([]);
  });

  test('[CV15] what the user ran in the shell is told when it starts and when it ends', () => {
    const typed = command('c', { isUserShell: true, command: 'make' });
    const run = runOf(started('t'), begin('t', typed));
    expect(told(run)).toEqual(['shell_input c']);
    accept(
      run,
      end('t', {
        ...typed,
        ...(typed.kind === 'command' && { output: 'ok\n', exitCode: 0, status: 'completed' as const }),
      }),
    );
    expect(told(run)).toEqual(['shell_input c', 'shell_output c']);
    const late = runOf(end('t', command('d', { isUserShell: true, status: 'completed' })));
    expect(told(late)).toEqual(['shell_input d', 'shell_output d']);
    const cut = runOf(
      begin('t', command('e', { isUserShell: true })),
      delta('t', 'e', 'par', { channel: 'command' }),
      GONE,
    );
    expect(told(cut)).toEqual(['shell_input e', 'shell_output e', 'error t Codex was killed', 'status t error']);
    expect(cut.entries[1]).toMatchObject({ stdout: 'par', exit_code: null });
  });

  test('[CV11] the echo of a message of ours settles its entry and is no second one', () => {
    const run = createRun(THREAD, CWD);
    sayTo(run, 'c1', 'go');
    sayTo(run, 'c2', 'go');
    accept(run, begin('t', user('u', 'go', 'c1')));
    accept(run, end('t', user('u', 'go', 'c1')));
    // An old Codex does not repeat ids, and gives the message another item id after a restart.
    accept(run, end('t', user('v', 'go')));
    accept(run, end('t', user('again', 'go')));
    accept(run, end('t', user('w', 'hi', 'c9')));
    expect(told(run)).toEqual(['user - go', 'user - go', 'delivery u', 'delivery v', 'user w hi']);
    expect(run.entries.map((entry) => 'client_message_id' in entry && entry.client_message_id)).toEqual([
      'c1',
      'c2',
      'c1',
      'c2',
      'c9',
    ]);
  });

  test('[CV11] a message that Codex’s history had already is not settled twice', () => {
    const run = createRun(THREAD, CWD);
    sayTo(run, 'c1', 'go');
    accept(run, { type: 'message.delivered', clientMessageId: 'c1', deliveredIn: 't' });
    accept(run, end('t', user('u', 'go', 'c1')));
    expect(told(run)).toEqual(['user - go']);
  });

  test('[CV11] a message that was not delivered is settled all the same when Codex repeats it after all', () => {
    const run = createRun(THREAD, CWD);
    sayTo(run, 'c1', 'go');
    accept(run, { type: 'message.undelivered', clientMessageId: 'c1' });
    expect(run.memory?.outgoing).toEqual([]);
    accept(run, end('t', user('u', 'go', 'c1')));
    expect(told(run)).toEqual(['user - go', 'delivery u']);
  });
});

describe('what is cut off', () => {
  const cut = [started('t'), begin('t', user('u', 'go')), begin('t', say('m', '')), delta('t', 'm', 'thin')];

  test('[CV3] a steer keeps what was said, before the new message, once', () => {
    const run = runOf(
      ...cut,
      begin('t', user('v', 'no')),
      end('t', user('v', 'no')),
      end('t', say('m', 'late')),
      end('t', say('n', 'ok')),
      completed('t'),
    );
    expect(told(run)).toEqual(['user u go', 'assistant m thin', 'user v no', 'assistant n ok', 'status t success']);
    expect(run.entries[1]).toMatchObject({ status: 'interrupted', event: 'orphaned' });
  });

  test('[CV3] a retry keeps it before what is said again', () => {
    const run = runOf(...cut, failing('t', 'Reconnecting... 1/5\nstream disconnected', true));
    expect(lastActivity(run)).toMatchObject({ text: 'Reconnecting... 1/5', lamp: 'warning', state: 'running' });
    accept(run, end('t', say('n', 'thinking done')));
    expect(told(run)).toEqual(['user u go', 'assistant m thin', 'assistant n thinking done']);
  });

  test('[CV3] the end of the turn, or of Codex, keeps it; nothing shown leaves nothing', () => {
    const nothing = begin('t', say('n', ''));
    const stopped = runOf(
      ...cut,
      nothing,
      begin('t', tool('x', { input: 'i' })),
      begin('t', patch('p', 'in_progress')),
      completed('t', { status: 'interrupted' }),
    );
    expect(told(stopped)).toEqual(['user u go', 'assistant m thin', 'tool x interrupted', 'status t warning']);
    const died = runOf(...cut, nothing, GONE);
    expect(told(died)).toEqual(['user u go', 'assistant m thin', 'error t Codex was killed', 'status t error']);
    expect(died.live.items).toEqual([]);
  });

  test('[CV6] a command with a process outlives its turn and is told when it ends', () => {
    const run = runOf(
      started('t'),
      begin('t', command('c', { processId: '7' })),
      begin('t', command('d')),
      delta('t', 'd', 'x', { channel: 'command' }),
      completed('t'),
    );
    expect(told(run)).toEqual(['command d interrupted', 'status t success']);
    expect(run.live.items).toMatchObject([{ item_id: 'c' }]);
    accept(run, started('u'));
    accept(run, end('t', command('c', { status: 'failed', exitCode: -1, output: 'start\n' })));
    expect(run.entries.at(-1)).toMatchObject({ role: 'command', turn_id: 't', status: 'failed', exit_code: -1 });
    expect(run.live.items).toEqual([]);
  });

  test('[CV6] when Codex is gone, so are its commands', () => {
    const run = runOf(
      started('t'),
      begin('t', command('c', { processId: '7' })),
      delta('t', 'c', 'out', { channel: 'command' }),
      completed('t'),
      GONE,
      GONE,
    );
    expect(told(run)).toEqual(['status t success', 'command c interrupted']);
    expect(run.entries[1]).toMatchObject({ output: 'out', exit_code: null });
  });
});

test('the rest: warnings are kept, the unknown is noted, and what is of no use changes nothing', () => {
  const run = runOf(
    { type: 'warning', threadId: THREAD, text: 'w', code: 'warning' },
    { type: 'model.rerouted', threadId: THREAD, turnId: 't', from: 'a', to: 'b' },
    { type: 'unknown', method: 'x/y', threadId: THREAD },
    { type: 'noise', text: 'n' },
  );
  expect(told(run)).toEqual(['warning - w', 'warning t The model was changed from a to b for this turn.']);
  expect(run.notes).toEqual([
    { level: 'warn', code: 'unknown_method', data: 'x/y' },
    { level: 'debug', code: 'noise', data: 'n' },
  ]);
  const idle: Signal[] = [
    { type: 'thread.started', threadId: THREAD, cwd: '/', parentThreadId: null },
    { type: 'thread.settings', threadId: THREAD, settings: NOTHING_APPLIED },
    { type: 'thread.gone', threadId: THREAD, how: 'archived' },
    { type: 'thread.status', threadId: THREAD, status: 'active', flags: [] },
    { type: 'limits.updated', limits: {} },
    { type: 'login.completed', error: null },
    { type: 'ignored', method: 'm' },
    { type: 'item.changes', threadId: THREAD, turnId: 't', itemId: 'none', changes: [] },
  ];
  for (const signal of idle) expect(route(run.state, signal, AT)).toEqual({ state: run.state, outputs: [] });
});
