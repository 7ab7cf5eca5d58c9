/** The way of a message through the outbox, rule by rule: sent, queued, steered, repeated, refused, stopped. */
import { describe, expect, test } from 'vitest';
import { createOutboxScript, echo, ended, refusedBy, unanswered } from '../../testing/outbox-script.ts';
import { MAX_QUEUED } from './admit.ts';

const FULL = { code: 'storage_full', message: 'full' } as const;
const GONE = { code: 'codex_unavailable', message: 'gone' } as const;

describe('a message that is sent', () => {
  test('[OB7] [OB8] is on disk before Codex gets it, and accepted only then', () => {
    const { submit, hear } = createOutboxScript();
    expect(submit('m1')).toEqual(['load m1']);
    expect(hear({ type: 'loaded', id: 'm1' })).toEqual(['prepare m1']);
    expect(hear({ type: 'prepared', id: 'm1', hasEvents: false })).toEqual(['store m1']);
    expect(hear({ type: 'entry_stored', id: 'm1' })).toEqual(['turn m1']);
    expect(hear({ type: 'turn_started', turnId: 't1' })).toEqual([]);
    expect(hear({ type: 'accepted', id: 'm1', turnId: 't1' })).toEqual(['answer m1: started t1', 'timer look_up']);
    expect(hear(echo('m1', 't1'))).toEqual(['m1 delivered', 'context of m1: carried']);
    expect(hear(ended('t1'))).toEqual([]);
  });

  test('[OB8] is refused, and nothing goes to Codex, if its entry cannot be stored', () => {
    const { submit, hear } = createOutboxScript();
    submit('m1');
    hear({ type: 'loaded', id: 'm1' }, { type: 'prepared', id: 'm1', hasEvents: false });
    expect(hear({ type: 'entry_not_stored', id: 'm1', failure: FULL })).toEqual([
      'context of m1: waits',
      'answer m1: refused storage_full',
    ]);
    expect(submit('m2')).toEqual(['load m2']);
  });

  test('[OB8] is refused, and nothing is stored, if its thread cannot be loaded', () => {
    const { submit, hear } = createOutboxScript();
    submit('m1');
    const refused = hear({ type: 'not_prepared', id: 'm1', failure: GONE });
    expect(refused).toEqual(['answer m1: refused codex_unavailable']);
  });

  test('[OB12] whose echo comes before the answer is delivered, once', () => {
    const { give, hear, submit } = createOutboxScript();
    give('m1');
    expect(hear(echo('m1', 't1'))).toEqual(['m1 delivered', 'context of m1: carried']);
    expect(hear(echo('m1', 't1'))).toEqual([]);
    expect(hear({ type: 'accepted', id: 'm1', turnId: 't1' })).toEqual(['answer m1: started t1']);
    expect(submit('m2')).toEqual(['load m2']);
  });

  test('[OB12] whose echo comes and whose answer never does is delivered', () => {
    const { give, hear } = createOutboxScript();
    give('m1');
    hear(echo('m1', 't1'));
    expect(hear(unanswered('m1'))).toEqual(['answer m1: started t1']);
  });
});

describe('a repeated message', () => {
  test('[OB9] is a duplicate for ever, and the answer says what became of the first', () => {
    const { hear } = createOutboxScript();
    for (const known of ['sent', 'delivered', 'not_delivered', 'stored'] as const)
      expect(hear({ type: 'submitted', id: 'm1', mode: 'send', known })).toEqual([`answer m1: duplicate ${known}`]);
  });

  test('[OB9] waits for the answer of the first while that is undecided, and nothing is done twice', () => {
    const { submit, give, hear } = createOutboxScript();
    submit('m1');
    expect(submit('m1')).toEqual([]);
    give('m1');
    hear({ type: 'accepted', id: 'm1', turnId: 't1' });
    expect(submit('m1')).toEqual(['answer m1: duplicate sent']);
    submit('m2', 'queue');
    expect(submit('m2', 'queue')).toEqual([]);
    hear({ type: 'queue_stored', id: 'm2' });
    expect(submit('m2', 'queue')).toEqual(['answer m2: duplicate queued']);
  });

  test('[OB9] of one that was refused before it was stored is a new message', () => {
    const { submit, hear } = createOutboxScript();
    submit('m1');
    hear({ type: 'not_prepared', id: 'm1', failure: GONE });
    expect(submit('m1')).toEqual(['load m1']);
  });
});

describe('the queue', () => {
  test('[OB4] [OB8] takes what comes while a turn runs, is on disk first, and goes when the turn has ended', () => {
    const { start, submit, hear, finishGiving } = createOutboxScript();
    start('m1', 't1');
    expect(submit('m2')).toEqual(['enqueue m2']);
    expect(submit('m3', 'queue')).toEqual(['enqueue m3']);
    expect(hear(ended('t1'))).toEqual([]);
    expect(hear({ type: 'queue_stored', id: 'm2' })).toEqual(['answer m2: queued', 'load m2']);
    expect(hear({ type: 'queue_stored', id: 'm3' })).toEqual(['answer m3: queued']);
    expect(finishGiving('m2')).toEqual(['prepare m2', 'store m2', 'unqueue m2', 'turn m2']);
    hear({ type: 'turn_started', turnId: 't2' }, { type: 'accepted', id: 'm2', turnId: 't2' }, echo('m2', 't2'));
    expect(hear(ended('t2'))).toEqual(['load m3']);
  });

  test('[OB4] a message that is sent behind queued ones is queued too; while the queue is paused it goes at once', () => {
    const { start, submit, hear } = createOutboxScript();
    start('m1', 't1');
    submit('m2');
    hear({ type: 'queue_stored', id: 'm2' });
    expect(hear(ended('t1', 'interrupted'))).toEqual(['pause the queue']);
    expect(submit('m3')).toEqual(['load m3']);
    expect(submit('m4', 'queue')).toEqual(['enqueue m4']);
  });

  test('[OB4] a second message is queued while the first is on its way', () => {
    const { give, submit, hear } = createOutboxScript();
    give('m1');
    expect(submit('m2')).toEqual(['enqueue m2']);
    expect(hear({ type: 'queue_stored', id: 'm2' })).toEqual(['answer m2: queued']);
    // Codex said yes to the first; its turn has not begun, and a second one would become a steer of it.
    expect(hear({ type: 'accepted', id: 'm1', turnId: null })).toEqual(['answer m1: started null', 'timer look_up']);
  });

  test('[OB8] a message that the disk does not take is refused and forgotten', () => {
    const { start, submit, hear } = createOutboxScript();
    start('m1', 't1');
    submit('m2');
    const refused = hear({ type: 'queue_not_stored', id: 'm2', failure: FULL });
    expect(refused).toEqual(['answer m2: refused storage_full']);
    expect(hear(ended('t1'))).toEqual([]);
  });

  test('[OB10] holds a bounded number of messages and refuses more', () => {
    const { start, submit } = createOutboxScript();
    start('m1', 't1');
    for (let at = 0; at < MAX_QUEUED; at += 1) submit(`q${at}`);
    expect(submit('last')).toEqual(['answer last: refused conflict']);
  });

  test('[OB10] pauses when a message of it cannot be sent, which stays in it and is warned of', () => {
    const { start, submit, hear, state } = createOutboxScript();
    start('m1', 't1');
    submit('m2');
    hear({ type: 'queue_stored', id: 'm2' }, ended('t1'));
    expect(hear({ type: 'not_prepared', id: 'm2', failure: { code: 'missing_cwd', message: 'no' } })).toEqual([
      'pause the queue',
      'warn queue_refused',
    ]);
    expect(state().queue.map((one) => one.id)).toEqual(['m2']);
    expect(hear({ type: 'queue_resumed' })).toEqual(['resume the queue', 'load m2']);
  });

  test('[OB10] pauses when Codex refuses a message of it: nobody meant the second without the first', () => {
    const { start, submit, hear, finishGiving } = createOutboxScript();
    start('m1', 't1');
    for (const id of ['m2', 'm3']) {
      submit(id);
      hear({ type: 'queue_stored', id });
    }
    hear(ended('t1'));
    finishGiving('m2');
    expect(hear(refusedBy('m2'))).toEqual(['m2 not_delivered codex_error', 'context of m2: waits', 'pause the queue']);
  });

  test('[OB10] is reordered only with what is still in it', () => {
    const { start, submit, hear, state } = createOutboxScript();
    start('m1', 't1');
    for (const id of ['m2', 'm3', 'm4']) {
      submit(id);
      hear({ type: 'queue_stored', id });
    }
    hear({ type: 'queue_rewritten', ids: ['m4', 'gone', 'm2'] });
    expect(state().queue.map((one) => one.id)).toEqual(['m4', 'm2']);
    expect(hear(ended('t1'))).toEqual(['load m4']);
  });
});

describe('a steer', () => {
  test('[OB5] goes into the turn that runs', () => {
    const { start, submit, hear, finishGiving } = createOutboxScript();
    start('m1', 't1');
    expect(submit('s1', 'steer')).toEqual(['load s1']);
    expect(finishGiving('s1')).toEqual(['prepare s1', 'store s1', 'steer s1 into t1']);
    const answered = hear({ type: 'accepted', id: 's1', turnId: 't1' });
    expect(answered).toEqual(['answer s1: steered t1', 'timer look_up']);
  });

  test('[OB5] is refused when nothing runs, and nothing is stored', () => {
    expect(createOutboxScript().submit('s1', 'steer')).toEqual(['answer s1: refused no_active_turn']);
  });

  test('[OB5] that still waits when its turn ends is refused, and nothing is stored', () => {
    const { start, submit, hear } = createOutboxScript();
    start('m1', 't1');
    submit('s1', 'steer');
    submit('s2', 'steer');
    hear(ended('t1'), { type: 'loaded', id: 's1' });
    expect(hear({ type: 'not_prepared', id: 's1', failure: GONE })).toEqual([
      'answer s1: refused codex_unavailable',
      'answer s2: refused no_active_turn',
    ]);
  });

  test('[OB5] whose turn ends while it is being stored is recorded as not delivered', () => {
    const { start, submit, hear } = createOutboxScript();
    start('m1', 't1');
    submit('s1', 'steer');
    hear({ type: 'loaded', id: 's1' }, { type: 'prepared', id: 's1', hasEvents: false }, ended('t1'));
    expect(hear({ type: 'entry_stored', id: 's1' })).toEqual([
      'answer s1: refused no_active_turn stored',
      's1 not_delivered no_active_turn',
      'context of s1: waits',
    ]);
  });

  test('[OB5] that Codex finds too late is recorded as not delivered, not sent as a turn', () => {
    const { start, give, hear } = createOutboxScript();
    start('m1', 't1');
    give('s1', 'steer');
    hear(ended('t1'));
    expect(hear(refusedBy('s1', 'no_active_turn'))).toEqual([
      'answer s1: refused no_active_turn stored',
      's1 not_delivered no_active_turn',
      'context of s1: waits',
    ]);
  });

  test('[OB20] is queued while a review, compaction or shell command has the thread', () => {
    const { hear, submit } = createOutboxScript({ isReserved: true });
    expect(submit('s1', 'steer')).toEqual(['enqueue s1']);
    hear({ type: 'queue_stored', id: 's1' }, { type: 'turn_started', turnId: 'own' });
    expect(submit('s2', 'steer')).toEqual(['enqueue s2']);
    expect(hear(ended('own'))).toEqual([]);
    expect(hear({ type: 'thread_changed', facts: { isReserved: false } })).toEqual(['load s1']);
  });

  test('[OB20] nor does a message that was on its way start a turn then', () => {
    const { hear, submit } = createOutboxScript();
    submit('m1');
    hear({ type: 'thread_changed', facts: { isReserved: true } });
    expect(hear({ type: 'loaded', id: 'm1' })).toEqual(['context of m1: waits', 'enqueue m1 first']);
  });

  test('[CX52] that Codex cannot take into its turn waits for the end of that turn, with one entry', () => {
    const { start, give, hear } = createOutboxScript();
    start('m1', 't1');
    give('s1', 'steer');
    expect(hear(refusedBy('s1', 'not_steerable'))).toEqual(['answer s1: queued']);
    expect(hear(ended('t1'))).toEqual(['load s1']);
    expect(hear({ type: 'loaded', id: 's1' })).toEqual(['prepare s1']);
    expect(hear({ type: 'prepared', id: 's1', hasEvents: false })).toEqual(['turn s1']);
  });

  test('[OB5] is queued where Codex cannot steer', () => {
    const { start, submit } = createOutboxScript({ canSteer: false });
    start('m1', 't1');
    expect(submit('s1', 'steer')).toEqual(['enqueue s1']);
  });
});

describe('a message that Codex refuses', () => {
  test('[OB11] is recorded as not delivered with the reason, and what it carried waits', () => {
    const { arrive, give, hear, submit } = createOutboxScript();
    arrive('queue_for_next_turn', [1]);
    give('m1');
    expect(hear(refusedBy('m1'))).toEqual([
      'answer m1: refused codex_error stored',
      'm1 not_delivered codex_error',
      'context of m1: waits',
    ]);
    submit('m2');
    expect(hear({ type: 'loaded', id: 'm2' })).toEqual(['prepare m2 [1]']);
  });
});

describe('a request to stop', () => {
  const stop = (id: string) => ({ type: 'interrupt_requested', id }) as const;

  test('[OB13] interrupts the turn that runs, and pauses the queue', () => {
    const { start, hear, submit } = createOutboxScript();
    start('m1', 't1');
    submit('m2');
    hear({ type: 'queue_stored', id: 'm2' });
    expect(hear(stop('x1'))).toEqual(['interrupt t1']);
    expect(hear(stop('x2'))).toEqual([]);
    expect(hear({ type: 'interrupted', outcome: true })).toEqual(['answer x1 x2: true']);
    expect(hear(ended('t1', 'interrupted'))).toEqual(['pause the queue']);
    expect(hear({ type: 'queue_resumed' })).toEqual(['resume the queue', 'load m2']);
  });

  test('[OB13] is answered with false when nothing runs', () => {
    expect(createOutboxScript().hear(stop('x1'))).toEqual(['answer x1: false']);
  });

  test('[OB13] does not overtake a message that is being given: it stops the turn of that message', () => {
    const { give, hear } = createOutboxScript();
    give('m1');
    expect(hear(stop('x1'))).toEqual([]);
    hear({ type: 'turn_started', turnId: 't1' });
    expect(hear({ type: 'accepted', id: 'm1', turnId: 't1' })).toEqual([
      'answer m1: started t1',
      'timer look_up',
      'interrupt t1',
    ]);
  });
});

describe('a turn that begins elsewhere', () => {
  test('[OB14] sends a message that is not stored yet to the head of the queue, with what it carried', () => {
    const { submit, hear, arrive } = createOutboxScript();
    arrive('queue_for_next_turn', [1]);
    submit('m1');
    submit('m2');
    hear({ type: 'queue_stored', id: 'm2' }, { type: 'loaded', id: 'm1' }, { type: 'turn_started', turnId: 'other' });
    const overtaken = hear({ type: 'prepared', id: 'm1', hasEvents: true });
    expect(overtaken).toEqual(['context of m1: waits', 'enqueue m1 first']);
    expect(hear({ type: 'queue_stored', id: 'm1' })).toEqual(['answer m1: queued']);
    expect(hear(ended('other'))).toEqual(['load m1']);
    expect(hear({ type: 'loaded', id: 'm1' })).toEqual(['prepare m1 [1]']);
  });

  test('[OB6] when the disk refuses that message, the queue behind it goes on', () => {
    const { submit, hear } = createOutboxScript();
    submit('m1');
    submit('m2');
    hear({ type: 'queue_stored', id: 'm2' }, { type: 'loaded', id: 'm1' }, { type: 'turn_started', turnId: 'other' });
    hear({ type: 'prepared', id: 'm1', hasEvents: false });
    expect(hear(ended('other'))).toEqual([]);
    expect(hear({ type: 'queue_not_stored', id: 'm1', failure: FULL })).toEqual([
      'answer m1: refused storage_full',
      'load m2',
    ]);
  });

  test('[OB14] makes a message that is on disk wait for its end', () => {
    const { submit, hear } = createOutboxScript();
    submit('m1');
    hear({ type: 'loaded', id: 'm1' }, { type: 'prepared', id: 'm1', hasEvents: false });
    hear({ type: 'turn_started', turnId: 'other' });
    expect(hear({ type: 'entry_stored', id: 'm1' })).toEqual(['answer m1: queued']);
    expect(hear(ended('other'))).toEqual(['load m1']);
    const again = hear({ type: 'loaded', id: 'm1' }, { type: 'prepared', id: 'm1', hasEvents: false });
    expect(again).toEqual(['prepare m1', 'turn m1']);
  });

  test('[OB14] leaves a queued message in the queue', () => {
    const { start, submit, hear, state } = createOutboxScript();
    start('m1', 't1');
    submit('m2');
    hear({ type: 'queue_stored', id: 'm2' }, ended('t1'), { type: 'turn_started', turnId: 'other' });
    expect(hear({ type: 'loaded', id: 'm2' })).toEqual(['context of m2: waits']);
    expect(state().queue.map((one) => one.id)).toEqual(['m2']);
    expect(hear(ended('other'))).toEqual(['load m2']);
  });
});
