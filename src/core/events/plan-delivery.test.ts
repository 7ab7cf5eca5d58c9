/** What becomes of an event, for every kind of rule, source and thread. */
import { describe, expect, test } from 'vitest';
import { EventRule, type ExternalEvent } from '../../contract/external-event.ts';
import { matchesGlob, type Policy, planDelivery, type ThreadStatus } from './plan-delivery.ts';

const IDLE: ThreadStatus = {
  turnId: null,
  isLoaded: true,
  isArchived: false,
  areEventsOn: true,
  autoTurnsInARow: 0,
};
const BUSY: ThreadStatus = { ...IDLE, turnId: 'turn-1' };
const ALL = { canSteer: true, canInject: true };

function event(change: Partial<ExternalEvent> = {}, authenticated = true): ExternalEvent {
  return {
    schema_version: 1,
    event_id: 'e',
    time_unix_ms: 0,
    type: 'build.failed',
    severity: 'error',
    source: { name: 'ci' },
    routing: { thread_id: 't' },
    title: '',
    summary: '',
    trust: {
      origin: 'local',
      authenticated,
      provenance: authenticated ? 'token' : 'none',
      treat_as_instruction: false,
    },
    ...change,
  };
}

function policy(rules: readonly object[] = [], change: Partial<Policy> = {}): Policy {
  return {
    rules: rules.map((rule) => EventRule.parse(rule)),
    defaultDelivery: 'queue_for_next_turn',
    allowSources: [],
    maxHops: 3,
    ...change,
  };
}

describe('[CT13] events are off for the conversation', () => {
  const OFF: ThreadStatus = { ...BUSY, areEventsOn: false };
  const planned = (rule: object, capabilities = ALL) => {
    const { mode, state, reason } = planDelivery(policy([rule], { allowSources: ['ci'] }), event(), OFF, capabilities);
    return [mode, state, reason];
  };
  test.each([
    ['queue_for_next_turn', {}, 'queue_for_next_turn'],
    ['append_to_thread', {}, 'append_to_thread'],
    ['auto_turn', {}, 'queue_for_next_turn'],
    ['queue_for_next_turn', { prefer_steer: true }, 'queue_for_next_turn'],
  ])('what is for the model by %s is held and says why', (delivery, more, mode) => {
    expect(planned({ match_type: '*', delivery, ...more })).toEqual([mode, 'held', 'turned_off']);
  });
  test('what is not for it is as ever, and what cannot be appended waits for a message', () => {
    expect(planned({ match_type: '*', delivery: 'notify_only' })).toEqual(['notify_only', 'notified', undefined]);
    expect(planned({ match_type: '*', delivery: 'drop' })).toEqual(['drop', 'dropped', 'rule']);
    const old = planned({ match_type: '*', delivery: 'append_to_thread' }, { canSteer: false, canInject: false });
    expect(old).toEqual(['queue_for_next_turn', 'held', 'turned_off']);
  });
});

describe('[EV20] without rules', () => {
  test.each([
    ['idle', IDLE],
    ['busy', BUSY],
  ])('every event waits for the next model call when the thread is %s', (_name, status) => {
    for (const authenticated of [true, false]) {
      const plan = planDelivery(policy(), event({ severity: 'critical' }, authenticated), status, ALL);
      expect(plan).toEqual({ mode: 'queue_for_next_turn', state: 'queued', rule: null, hops: 0 });
    }
  });
});

describe('[EV21] rules', () => {
  test('the first that fits decides, by type, source and severity', () => {
    const rules = [
      { match_type: 'build.*', min_severity: 'critical', delivery: 'drop' },
      { match_type: 'build.*', source: 'other', delivery: 'drop' },
      { match_type: 'build.failed', delivery: 'notify_only' },
      { match_type: '*', delivery: 'drop' },
    ];
    expect(planDelivery(policy(rules), event(), IDLE, ALL)).toMatchObject({ mode: 'notify_only', rule: 2 });
    expect(planDelivery(policy(rules), event({ severity: 'critical' }), IDLE, ALL)).toMatchObject({ rule: 0 });
    expect(planDelivery(policy(rules), event({ type: 'deploy' }), IDLE, ALL)).toMatchObject({ state: 'dropped' });
  });
  test.each([
    ['*', 'a.b', true],
    ['build.*', 'build.failed', true],
    ['build.*', 'build', false],
    ['*.failed', 'build.linux.failed', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['', 'x', false],
    [`${'*a'.repeat(60)}b`, 'a'.repeat(120), false],
  ])('%s against %s is %s', (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });
});

describe('[EV22] a steer', () => {
  const steering = policy([{ match_type: '*', prefer_steer: true, allow_sources: ['ci'] }]);
  test('is for an allowed, authenticated source while a turn runs', () => {
    expect(planDelivery(steering, event(), BUSY, ALL)).toMatchObject({ mode: 'turn_steer' });
    expect(planDelivery(steering, event(), IDLE, ALL)).toMatchObject({ mode: 'queue_for_next_turn' });
  });
  test.each([
    ['not_authenticated', event({}, false), ALL],
    ['not_allowed', event({ source: { name: 'stranger' } }), ALL],
    ['cannot_steer', event(), { ...ALL, canSteer: false }],
  ])('is refused as %s', (reason, one, capabilities) => {
    expect(planDelivery(steering, one, BUSY, capabilities)).toMatchObject({ mode: 'queue_for_next_turn', reason });
  });
  test('may be opened to local producers without a token, which still start no turn', () => {
    const rule = { match_type: '*', prefer_steer: true, delivery: 'auto_turn', allow_sources: ['ci'] };
    const open = policy([{ ...rule, allow_unauthenticated: true }]);
    expect(planDelivery(open, event({}, false), BUSY, ALL)).toMatchObject({ mode: 'turn_steer' });
    expect(planDelivery(open, event({}, false), IDLE, ALL)).toMatchObject({ mode: 'queue_for_next_turn' });
    const foreign = event({ trust: { ...event({}, false).trust, origin: 'network' } });
    expect(planDelivery(open, foreign, BUSY, ALL)).toMatchObject({ mode: 'queue_for_next_turn' });
  });
});

describe('[EV44] an event that names a turn', () => {
  const steering = policy([{ match_type: '*', prefer_steer: true, allow_sources: ['ci'] }]);
  const about = (turn_id: string) => event({ routing: { thread_id: 't', turn_id } });
  test('steers that turn and no other', () => {
    expect(planDelivery(steering, about('turn-1'), BUSY, ALL)).toMatchObject({ mode: 'turn_steer', state: 'queued' });
    const other = planDelivery(steering, about('turn-0'), BUSY, ALL);
    expect(other).toMatchObject({ mode: 'queue_for_next_turn', state: 'queued', reason: 'other_turn' });
  });
  test('starts no turn of its own while another one runs', () => {
    const rule = { match_type: '*', prefer_steer: true, delivery: 'auto_turn', allow_sources: ['ci'] };
    expect(planDelivery(policy([rule]), about('turn-0'), BUSY, ALL)).toMatchObject({ reason: 'other_turn' });
  });
});

describe('[EV23] an automatic turn', () => {
  const auto = policy([{ match_type: '*', delivery: 'auto_turn' }], { allowSources: ['ci'] });
  test('is for an allowed, authenticated source', () => {
    expect(planDelivery(auto, event(), IDLE, ALL)).toMatchObject({ mode: 'auto_turn', state: 'queued' });
    expect(planDelivery(auto, event({}, false), IDLE, ALL)).toMatchObject({ reason: 'not_authenticated' });
    expect(planDelivery(auto, event({ source: { name: 'x' } }), IDLE, ALL)).toMatchObject({ reason: 'not_allowed' });
  });
  test('does not follow from automatic turns for ever', () => {
    const hop = (hops: number) => planDelivery(auto, event({ routing: { thread_id: 't', hops } }), IDLE, ALL);
    expect(hop(2)).toMatchObject({ mode: 'auto_turn', hops: 2 });
    expect(hop(3)).toMatchObject({ mode: 'queue_for_next_turn', reason: 'hop_limit' });
    expect(planDelivery(auto, event(), IDLE, ALL, 3)).toMatchObject({ reason: 'hop_limit', hops: 3 });
    const tired = { ...IDLE, autoTurnsInARow: 6 };
    expect(planDelivery(auto, event(), tired, ALL)).toMatchObject({ reason: 'hop_limit' });
  });
});

test('[EV24] appending waits for the end of a turn and for a thread that is loaded', () => {
  const append = policy([{ match_type: '*', delivery: 'append_to_thread' }]);
  expect(planDelivery(append, event(), IDLE, ALL)).toMatchObject({ mode: 'append_to_thread', state: 'queued' });
  expect(planDelivery(append, event(), BUSY, ALL)).toMatchObject({ state: 'held', reason: 'turn_running' });
  const unloaded = { ...IDLE, isLoaded: false };
  expect(planDelivery(append, event(), unloaded, ALL)).toMatchObject({ state: 'held', reason: 'thread_not_loaded' });
  const old = { canSteer: false, canInject: false };
  expect(planDelivery(append, event(), IDLE, old)).toMatchObject({ mode: 'queue_for_next_turn' });
});
