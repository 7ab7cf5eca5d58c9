/** Send now on a queued message: what is decided in each state of the conversation. */
import { describe, expect, test } from 'vitest';
import { IDLE } from '../../testing/outbox-script.ts';
import { emptyOutbox, type OutboxInput, type OutboxState, type ThreadFacts } from './state.ts';
import { step } from './step.ts';

const NOW = { type: 'send_now_requested', id: 'q2' } as const;

function waiting(facts: Partial<ThreadFacts> = {}, isPaused = false): OutboxState {
  const queue = ['q1', 'q2'].map((id) => ({ id, isStored: true }));
  return { ...emptyOutbox('dlv', { ...IDLE, isLoaded: true, ...facts }), queue, isPaused };
}

function play(state: OutboxState, ...inputs: readonly OutboxInput[]) {
  let last = { state, outputs: [] as ReturnType<typeof step>['outputs'] };
  for (const input of inputs) last = step(last.state, input);
  return last;
}

const ON_ITS_WAY: readonly OutboxInput[] = [
  NOW,
  { type: 'loaded', id: 'q2' },
  { type: 'prepared', id: 'q2', hasEvents: false },
];

describe('[OB33] send now', () => {
  test('steers the running turn, and leaves the queue when its entry is on disk', () => {
    const stored = play(waiting({ turnId: 't1' }), ...ON_ITS_WAY, { type: 'entry_stored', id: 'q2' });
    expect(stored.outputs).toEqual([
      { do: 'remove_from_queue', id: 'q2' },
      { do: 'give', give: { kind: 'steer', id: 'q2', turnId: 't1' } },
    ]);
    expect(stored.state.queue.map((one) => one.id)).toEqual(['q1']);
  });

  test('starts a turn where none runs, before the others, and leaves the queue paused', () => {
    const stored = play(waiting({}, true), ...ON_ITS_WAY, { type: 'entry_stored', id: 'q2' });
    expect(stored.outputs).toContainEqual({ do: 'give', give: { kind: 'turn', id: 'q2', isUnattended: false } });
    expect(stored.state.isPaused).toBe(true);
  });

  test('says that a review or a compaction takes no message; the queue is as it was', () => {
    const before = waiting({ turnId: 't1', isReserved: true });
    const { state, outputs } = step(before, NOW);
    expect(state).toEqual(before);
    expect(outputs).toMatchObject([
      { do: 'answer', answer: { outcome: 'refused', failure: { code: 'not_steerable' } } },
    ]);
  });

  test('Codex says no because the turn is over: the words, on disk already, start the next turn', () => {
    const given = play(waiting({ turnId: 't1' }, true), ...ON_ITS_WAY, { type: 'entry_stored', id: 'q2' }).state;
    const failure = { code: 'no_active_turn', message: 'late' } as const;
    const refused = step(given, { type: 'refused', id: 'q2', failure, isCertain: true });
    expect(refused.outputs).toContainEqual({ do: 'answer', id: 'q2', answer: { outcome: 'queued' } });
    const next = step(refused.state, { type: 'turn_ended', turnId: 't1', status: 'completed' });
    expect(next.outputs).toContainEqual({ do: 'load', id: 'q2', mode: 'send', origin: 'person' });
  });

  test('a message that is not in the queue is refused', () => {
    const { outputs } = step(waiting(), { type: 'send_now_requested', id: 'nobody' });
    expect(outputs).toMatchObject([{ answer: { outcome: 'refused', failure: { code: 'conflict' } } }]);
  });
});
