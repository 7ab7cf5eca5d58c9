/** What becomes one row, and that a row which did not change keeps its identity. */
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../contract/entry.ts';
import type { LiveItem } from '../../contract/ui-event.ts';
import { deriveTranscript, EMPTY_TRANSCRIPT, rowOf } from './rows.ts';

const ts = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const user: Entry = { seq: 1, ts: ts(0), role: 'user', text: 'hi' };
const thought = (seq: number, item: string): Entry => ({
  seq,
  ts: ts(seq),
  role: 'reasoning',
  text: 'hm',
  status: 'completed',
  turn_id: 't',
  item_id: item,
});
const live = (items: readonly LiveItem[]) => ({ ...EMPTY_TRANSCRIPT.source.live, items });
const common = { turn_id: 't', started_at_ms: 0, text_start: 0 };

describe('rows', () => {
  test('consecutive reasoning is one row that knows how long it took', () => {
    const t = deriveTranscript(EMPTY_TRANSCRIPT, [user, thought(3, 'a'), thought(6, 'b')], live([]));
    expect(t.keys).toEqual(['seq:1', 'reasoning:t:a']);
    expect(rowOf(t, 'reasoning:t:a')).toMatchObject({ durationMs: 6000, entries: [{ seq: 3 }, { seq: 6 }] });
  });

  test('a live item and the entry it becomes share a key', () => {
    const item: LiveItem = { role: 'assistant', item_id: 'm', text: 'he', ...common };
    const before = deriveTranscript(EMPTY_TRANSCRIPT, [user], live([item]));
    const entry: Entry = {
      seq: 2,
      ts: ts(2),
      role: 'assistant',
      text: 'hello',
      status: 'completed',
      turn_id: 't',
      item_id: 'm',
    };
    const after = deriveTranscript(before, [user, entry], live([]));
    expect(after.keys).toBe(before.keys);
    expect(rowOf(after, 'assistant:t:m')).toMatchObject({ kind: 'entry' });
  });

  test('a delta changes one row and neither the list nor the others', () => {
    const item: LiveItem = { role: 'assistant', item_id: 'm', text: 'he', ...common };
    const before = deriveTranscript(EMPTY_TRANSCRIPT, [user, thought(3, 'a')], live([item]));
    const after = deriveTranscript(before, before.source.entries, live([{ ...item, text: 'hel' }]));
    expect(after.keys).toBe(before.keys);
    expect(rowOf(after, 'seq:1')).toBe(rowOf(before, 'seq:1'));
    expect(rowOf(after, 'assistant:t:m')).not.toBe(rowOf(before, 'assistant:t:m'));
  });

  test('[EP2] a post tells what became of its event, and keeps its identity while nothing did', () => {
    const standing = { mode: 'queue_for_next_turn' } as const;
    const entry: Entry = {
      seq: 2,
      ts: ts(2),
      role: 'board',
      num: 1,
      who: 'ann',
      kind: 'script',
      from_conversation_id: null,
      text: 'hello',
      topic: null,
      reply_to: null,
      told: true,
      receipt: { event_seq: 7, thread_id: 't', state: 'queued', ...standing },
    };
    const state: Entry = {
      seq: 3,
      ts: ts(3),
      role: 'external_event',
      kind: 'state',
      thread_id: 't',
      events: [],
      event_seqs: [7],
      state: 'delivered',
      ...standing,
    };
    const before = deriveTranscript(EMPTY_TRANSCRIPT, [user, entry], live([]));
    expect(rowOf(before, 'seq:2')).toMatchObject({ kind: 'entry', standing: { state: 'queued' } });
    const more = deriveTranscript(before, [user, entry, thought(4, 'a')], live([]));
    expect(rowOf(more, 'seq:2')).toBe(rowOf(before, 'seq:2'));
    const after = deriveTranscript(before, [user, entry, state], live([]));
    expect(after.keys).toEqual(['seq:1', 'seq:2']);
    expect(rowOf(after, 'seq:2')).toMatchObject({ standing: { state: 'delivered' } });
    const named = deriveTranscript(
      before,
      [entry, { ...state, turn_id: 't' }, { ...user, seq: 4, turn_id: 't' }],
      live([]),
    );
    expect(rowOf(named, 'seq:2')).toMatchObject({ standing: { turn: 'hi' } });
    const elsewhere = deriveTranscript(before, [user, entry, { ...state, thread_id: 'another' }], live([]));
    expect(rowOf(elsewhere, 'seq:2')).toMatchObject({ standing: { state: 'queued' } });
  });

  test('[OB31] an event that moved to another thread stays one card, which tells what became of it there', () => {
    const mode = 'queue_for_next_turn' as const;
    const trust = { origin: 'local', authenticated: true, provenance: 'token', treat_as_instruction: false } as const;
    const item = (event_seq: number) => ({
      event_seq,
      event_id: `e${event_seq}`,
      type: 'a.b',
      severity: 'info' as const,
      title: 't',
      summary: '',
      source: { name: 'ci' },
      time_unix_ms: 0,
      received_at: ts(1),
      ingress: 'http' as const,
      trust,
    });
    const about = { role: 'external_event', thread_id: 'conv', mode } as const;
    const received: Entry = {
      ...about,
      seq: 1,
      ts: ts(1),
      kind: 'received',
      events: [item(3), item(4)],
      event_seqs: [3, 4],
      state: 'notified',
    };
    const moved = (
      seq: number,
      from: string,
      to: string,
      before: number,
      after: number,
      state: 'queued' | 'notified',
    ): Entry => ({
      ...about,
      seq,
      ts: ts(seq),
      kind: 'moved',
      thread_id: to,
      events: [],
      event_seqs: [after],
      moved_from: { thread_id: from, event_seqs: [before] },
      state,
    });
    const told: Entry = {
      ...received,
      seq: 6,
      kind: 'state',
      thread_id: 'two',
      events: [],
      event_seqs: [9],
      state: 'delivered',
    };
    const entries = [
      received,
      moved(2, 'conv', 'one', 3, 1, 'queued'),
      moved(3, 'conv', 'one', 4, 2, 'notified'),
      moved(4, 'one', 'two', 1, 9, 'queued'),
      told,
    ];
    const transcript = deriveTranscript(EMPTY_TRANSCRIPT, entries, live([]));
    expect(transcript.keys).toEqual(['seq:1']);
    expect(rowOf(transcript, 'seq:1')).toMatchObject({
      standings: [
        { state: 'delivered', movedTo: 9 },
        { state: 'notified', movedTo: 2 },
      ],
    });
  });

  test('[EP2] a post that became an event later, or in another thread, tells what became of that one', () => {
    const standing = { mode: 'queue_for_next_turn' } as const;
    const post = {
      role: 'board',
      num: 5,
      who: 'ann',
      kind: 'script',
      from_conversation_id: null,
      text: 'hello',
    } as const;
    const entry: Entry = { seq: 2, ts: ts(2), ...post, topic: null, reply_to: null, told: true };
    const trust = { origin: 'local', authenticated: true, provenance: 'token', treat_as_instruction: false } as const;
    const tie: Entry = {
      seq: 3,
      ts: ts(3),
      role: 'external_event',
      kind: 'received',
      thread_id: 't',
      events: [
        {
          event_seq: 7,
          event_id: 'board-5-conv_1',
          type: 'agent.message',
          severity: 'info',
          title: '',
          summary: '',
          source: { name: 'board' },
          time_unix_ms: 0,
          received_at: ts(3),
          ingress: 'board',
          trust,
        },
      ],
      event_seqs: [7],
      state: 'queued',
      ...standing,
    };
    const told: Entry = { ...tie, seq: 4, kind: 'state', events: [], state: 'delivered' };
    const shown = (...entries: Entry[]) => rowOf(deriveTranscript(EMPTY_TRANSCRIPT, entries, live([])), 'seq:2');
    expect(shown(entry)).not.toHaveProperty('standing');
    expect(shown(entry, tie)).toMatchObject({ standing: { state: 'queued' } });
    expect(shown(entry, tie, told)).toMatchObject({ standing: { state: 'delivered' } });
    const moved: Entry = { ...entry, receipt: { event_seq: 1, thread_id: 'lost', state: 'queued', ...standing } };
    expect(shown(moved, tie, told)).toMatchObject({ standing: { state: 'delivered' } });
    expect(deriveTranscript(EMPTY_TRANSCRIPT, [entry, tie, told], live([])).keys).toEqual(['seq:2']);
  });

  test('live reasoning goes on in the row of the reasoning before it', () => {
    const item: LiveItem = { role: 'reasoning', item_id: 'b', text: 'more', ...common };
    const t = deriveTranscript(EMPTY_TRANSCRIPT, [user, thought(3, 'a')], live([item]));
    expect(t.keys).toEqual(['seq:1', 'reasoning:t:a']);
    expect(rowOf(t, 'reasoning:t:a')).toMatchObject({ entries: [{ seq: 3 }], live: [{ item_id: 'b' }] });
  });

  test('shell output takes the place of its input, also while it runs', () => {
    const input: Entry = { seq: 2, ts: ts(2), role: 'shell_input', command: 'ls', turn_id: 't', item_id: 's' };
    const item: LiveItem = {
      role: 'command',
      item_id: 's',
      command: 'ls',
      cwd: '/',
      user_shell: true,
      text: 'a',
      ...common,
    };
    const running = deriveTranscript(EMPTY_TRANSCRIPT, [user, input], live([item]));
    expect(running.keys).toEqual(['seq:1', 'shell:t:s']);
    const output: Entry = {
      ...input,
      seq: 3,
      role: 'shell_output',
      stdout: 'a',
      stderr: '',
      exit_code: 0,
      duration_ms: 1,
    };
    const done = deriveTranscript(running, [user, input, output], live([]));
    expect(done.keys).toEqual(['seq:1', 'shell:t:s']);
    expect(rowOf(done, 'shell:t:s')).toMatchObject({ entry: { role: 'shell_output' } });
  });

  test('replay gives the keys that live gave', () => {
    const entries = [user, thought(3, 'a'), thought(4, 'b')];
    let live1 = EMPTY_TRANSCRIPT;
    for (let n = 1; n <= entries.length; n++) live1 = deriveTranscript(live1, entries.slice(0, n), live([]));
    expect(live1.keys).toEqual(deriveTranscript(EMPTY_TRANSCRIPT, entries, live([])).keys);
  });

  test('[PG360] all that is told of one sub-agent is one row, where it was first told of', () => {
    const of = (activity: 'started' | 'turn') => ({ thread_id: 'child', path: '/root/a', activity });
    const agent = (seq: number, activity: 'started' | 'turn'): Entry => ({
      seq,
      ts: ts(seq),
      role: 'tool',
      kind: 'sub_agent',
      name: '/root/a',
      status: 'completed',
      duration_ms: 1,
      turn_id: 't',
      item_id: `i${seq}`,
      agent: of(activity),
    });
    const running: LiveItem = {
      role: 'tool',
      item_id: 'run',
      kind: 'sub_agent',
      name: '/root/a',
      input: '',
      text: 'Writing',
      agent: of('turn'),
      ...common,
    };
    const entries = [user, agent(2, 'started'), thought(3, 'a')];
    const before = deriveTranscript(EMPTY_TRANSCRIPT, entries, live([running]));
    expect(before.keys).toEqual(['seq:1', 'agent:child', 'reasoning:t:a']);
    expect(rowOf(before, 'agent:child')).toMatchObject({ entries: [{ seq: 2 }], live: { text: 'Writing' } });
    const after = deriveTranscript(before, [...entries, agent(4, 'turn'), thought(5, 'b')], live([]));
    expect(after.keys).toBe(before.keys);
    expect(rowOf(after, 'agent:child')).toMatchObject({ entries: [{ seq: 2 }, { seq: 4 }], live: null });
    expect(rowOf(after, 'reasoning:t:a')).toMatchObject({ entries: [{ seq: 3 }, { seq: 5 }] });
  });
});
