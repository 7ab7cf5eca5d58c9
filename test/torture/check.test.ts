/** The checker of the crash rig sees what it is for: each law is broken once, and nothing is reported where nothing is wrong. */
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Violation {
  readonly law: string;
  readonly text: string;
}
/** The checker is plain JavaScript that knows nothing of the product. */
const { check } = (await import(join(import.meta.dirname, 'check.mjs'))) as {
  check(record: unknown, seen: unknown): Violation[];
};

test('a plan follows from its seed alone', async () => {
  const { planRound } = (await import(join(import.meta.dirname, 'plan.mjs'))) as { planRound(seed: number): unknown };
  expect(planRound(7)).toEqual(planRound(7));
  expect(planRound(7)).not.toEqual(planRound(8));
});

const ANSWERED = { status: 200, body: { outcome: 'started', turn_id: 't1' }, submittedAt: 0, answeredAt: 1 };
const message = (more: object = {}) => ({
  id: 'c-1',
  marker: '[m-a-1]',
  text: '[m-a-1] words',
  mode: 'send',
  conversation: 0,
  attempts: [ANSWERED],
  ...more,
});
const user = (more: object = {}) => ({
  seq: 1,
  role: 'user',
  text: '[m-a-1] words',
  client_message_id: 'c-1',
  state: 'sent',
  ...more,
});
const delivery = (state: string, more: object = {}) => ({
  seq: 2,
  role: 'delivery',
  client_message_id: 'c-1',
  state,
  ...more,
});
const event = (more: object = {}) => ({
  id: 'e-1',
  marker: '[e-a-1]',
  way: 'http',
  delivery: 'queue',
  conversation: 0,
  attempts: [{ status: 202, body: { ok: true } }],
  ...more,
});

/** What was seen of one conversation; transcript and file agree unless the case says otherwise. */
function seen(entries: readonly object[], more: object = {}) {
  const one = {
    id: 'conv',
    queue: [],
    ledger: [],
    history: [],
    pendingApprovals: 0,
    newestInput: [],
    told: [],
    entries,
    raw: entries,
    ...more,
  };
  return { conversations: [one], board: [] };
}
const record = (messages: readonly object[], events: readonly object[] = []) => ({
  messages: new Map(messages.map((one, at) => [at, one])),
  events: new Map(events.map((one, at) => [at, one])),
  posts: new Map(),
  commands: new Map(),
  internal: [],
});
const ONCE = { newestInput: ['[m-a-1] words'], told: [{ '[m-a-1]': 1 }] };
const TWICE = { newestInput: ['[m-a-1] words', '[m-a-1] words'], told: [{ '[m-a-1]': 2 }] };
const kept = (state: string, mode: string) => [{ event_id: 'e-1', state, mode }];
const TOLD_EVENT = { newestInput: ['[e-a-1]'], told: [{ '[e-a-1]': 1 }] };

test.each([
  ['nothing is wrong', [], record([message()]), seen([user(), delivery('delivered')], ONCE)],
  ['nothing is wrong', [], record([message()]), seen([user(), delivery('not_delivered')])],
  ['nothing is wrong', [], record([message()]), seen([], { queue: ['c-1'] })],
  ['nothing is wrong', [], record([], [event()]), seen([], { ...TOLD_EVENT, ledger: kept('delivered', 'auto_turn') })],
  ['a message is nowhere', ['lost'], record([message()]), seen([])],
  [
    'it is here and there',
    ['both'],
    record([message()]),
    seen([user(), delivery('not_delivered')], { queue: ['c-1'] }),
  ],
  ['it never settles', ['unsettled'], record([message()]), seen([user()])],
  [
    'it settles twice',
    ['unsettled'],
    record([message()]),
    seen([user(), delivery('not_delivered'), delivery('delivered', { seq: 3 })], ONCE),
  ],
  ['it was not delivered', ['wrong-delivered'], record([message()]), seen([user(), delivery('delivered')])],
  ['it was', ['wrong-not-delivered'], record([message()]), seen([user(), delivery('not_delivered')], ONCE)],
  [
    'the model has it twice',
    ['told-twice', 'wrong-delivered'],
    record([message()]),
    seen([user(), delivery('delivered')], TWICE),
  ],
  [
    'a number is missing',
    ['transcript'],
    record([]),
    seen([
      { seq: 1, role: 'note' },
      { seq: 3, role: 'note' },
    ]),
  ],
  [
    'a turn has no end',
    ['turns'],
    record([]),
    seen([user({ state: undefined, turn_id: 't1', client_message_id: 'x' })]),
  ],
  ['an event is gone', ['event-lost'], record([], [event()]), seen([])],
  ['it was not told', ['event-untold'], record([], [event()]), seen([], { ledger: kept('delivered', 'auto_turn') })],
  [
    'it is told again',
    ['event-twice'],
    record([], [event()]),
    seen([], { ...TOLD_EVENT, ledger: kept('queued', 'queue_for_next_turn') }),
  ],
  [
    'it steers another turn',
    ['event-other-turn'],
    record([], [event({ delivery: 'other-turn' })]),
    seen([], { ...TOLD_EVENT, ledger: kept('delivered', 'turn_steer') }),
  ],
])('the checker sees that %s: %j', (_what, laws, submitted, observed) => {
  expect(check(submitted, observed).map(({ law }) => law)).toEqual(laws);
});
