/** The outbox after Codex or the server went away, or Codex was silent: its history decides what became of a message. */
import { describe, expect, test } from 'vitest';
import type { MessageMode } from '../../contract/entry.ts';
import {
  batch,
  createOutboxScript,
  echo,
  ended,
  type OutboxScript,
  refusedBy,
  unanswered,
} from '../../testing/outbox-script.ts';
import type { OutboxInput, Unsettled } from './state.ts';

const READY: OutboxInput = { type: 'codex_ready', isAdopted: false };
const ADOPTED: OutboxInput = { type: 'codex_ready', isAdopted: true };
const LOOK: OutboxInput = { type: 'timer', name: 'look_up' };

const foundAll = (...ids: string[]): OutboxInput => ({
  type: 'found_in_history',
  contextOf: [],
  asked: ids,
  found: ids.map((id) => ({ id, turnId: 't1', itemId: 'item' })),
});
const foundNone = (...ids: string[]): OutboxInput => ({
  type: 'found_in_history',
  contextOf: [],
  asked: ids,
  found: [],
});
const unavailable = (isCodexRunning: boolean, ...ids: string[]): OutboxInput => ({
  type: 'history_unavailable',
  asked: ids,
  isCodexRunning,
});

/** Codex dies while it is given the message, and another one starts. */
function dieWith(id: string, { hear }: OutboxScript): string[] {
  return hear({ type: 'codex_gone' }, unanswered(id, 'codex_unavailable'), READY);
}

/** A server that starts with these messages unsettled and these in its queue. */
function restart(script: OutboxScript, unsettled: Partial<Unsettled>[], queue: string[] = [], given: string[] = []) {
  const all = unsettled.map(
    (one): Unsettled => ({ id: 'm1', mode: 'send', origin: 'person', turnId: null, events: [], ...one }),
  );
  return script.hear({ type: 'recovered', queue, given, isPaused: false, unsettled: all, told: [] });
}

/** A queued message whose request to Codex is out. */
function giveQueued(script: OutboxScript, id: string): void {
  const { start, submit, hear, finishGiving } = script;
  start('first', 't0');
  submit(id);
  hear({ type: 'queue_stored', id }, ended('t0'));
  finishGiving(id);
}

describe('Codex dies while it is asked for its history', () => {
  test.each([
    ['that has the message', foundAll('m1')],
    ['that lacks the message', foundNone('m1')],
    ['that says that it is gone', unavailable(false, 'm1')],
    ['that says that it cannot tell', unavailable(true, 'm1')],
  ])('[OB30] an answer %s settles nothing, and the next Codex is asked', (_what, answer) => {
    const script = createOutboxScript();
    script.give('m1');
    script.hear(unanswered('m1'));
    expect(script.hear(LOOK)).toEqual(['look up m1']);
    expect(script.hear({ type: 'codex_gone' }, answer)).toEqual([]);
    expect(script.hear(READY)).toEqual(['look up m1']);
    expect(script.hear(foundNone('m1'))).toEqual(['m1 not_delivered codex_unavailable', 'context of m1: waits']);
  });

  test('[OB30] an answer that comes after the next Codex is ready settles nothing either', () => {
    const script = createOutboxScript();
    script.give('m1');
    script.hear(unanswered('m1'), LOOK);
    expect(script.hear({ type: 'codex_gone' }, READY)).toEqual([]);
    expect(script.hear(foundNone('m1'))).toEqual(['look up m1']);
    expect(script.hear(foundAll('m1'))).toEqual(['m1 delivered', 'context of m1: carried']);
  });
});

describe('Codex dies while it is given a message', () => {
  test('[OB16] a queued message whose acceptance is heard after that is given again', () => {
    const script = createOutboxScript();
    giveQueued(script, 'm1');
    script.hear({ type: 'codex_gone' }, { type: 'accepted', id: 'm1', turnId: 't1' }, READY);
    expect(script.hear(LOOK)).toEqual(['look up m1']);
    expect(script.hear(foundNone('m1'))).toContain('m1 sent codex_unavailable');
  });

  test('[OB15] its history has the message: delivered', () => {
    const script = createOutboxScript();
    script.give('m1');
    expect(dieWith('m1', script)).toEqual([
      'answer m1: refused codex_unavailable stored',
      'timer look_up',
      'look up m1',
    ]);
    expect(script.hear(foundAll('m1'))).toEqual(['m1 delivered', 'context of m1: carried']);
  });

  test('[OB16] its history lacks a message that was sent: not delivered, and the reason is said', () => {
    const script = createOutboxScript();
    script.arrive('queue_for_next_turn', [1]);
    script.give('m1');
    dieWith('m1', script);
    expect(script.hear(foundNone('m1'))).toEqual(['m1 not_delivered codex_unavailable', 'context of m1: waits']);
    script.submit('m2');
    expect(script.hear({ type: 'loaded', id: 'm2' })).toEqual(['prepare m2 [1]']);
  });

  test('[OB16] its history lacks a queued message: given again, but not for ever', () => {
    const script = createOutboxScript();
    giveQueued(script, 'm1');
    const again = ['context of m1: waits', 'm1 sent codex_unavailable', 'load m1'];
    for (let tries = 1; tries < 3; tries += 1) {
      dieWith('m1', script);
      expect(script.hear(foundNone('m1'))).toEqual(again);
      expect(script.hear({ type: 'loaded', id: 'm1' }, { type: 'prepared', id: 'm1', hasEvents: false })).toEqual([
        'prepare m1',
        'turn m1',
      ]);
    }
    dieWith('m1', script);
    expect(script.hear(foundNone('m1'))).toEqual([
      'm1 not_delivered codex_unavailable',
      'context of m1: waits',
      'pause the queue',
    ]);
  });

  test('[OB15] nothing else is given before the history was read', () => {
    const script = createOutboxScript();
    script.give('m1');
    script.submit('m2');
    script.hear({ type: 'queue_stored', id: 'm2' }, { type: 'codex_gone' }, unanswered('m1', 'codex_unavailable'));
    expect(script.hear({ type: 'interrupt_requested', id: 'x1' })).toEqual([]);
    expect(script.hear(READY)).toEqual(['look up m1']);
    expect(script.hear(foundAll('m1'))).toEqual([
      'm1 delivered',
      'context of m1: carried',
      'answer x1: false',
      'load m2',
    ]);
  });

  test('[OB15] a message that Codex accepted and had not repeated is looked up', () => {
    const { give, hear } = createOutboxScript();
    give('m1');
    hear({ type: 'turn_started', turnId: 't1' }, { type: 'accepted', id: 'm1', turnId: 't1' });
    expect(hear({ type: 'codex_gone' }, ended('t1'), READY)).toEqual(['look up m1']);
  });
});

describe('Codex does not answer', () => {
  test('[OB15] the history is read after a moment, and has the message', () => {
    const { give, hear } = createOutboxScript();
    give('m1');
    expect(hear(unanswered('m1'))).toEqual(['answer m1: refused codex_timeout stored', 'timer look_up']);
    expect(hear(LOOK)).toEqual(['look up m1']);
    expect(hear(foundAll('m1'))).toEqual(['m1 delivered', 'context of m1: carried']);
  });

  test('[OB16] the history lacks it and nothing runs: not delivered, also for a queued message', () => {
    const script = createOutboxScript();
    giveQueued(script, 'm1');
    script.hear(unanswered('m1'), LOOK);
    expect(script.hear(foundNone('m1'))).toContain('m1 not_delivered codex_timeout');
  });

  test('[OB15] while a turn runs Codex may be about to keep the message: the history is read again', () => {
    const { give, hear } = createOutboxScript();
    give('m1');
    hear(unanswered('m1'), LOOK, { type: 'turn_started', turnId: 't1' });
    expect(hear(foundNone('m1'))).toEqual(['timer look_up']);
    expect(hear(LOOK)).toEqual(['look up m1']);
    expect(hear(echo('m1', 't1'))).toEqual(['m1 delivered', 'context of m1: carried']);
    expect(hear(foundNone('m1'))).toEqual([]);
  });

  test('[OB15] a request that timed out at a new Codex is not judged by the end of the old one', () => {
    const { give, hear } = createOutboxScript();
    give('m1');
    hear({ type: 'codex_gone' }, READY, unanswered('m1'), LOOK, { type: 'turn_started', turnId: 't1' });
    expect(hear(foundNone('m1'))).toEqual(['timer look_up']);
  });

  test('[OB15] a turn that ends without having repeated its message makes the history be read', () => {
    const { give, hear } = createOutboxScript();
    give('m1');
    hear({ type: 'turn_started', turnId: 't1' }, { type: 'accepted', id: 'm1', turnId: 't1' });
    expect(hear(ended('t1'))).toEqual(['look up m1']);
  });

  test('[OB17] a Codex that runs and cannot say is asked a few times, then a person decides', () => {
    const { give, hear } = createOutboxScript();
    give('m1');
    hear(unanswered('m1'), LOOK);
    for (let tries = 1; tries < 5; tries += 1)
      expect(hear(unavailable(true, 'm1'), LOOK)).toEqual(['timer look_up', 'look up m1']);
    expect(hear(unavailable(true, 'm1'))).toEqual(['m1 not_delivered codex_timeout', 'context of m1: waits']);
  });

  test('[OB17] a Codex that is not there is asked when it is back, however long that takes', () => {
    const { give, hear } = createOutboxScript();
    give('m1');
    hear(unanswered('m1'), LOOK);
    expect(hear(unavailable(false, 'm1'))).toEqual([]);
    expect(hear(READY)).toEqual(['look up m1']);
  });
});

describe('the server starts again', () => {
  const given = (mode: MessageMode) => {
    const script = createOutboxScript();
    restart(script, [{ mode }]);
    expect(script.hear(ADOPTED)).toEqual(['look up m1']);
    return script;
  };

  test('[OB16] a message of before that Codex has is delivered', () => {
    expect(given('send').hear(foundAll('m1'))).toEqual(['m1 delivered', 'context of m1: carried']);
  });

  test('[OB16] a queued message that Codex lacks is given again, without a second entry', () => {
    const script = given('queue');
    expect(script.hear(foundNone('m1'))).toEqual(['context of m1: waits', 'm1 sent codex_unavailable', 'load m1']);
    const again = script.hear({ type: 'loaded', id: 'm1' }, { type: 'prepared', id: 'm1', hasEvents: false });
    expect(again).toEqual(['prepare m1', 'turn m1']);
  });

  test.each(['send', 'steer'] as const)('[OB16] a message of mode %s that Codex lacks is not delivered', (mode) => {
    expect(given(mode).hear(foundNone('m1'))).toContain('m1 not_delivered codex_unavailable');
  });

  test('[OB16] the queue goes on behind it, in order', () => {
    const script = createOutboxScript();
    expect(restart(script, [{ mode: 'queue' }], ['m1', 'm2'])).toEqual(['unqueue m1']);
    script.hear(ADOPTED);
    expect(script.hear(foundAll('m1'))).toEqual(['m1 delivered', 'context of m1: carried', 'load m2']);
  });

  test('[OB2] a settled message that a kill left in the queue is taken off it and not given again', () => {
    const script = createOutboxScript();
    expect(restart(script, [], ['m1', 'm2'], ['m1'])).toEqual(['unqueue m1']);
    expect(script.hear(ADOPTED)).toEqual(['load m2']);
  });

  test('[OB22] events of a message that was delivered are noted, and not told again', () => {
    const script = createOutboxScript();
    const told = [{ id: 'm1', events: [1, 2] }];
    expect(script.hear({ type: 'recovered', queue: [], given: [], isPaused: false, unsettled: [], told })).toEqual([
      'events [1 2]: delivered queue_for_next_turn',
      'context of m1: carried',
    ]);
    // The ledger was read before they were noted.
    const batches = [batch('queue_for_next_turn', [1, 2, 3])];
    script.hear({ type: 'events_arrived', batches, isRecovery: true, isOverLimit: false });
    script.hear({ type: 'codex_ready', isAdopted: true });
    script.submit('m2');
    expect(script.hear({ type: 'loaded', id: 'm2' })).toEqual(['prepare m2 [3]']);
  });

  test('[OB3] what a message of before carried is not told again when the ledger tells of it', () => {
    const script = createOutboxScript();
    restart(script, [{ events: [1, 2] }]);
    const batches = [batch('queue_for_next_turn', [1, 2, 3])];
    script.hear({ type: 'events_arrived', batches, isRecovery: true, isOverLimit: false }, ADOPTED);
    expect(script.hear(foundAll('m1'))).toEqual([
      'm1 delivered',
      'events [1 2]: delivered queue_for_next_turn',
      'context of m1: carried',
    ]);
    script.submit('m2');
    expect(script.hear({ type: 'loaded', id: 'm2' })).toEqual(['prepare m2 [3]']);
  });

  test('[OB3] an injection that a kill cut off is appended if the history has it, and goes again otherwise', () => {
    const injections = [
      { id: 'i1', batch: batch('append_to_thread', [1]) },
      { id: 'i2', batch: batch('append_to_thread', [2]) },
    ];
    const { hear } = createOutboxScript();
    expect(hear({ type: 'injections_recovered', injections })).toEqual(['look up i1 i2']);
    const found = [{ id: 'i1', turnId: null, itemId: null }];
    expect(hear({ type: 'found_in_history', contextOf: [], asked: ['i1', 'i2'], found })).toEqual([
      'events [1]: appended append_to_thread',
      'events [2]: held append_to_thread thread_not_loaded',
      'inject dlv_1 [2]',
    ]);
  });
});

test('[OB18] a thread that another one replaced takes its events with it: they arrive anew, and messages go on', () => {
  const { arrive, give, hear, submit } = createOutboxScript();
  arrive('queue_for_next_turn', [1]);
  give('m1');
  arrive('queue_for_next_turn', [2]);
  expect(hear({ type: 'thread_replaced' })).toEqual([]);
  expect(hear(refusedBy('m1'))).toEqual([
    'answer m1: refused codex_error stored',
    'm1 not_delivered codex_error',
    'context of m1: waits',
  ]);
  arrive('queue_for_next_turn', [1]);
  submit('m2');
  expect(hear({ type: 'loaded', id: 'm2' })).toEqual(['prepare m2 [1]']);
});

test('[OB2] a message that was prepared for a thread that is gone is prepared again, and given once', () => {
  const { submit, hear } = createOutboxScript();
  submit('m1');
  hear(
    { type: 'loaded', id: 'm1' },
    { type: 'prepared', id: 'm1', hasEvents: false },
    { type: 'entry_stored', id: 'm1' },
  );
  hear({ type: 'thread_replaced' });
  expect(hear({ type: 'not_given', id: 'm1' })).toEqual(['load m1']);
  hear({ type: 'loaded', id: 'm1' });
  expect(hear({ type: 'prepared', id: 'm1', hasEvents: false })).toEqual(['turn m1']);
});
