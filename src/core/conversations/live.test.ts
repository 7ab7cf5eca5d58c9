/** What is going on now: folded by the hub and by clients alike. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TS } from '../../../test/recording.ts';
import type { NewEntry } from '../../contract/entry.ts';
import { EVENT_OF_ROLE, LiveEvent, type LiveItem, type UiEvent } from '../../contract/ui-event.ts';
import { appendText, EMPTY_LIVE, isDelta, type LiveState, MAX_LIVE_TEXT, reduceLive } from './live.ts';

const PLACE = { conversation_id: `conv_${'0'.repeat(32)}`, after: 0 };
const ITEM: LiveItem = { role: 'assistant', item_id: 'm', turn_id: 't', started_at_ms: 1, text: '', text_start: 0 };

const delta = (
  offset: number,
  text: string,
  type: 'assistant_delta' | 'command_delta' | 'plan_delta' | 'reasoning_delta' = 'assistant_delta',
): LiveEvent => ({ type, ...PLACE, item_id: 'm', turn_id: 't', offset, delta: text });
const stored = (entry: NewEntry): UiEvent => ({
  type: EVENT_OF_ROLE[entry.role],
  ...PLACE,
  seq: 1,
  entry: { seq: 1, ts: TS, ...entry },
});
const fold = (...events: UiEvent[]): LiveState => events.reduce(reduceLive, EMPTY_LIVE);
const textOf = (state: LiveState) => state.items.map((item) => `${item.text_start}:${item.text}`);
const began: LiveEvent = { type: 'item', ...PLACE, item: ITEM };

describe('deltas', () => {
  test('[CV14] one that was heard, in whole or in part, adds only what is new', () => {
    expect(
      textOf(fold(began, delta(0, 'Hel'), delta(0, 'Hel'), delta(2, 'llo'), delta(0, 'Hello'), delta(1, 'e'))),
    ).toEqual(['0:Hello']);
  });

  test('[CV14] any repeats of a stream give the text', () => {
    const pieces = fc.array(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(pieces, fc.array(fc.nat()), (list, echoes) => {
        const whole = list.join('');
        let offset = 0;
        const events: UiEvent[] = [began];
        for (const [at, piece] of list.entries()) {
          events.push(delta(offset, piece));
          offset += piece.length;
          const from = (echoes[at] ?? 0) % (offset + 1);
          events.push(delta(from, whole.slice(from, offset)));
        }
        expect(textOf(fold(...events))).toEqual([`0:${whole}`]);
      }),
    );
  });

  test('[CV14] one after a hole goes on from there, and its repeat is still known', () => {
    expect(textOf(fold(began, delta(0, 'ab'), delta(5, 'fg'), delta(5, 'fg'), delta(7, 'h')))).toEqual(['3:abfgh']);
  });

  test('one of an item nobody announced opens it where it starts', () => {
    expect(fold(delta(4, 'x')).items).toEqual([{ ...ITEM, started_at_ms: 0, text: 'x', text_start: 4 }]);
    expect(fold(delta(0, 'x', 'command_delta')).items).toMatchObject([{ role: 'command', command: '' }]);
    expect(fold(delta(0, 'x', 'plan_delta')).items).toMatchObject([{ role: 'plan', steps: [] }]);
    expect(fold(delta(0, 'x', 'reasoning_delta')).items).toMatchObject([{ role: 'reasoning' }]);
  });

  test('every event with a piece of text is one, and no other', () => {
    const types = ['assistant_delta', 'reasoning_delta', 'command_delta', 'plan_delta'] as const;
    expect(types.map((type) => isDelta(delta(0, 'x', type)))).toEqual([true, true, true, true]);
    expect(LiveEvent.options.filter(({ shape }) => 'delta' in shape).map(({ shape }) => shape.type.value)).toEqual(
      types,
    );
    expect(isDelta(began)).toBe(false);
  });

  test('[L7] a long text loses its head and says how much', () => {
    const long = appendText({ ...ITEM, text: 'x'.repeat(MAX_LIVE_TEXT) }, 'end');
    expect(long.text.endsWith('xend')).toBe(true);
    expect([long.text.length, long.text_start]).toEqual([MAX_LIVE_TEXT / 2, MAX_LIVE_TEXT / 2 + 3]);
  });
});

describe('the rest', () => {
  const approval = {
    approval_id: 'apr_1',
    conversation_id: PLACE.conversation_id,
    thread_id: 't',
    turn_id: 't',
    item_id: 'm',
    kind: 'unknown',
    title: 'x',
    requested_at_ms: 0,
    ask: { kind: 'unknown', method: 'm', params: {} },
    decisions: [],
  } as const;
  const asked: LiveEvent = { type: 'approval', ...PLACE, approval: { ...approval, decisions: [] } };
  const answered = stored({
    role: 'approval',
    approval_id: 'apr_1',
    kind: 'unknown',
    status: 'accepted',
    title: 'x',
    turn_id: 't',
    item_id: 'm',
  });

  test('items are replaced in place, discarded, and gone with their entry', () => {
    const other: LiveEvent = { type: 'item', ...PLACE, item: { ...ITEM, item_id: 'n' } };
    const changed: LiveEvent = { type: 'item', ...PLACE, item: { ...ITEM, text: 'new' } };
    expect(fold(began, other, changed).items.map((item) => item.text)).toEqual(['new', '']);
    expect(fold(began, other, { type: 'discard', ...PLACE, item_id: 'm', turn_id: 't' }).items).toHaveLength(1);
    expect(
      fold(began, stored({ role: 'assistant', text: 'x', status: 'completed', turn_id: 't', item_id: 'm' })).items,
    ).toEqual([]);
    expect(
      fold(began, stored({ role: 'assistant', text: 'x', status: 'completed', turn_id: 'u', item_id: 'm' })).items,
    ).toHaveLength(1);
    expect(fold(began, stored({ role: 'warning', text: 'w' })).items).toHaveLength(1);
    expect(fold(began, stored({ role: 'shell_input', command: 'ls', turn_id: 't', item_id: 'm' })).items).toHaveLength(
      1,
    );
  });

  test('a request is there once, until its entry; the item it is about stays', () => {
    expect(fold(began, asked, asked).approvals).toHaveLength(1);
    expect(fold(began, asked, answered)).toMatchObject({ approvals: [], items: [ITEM] });
  });

  test('usage and activity are the last told; a turn that ended is over for those who heard only that', () => {
    const usage = {
      total_tokens: 1,
      input_tokens: 1,
      cached_input_tokens: 0,
      output_tokens: 0,
      reasoning_output_tokens: 0,
      cumulative_tokens: 1,
      context_window: null,
    };
    expect(fold({ type: 'usage', ...PLACE, usage }).usage).toEqual(usage);
    expect(fold(stored({ role: 'token_usage', ...usage, turn_id: 't' })).usage).toEqual(usage);
    const busy = (turn_id: string): LiveEvent => ({
      type: 'activity',
      ...PLACE,
      activity: { state: 'running', text: 'x', turn_id, lamp: 'off' },
    });
    const over = stored({
      role: 'status',
      status: 'warning',
      turn_status: 'interrupted',
      duration_ms: 1,
      turn_id: 't',
    });
    expect(fold(over).activity).toEqual({ state: 'idle', text: '', turn_id: null, lamp: 'warning' });
    expect(fold(busy('t'), over).activity.state).toBe('idle');
    expect(fold(busy('u'), over).activity.state).toBe('running');
  });

  test('[PG235] a command of the person sets the lamp while no turn runs', () => {
    const ended = (exit_code: number | null, actor: 'user' | 'agent' = 'user') =>
      stored({ role: 'shell_output', command: 'x', stdout: '', stderr: '', exit_code, duration_ms: 1, actor });
    const lampOf = (...events: UiEvent[]) => fold(...events).activity.lamp;
    expect([0, 1, 130, null].map((code) => lampOf(ended(code)))).toEqual(['success', 'error', 'warning', 'warning']);
    expect(lampOf(ended(1), ended(0))).toBe('success');
    expect(lampOf(ended(1, 'agent'))).toBe('off');
    const running: LiveEvent = {
      type: 'activity',
      ...PLACE,
      activity: { state: 'running', text: 'x', turn_id: 't', lamp: 'off' },
    };
    expect(fold(running, ended(1)).activity).toEqual(running.activity);
  });
});
