/** What `send` shows of its turn. */
import { describe, expect, test } from 'vitest';
import type { Entry, NewEntry } from '../contract/entry.ts';
import { EVENT_OF_ROLE, type LiveItem, type ServerFrame } from '../contract/ui-event.ts';
import { sampleRow } from '../testing/samples.ts';
import { decodeFrame } from './decode-frame.ts';
import { createTurnFollower, type Shown } from './follow-turn.ts';

const conversation_id = `conv_${'a'.repeat(32)}`;
const ROW = sampleRow({ id: conversation_id, state: 'running' });

const stamp = (seq: number, entry: NewEntry): Entry => ({ seq, ts: '2026-01-01T00:00:00.000Z', ...entry });
const durable = (seq: number, entry: NewEntry): ServerFrame => ({
  type: EVENT_OF_ROLE[entry.role],
  conversation_id,
  seq,
  entry: stamp(seq, entry),
});
const delta = (offset: number, text: string, turn_id = 't'): ServerFrame => ({
  type: 'assistant_delta',
  conversation_id,
  after: 0,
  item_id: 'i',
  turn_id,
  offset,
  delta: text,
});
const answer = (text: string, turn_id = 't'): NewEntry => ({
  role: 'assistant',
  text,
  status: 'completed',
  item_id: 'i',
  turn_id,
});
const ended = (turn_status: 'completed' | 'failed' | 'interrupted', turn_id = 't'): NewEntry => ({
  role: 'status',
  status: 'success',
  turn_status,
  duration_ms: 1,
  turn_id,
});
function sync(seq: number, entries: readonly Entry[], live: readonly LiveItem[] = []): ServerFrame {
  const activity = { state: 'running', text: '', turn_id: 't', lamp: 'off' } as const;
  const status = { activity, usage: null, row: ROW };
  return { type: 'sync', conversation_id, verdict: 'replay', seq, entries, live, approvals: [], status };
}
const textOf = (shown: readonly Shown[]): string =>
  shown.flatMap((one) => (one.kind === 'text' ? [one.text] : [])).join('');
const notesOf = (shown: readonly Shown[]): string[] => shown.flatMap((one) => (one.kind === 'note' ? [one.text] : []));

function follow(frames: readonly ServerFrame[], turnId: string | null = 't') {
  const follower = createTurnFollower('m1');
  if (turnId !== null) follower.nameTurn(turnId);
  return { follower, shown: frames.flatMap((frame) => follower.receive(frame)) };
}

describe('[CL21] the answer is printed as it comes, each character once', () => {
  test('deltas, then the whole', () => {
    const { shown, follower } = follow([
      delta(0, 'Hel'),
      delta(3, 'lo'),
      durable(1, answer('Hello')),
      durable(2, ended('completed')),
    ]);
    expect(textOf(shown)).toBe('Hello\n');
    expect(follower.end()).toBe('completed');
    expect(follower.lastSeq()).toBe(2);
  });
  test('repeated and overlapping deltas', () => {
    const { shown } = follow([delta(0, 'Hel'), delta(0, 'Hel'), delta(1, 'ello'), durable(1, answer('Hello!'))]);
    expect(textOf(shown)).toBe('Hello!\n');
  });
  test('a lost connection: what was missed comes with the snapshot', () => {
    const item = {
      role: 'assistant',
      item_id: 'i',
      turn_id: 't',
      started_at_ms: 0,
      text: 'Hello wor',
      text_start: 0,
    } as const;
    const { shown } = follow([delta(0, 'Hel'), sync(0, [], [item]), delta(9, 'ld'), durable(1, answer('Hello world'))]);
    expect(textOf(shown)).toBe('Hello world\n');
  });
  test('a lost connection: the end of the turn comes with the snapshot', () => {
    const { shown, follower } = follow([
      delta(0, 'Hel'),
      sync(2, [stamp(1, answer('Hello')), stamp(2, ended('failed'))]),
    ]);
    expect(textOf(shown)).toBe('Hello\n');
    expect(follower.end()).toBe('failed');
    expect(shown.filter((one) => one.kind === 'event').length).toBe(3);
  });
  test('an answer without deltas', () => {
    expect(textOf(follow([durable(1, answer('Hi'))]).shown)).toBe('Hi\n');
  });
  test('an entry that was told already', () => {
    expect(
      textOf(follow([durable(1, answer('Hi')), durable(1, answer('Hi')), sync(1, [stamp(1, answer('Hi'))])]).shown),
    ).toBe('Hi\n');
  });
});

test('[CL21] other turns are not ours', () => {
  const { shown, follower } = follow([
    delta(0, 'x', 'other'),
    durable(1, answer('x', 'other')),
    durable(2, ended('failed', 'other')),
  ]);
  expect(shown).toEqual([]);
  expect(follower.end()).toBeNull();
});

test('[CL21] a queued message finds its turn when it is sent', () => {
  const { shown, follower } = follow(
    [
      sync(3, [stamp(3, answer('old', 'before'))]),
      durable(4, { role: 'user', text: 'hi', client_message_id: 'm1', turn_id: 't' }),
      delta(0, 'Hello'),
      durable(5, answer('Hello')),
      durable(6, ended('interrupted')),
    ],
    null,
  );
  expect(textOf(shown)).toBe('Hello\n');
  expect(follower.turnId()).toBe('t');
  expect(follower.end()).toBe('interrupted');
});

describe('what became of the message itself', () => {
  const message: NewEntry = { role: 'user', text: 'hi', client_message_id: 'm1', mode: 'send', state: 'sent' };
  const delivery = (state: 'sent' | 'delivered' | 'not_delivered', more = {}): NewEntry => ({
    role: 'delivery',
    client_message_id: 'm1',
    state,
    ...more,
  });

  test('[CL21] its delivery names the turn', () => {
    const { shown, follower } = follow(
      [
        durable(1, message),
        durable(2, { ...delivery('delivered', { turn_id: 'other' }), client_message_id: 'm2' } as NewEntry),
        durable(3, delivery('delivered', { turn_id: 't', item_id: 'u' })),
        durable(4, answer('Hello')),
        durable(5, ended('completed')),
      ],
      null,
    );
    expect(textOf(shown)).toBe('Hello\n');
    expect([follower.turnId(), follower.end(), follower.notDelivered()]).toEqual(['t', 'completed', null]);
    const told = shown.flatMap((one) => (one.kind === 'event' ? [one.event.type] : []));
    expect(told).toEqual(['message', 'delivery', 'assistant_finalize', 'status']);
  });

  test('[CL21] it left the queue when the transcript has it, before its turn is known', () => {
    expect(follow([durable(1, { ...message, client_message_id: 'm2' })], null).follower.isStored()).toBe(false);
    const { follower } = follow([durable(1, message)], null);
    expect([follower.isStored(), follower.turnId()]).toEqual([true, null]);
  });

  test('[CL30] it was not delivered, and why', () => {
    const lost = delivery('not_delivered', { reason: 'codex_exited', text: 'Codex stopped.' });
    const { follower } = follow([durable(1, message), durable(2, lost)], null);
    expect(follower.notDelivered()).toBe('Codex stopped.');
    expect(follow([durable(1, delivery('not_delivered'))], null).follower.notDelivered()).toMatch('does not have');
    const other = { ...lost, client_message_id: 'm2' } as NewEntry;
    expect(follow([durable(1, message), durable(2, other)], null).follower.notDelivered()).toBeNull();
  });

  test('[CL21] it was sent again by the server: the newest delivery counts', () => {
    const { follower } = follow([
      durable(1, message),
      durable(2, delivery('sent')),
      durable(3, delivery('delivered', { turn_id: 'second' })),
    ]);
    expect([follower.turnId(), follower.notDelivered()]).toEqual(['second', null]);
  });
});

test('[CL21] commands, changes, approvals and faults are one line each', () => {
  const origin = { turn_id: 't', item_id: 'c' };
  const command: Extract<NewEntry, { role: 'command' }> = {
    role: 'command',
    command: 'make',
    cwd: '/',
    output: '',
    exit_code: 2,
    duration_ms: 1,
    status: 'failed',
    actions: [],
    ...origin,
  };
  const { shown } = follow([
    {
      type: 'item',
      conversation_id,
      after: 0,
      item: {
        role: 'command',
        command: 'make',
        cwd: '/',
        user_shell: false,
        started_at_ms: 0,
        text: '',
        text_start: 0,
        ...origin,
      },
    },
    durable(1, command),
    durable(2, { ...command, item_id: 'd', exit_code: 0, status: 'completed' }),
    durable(3, {
      role: 'diff',
      diff_id: 'd',
      diff: '',
      files: [{ path: 'a.ts', kind: 'add' }],
      status: 'applied',
      turn_id: 't',
    }),
    durable(4, {
      role: 'approval',
      approval_id: 'a',
      kind: 'command',
      status: 'declined',
      title: 'Run?',
      turn_id: 't',
    }),
    durable(5, { role: 'error', text: 'disk full\nmore' }),
    durable(6, { role: 'plan', steps: [{ step: 'x', status: 'completed' }], turn_id: 't' }),
    durable(7, {
      role: 'external_event',
      kind: 'state',
      thread_id: 'thr',
      events: [],
      event_seqs: [1, 2],
      state: 'delivered',
      mode: 'queue_for_next_turn',
      turn_id: 't',
    }),
  ]);
  expect(notesOf(shown)).toEqual([
    '$ make',
    '  exit 2',
    '$ make',
    'changed a.ts',
    'Approval declined: Run?',
    'Error: disk full',
    'plan: 1 of 1 steps done',
    '2 events (delivered)',
  ]);
  expect(textOf(shown)).toBe('');
});

describe('[CL21] frames', () => {
  test('are the same after they went over the wire', () => {
    for (const frame of [durable(1, answer('x')), delta(0, 'x'), sync(1, [stamp(1, answer('x'))])])
      expect(decodeFrame(JSON.stringify(frame))).toEqual(frame);
  });
  test('that are not known are ignored', () => {
    for (const text of ['', 'x', 'null', '[]', '{}', '{"type":"new"}', '{"type":"sync"}', '{"type":"x","entry":{}}'])
      expect(decodeFrame(text)).toBeNull();
  });
  test('with entries that are not known keep the others', () => {
    const frame = { ...sync(2, []), entries: [{ role: 'of the future' }, stamp(2, answer('x'))] };
    expect(decodeFrame(JSON.stringify(frame))).toEqual(sync(2, [stamp(2, answer('x'))]));
  });
});
