/** Events in the outbox, rule by rule: with the next message, as a steer, as a turn of their own, into the history, held. */
import { describe, expect, test } from 'vitest';
import { batch, createOutboxScript, echo, ended, refusedBy, unanswered } from '../../testing/outbox-script.ts';
import type { OutboxInput } from './state.ts';

const GATHERED: OutboxInput = { type: 'timer', name: 'gather' };
const switched = (areEventsOn: boolean): OutboxInput => ({ type: 'thread_changed', facts: { areEventsOn } });
const TURN = 'event-turn-dlv_1';
const STEER = 'event-steer-dlv_1';

test('[OB6] a steer that arrives when its turn is over already goes with the next message', () => {
  const { hear } = createOutboxScript();
  const late = { ...batch('turn_steer', [1]), turnId: null };
  expect(hear({ type: 'events_arrived', batches: [late], isRecovery: false, isOverLimit: false })).toEqual([
    'events [1]: queued queue_for_next_turn no_active_turn',
  ]);
});

describe('an event for the next message', () => {
  test('[EV26] [OB3] goes along with it and is delivered when Codex has the message', () => {
    const { arrive, submit, hear } = createOutboxScript();
    expect(arrive('queue_for_next_turn', [1])).toEqual([]);
    arrive('queue_for_next_turn', [2]);
    submit('m1');
    expect(hear({ type: 'loaded', id: 'm1' })).toEqual(['prepare m1 [1 2]']);
    hear({ type: 'prepared', id: 'm1', hasEvents: true }, { type: 'entry_stored', id: 'm1' });
    hear({ type: 'accepted', id: 'm1', turnId: 't1' });
    expect(hear(echo('m1', 't1'))).toEqual([
      'm1 delivered',
      'events [1 2]: delivered queue_for_next_turn',
      'context of m1: carried',
    ]);
  });

  test('[OB3] waits on if it could not be read: the message goes without it', () => {
    const { arrive, submit, hear, state } = createOutboxScript();
    arrive('queue_for_next_turn', [1]);
    submit('m1');
    hear({ type: 'loaded', id: 'm1' });
    expect(hear({ type: 'prepared', id: 'm1', hasEvents: false })).toEqual(['store m1']);
    expect(state().events).toEqual([batch('queue_for_next_turn', [1])]);
  });

  test('[OB3] that the ledger tells of twice goes along once', () => {
    const { arrive, submit, hear } = createOutboxScript();
    arrive('queue_for_next_turn', [1, 2]);
    arrive('queue_for_next_turn', [2]);
    submit('m1');
    expect(hear({ type: 'loaded', id: 'm1' })).toEqual(['prepare m1 [1 2]']);
  });
});

describe('an event that steers', () => {
  test('[EV29] goes into its turn under words of ours', () => {
    const { start, arrive, finishGiving } = createOutboxScript();
    start('m1', 't1');
    expect(arrive('turn_steer', [1], { turnId: 't1' })).toEqual([`load ${STEER}`]);
    expect(finishGiving(STEER)).toEqual([`prepare ${STEER} [1]`, `store ${STEER}`, `steer ${STEER} into t1`]);
  });

  test('[EV29] [OB5] waits for the next message when its turn is over', () => {
    const { start, arrive, hear } = createOutboxScript();
    start('m1', 't1');
    hear(ended('t1'));
    expect(arrive('turn_steer', [1], { turnId: 't1' })).toEqual([
      'events [1]: queued queue_for_next_turn no_active_turn',
    ]);
  });

  test('[EV29] that Codex refuses waits for the next message, and its words are not delivered', () => {
    const { start, arrive, finishGiving, hear } = createOutboxScript();
    start('m1', 't1');
    arrive('turn_steer', [1], { turnId: 't1' });
    finishGiving(STEER);
    expect(hear(refusedBy(STEER, 'no_active_turn'))).toEqual([
      `${STEER} not_delivered no_active_turn`,
      `context of ${STEER}: waits`,
      'events [1]: queued queue_for_next_turn no_active_turn',
    ]);
  });
});

describe('an event that wants a turn', () => {
  test('[EV30] waits a moment for others, then one turn starts for all of them, unattended', () => {
    const { arrive, hear, finishGiving, state } = createOutboxScript();
    expect(arrive('auto_turn', [1], { hops: 1 })).toEqual(['timer gather']);
    expect(arrive('auto_turn', [2])).toEqual([]);
    expect(hear(GATHERED)).toEqual([`load ${TURN}`]);
    expect(state().runningHops).toBe(2);
    expect(finishGiving(TURN)).toEqual([`prepare ${TURN} [1 2]`, `store ${TURN}`, `turn ${TURN} unattended`]);
    hear({ type: 'turn_started', turnId: 't1' }, { type: 'accepted', id: TURN, turnId: 't1' }, echo(TURN, 't1'));
    expect(state().autoTurnsInARow).toBe(1);
    hear(ended('t1'));
    expect(state().runningHops).toBe(0);
  });

  test('[EV31] goes with a message of a person that comes first, and then needs no turn', () => {
    const { arrive, submit, hear } = createOutboxScript();
    arrive('auto_turn', [1]);
    submit('m1');
    expect(hear({ type: 'loaded', id: 'm1' })).toEqual(['prepare m1 [1]']);
    expect(hear(GATHERED)).toEqual([]);
  });

  test('[EV31] starts after the running turn and after queued messages, which carry it', () => {
    const { start, submit, arrive, hear } = createOutboxScript();
    start('m1', 't1');
    submit('m2');
    hear({ type: 'queue_stored', id: 'm2' });
    arrive('auto_turn', [1]);
    expect(hear(GATHERED)).toEqual([]);
    expect(hear(ended('t1'))).toEqual(['timer gather', 'load m2']);
    expect(hear({ type: 'loaded', id: 'm2' })).toEqual(['prepare m2 [1]']);
  });

  test('[EV31] waits for the next message after a turn that a person stopped', () => {
    const { start, arrive, hear } = createOutboxScript();
    start('m1', 't1');
    arrive('auto_turn', [1]);
    expect(hear(GATHERED, ended('t1', 'interrupted'))).toEqual(['events [1]: queued queue_for_next_turn stopped']);
    expect(hear(GATHERED)).toEqual([]);
  });

  test('[EV23] warns once when too many turns in a row were wanted; a person who speaks begins anew', () => {
    const { hear, start, state } = createOutboxScript();
    const over = (seq: number): OutboxInput => ({
      type: 'events_arrived',
      batches: [batch('queue_for_next_turn', [seq])],
      isRecovery: false,
      isOverLimit: true,
    });
    expect(hear(over(1), over(2))).toEqual(['warn event_loop']);
    start('m1', 't1');
    expect(state()).toMatchObject({ autoTurnsInARow: 0, hasWarned: false });
    expect(hear(over(3))).toEqual(['warn event_loop']);
  });

  test('[EV42] wakes no archived conversation', () => {
    const { arrive, hear } = createOutboxScript({ isArchived: true });
    arrive('auto_turn', [1]);
    expect(hear(GATHERED)).toEqual([]);
  });

  test('[OB14] waits again when a turn begins elsewhere', () => {
    const { arrive, hear } = createOutboxScript();
    arrive('auto_turn', [1]);
    hear(GATHERED, { type: 'turn_started', turnId: 'other' });
    expect(hear({ type: 'loaded', id: TURN })).toEqual([`context of ${TURN}: waits`]);
    expect(hear(ended('other'))).toEqual(['timer gather']);
    expect(hear(GATHERED)).toEqual(['load event-turn-dlv_2']);
  });

  test('[OB16] [OB3] gets another turn when Codex dies before it kept the first', () => {
    const { arrive, hear, finishGiving } = createOutboxScript();
    arrive('auto_turn', [1]);
    hear(GATHERED);
    finishGiving(TURN);
    hear({ type: 'codex_gone' }, unanswered(TURN, 'codex_unavailable'), { type: 'codex_ready', isAdopted: false });
    expect(hear({ type: 'found_in_history', contextOf: [], asked: [TURN], found: [] })).toEqual([
      `${TURN} not_delivered codex_unavailable`,
      `context of ${TURN}: waits`,
      'timer gather',
    ]);
    expect(hear(GATHERED)).toEqual(['load event-turn-dlv_2']);
  });
});

describe('an event for the history', () => {
  test('[EV24] [EV28] is appended while the thread is idle and loaded', () => {
    const { arrive, hear } = createOutboxScript();
    expect(arrive('append_to_thread', [1])).toEqual(['inject dlv_1 [1]']);
    expect(hear({ type: 'accepted', id: 'dlv_1', turnId: null })).toEqual(['events [1]: appended append_to_thread']);
  });

  test('[EV24] waits while a turn runs', () => {
    const { start, arrive, hear } = createOutboxScript();
    start('m1', 't1');
    expect(arrive('append_to_thread', [1])).toEqual([]);
    expect(hear(ended('t1'))).toEqual(['inject dlv_1 [1]']);
  });

  test('[EV24] waits until the thread is loaded, and goes before the message it was loaded for', () => {
    const { arrive, submit, hear } = createOutboxScript({ isLoaded: false });
    expect(arrive('append_to_thread', [1])).toEqual([]);
    expect(submit('m1')).toEqual(['load m1']);
    expect(hear({ type: 'loaded', id: 'm1' })).toEqual(['inject dlv_1 [1]']);
    expect(hear({ type: 'accepted', id: 'dlv_1', turnId: null })).toEqual([
      'events [1]: appended append_to_thread',
      'prepare m1',
    ]);
  });

  test('[EV24] that Codex refuses is held, says why, and is tried again when something has changed', () => {
    const { arrive, hear, start } = createOutboxScript();
    arrive('append_to_thread', [1]);
    expect(hear(refusedBy('dlv_1'))).toEqual(['events [1]: held append_to_thread codex_error']);
    expect(hear({ type: 'queue_resumed' })).toEqual([]);
    expect(start('m1', 't1')).toContain('inject dlv_2 [1]');
  });

  test('[EV28] [OB15] that Codex did not confirm is looked up and not sent twice', () => {
    const { arrive, hear } = createOutboxScript();
    arrive('append_to_thread', [1]);
    expect(hear(unanswered('dlv_1'))).toEqual(['timer look_up']);
    expect(hear({ type: 'timer', name: 'look_up' })).toEqual(['look up dlv_1']);
    const found = [{ id: 'dlv_1', turnId: null, itemId: null }];
    expect(hear({ type: 'found_in_history', contextOf: [], asked: ['dlv_1'], found })).toEqual([
      'events [1]: appended append_to_thread',
    ]);
  });
});

describe('events are switched off', () => {
  test('[CT13] an event that was planned before the switch and arrives after it is held too', () => {
    const { arrive, hear } = createOutboxScript();
    hear(switched(false));
    expect(arrive('queue_for_next_turn', [1])).toEqual(['events [1]: held queue_for_next_turn turned_off']);
  });

  test('[CT13] what waits is held and says why; once they are on again it waits for the next message', () => {
    const { arrive, submit, hear } = createOutboxScript({ isLoaded: false });
    arrive('auto_turn', [1]);
    arrive('append_to_thread', [2]);
    expect(hear(switched(false))).toEqual([
      'events [2]: held append_to_thread turned_off',
      'events [1]: held queue_for_next_turn turned_off',
    ]);
    expect(hear(GATHERED)).toEqual([]);
    submit('m1');
    expect(hear({ type: 'loaded', id: 'm1' })).toEqual(['prepare m1']);
    expect(hear(switched(true))).toEqual([
      'events [2]: queued append_to_thread',
      'events [1]: queued queue_for_next_turn',
    ]);
  });

  test('[CT13] what a refused message carried is held', () => {
    const { arrive, give, hear, state } = createOutboxScript();
    arrive('queue_for_next_turn', [1]);
    give('m1');
    hear(switched(false), refusedBy('m1'));
    expect(state().events).toEqual([batch('queue_for_next_turn', [1], { isHeld: true })]);
  });
});
