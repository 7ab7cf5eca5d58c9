/** What is offered after a turn, and to which turn. */
import { expect, test } from 'vitest';
import type { Entry, EntryOf, NewEntry } from '../../contract/entry.ts';
import { nextSteps } from './next-steps.ts';

const stamp = (entry: NewEntry, at: number): Entry => ({ seq: at + 1, ts: '2026-01-01T00:00:00Z', ...entry });
const user: NewEntry = { role: 'user', text: 'do it', client_message_id: 'm' };
const delivery: NewEntry = { role: 'delivery', client_message_id: 'm', state: 'delivered', turn_id: 't' };
const status = (turn_status: 'completed' | 'failed', turn_id = 't'): EntryOf<'status'> => ({
  role: 'status',
  status: 'error',
  turn_status,
  duration_ms: 1,
  turn_id,
});
const error = (code: string): NewEntry => ({ role: 'error', text: 'it failed', code, turn_id: 't' });
const steps = (entries: readonly NewEntry[], of: EntryOf<'status'>, mode: 'default' | 'plan' = 'default') =>
  nextSteps(entries.map(stamp), of, mode);

test('[PG109] a failed turn offers its message again and the cure of a known cause', () => {
  const failed = status('failed');
  expect(steps([user, delivery, error('other'), failed], failed)).toMatchObject({
    again: { text: 'do it' },
    cure: null,
  });
  const full = steps([user, delivery, error('contextWindowExceeded'), failed], failed);
  expect(full?.cure).toBe('compact');
  expect(steps([user, delivery, error('unauthorized'), failed], failed)?.cure).toBe('sign_in');
});

test('[PG109] an older turn and a good one offer nothing', () => {
  const failed = status('failed');
  expect(steps([user, delivery, failed, status('completed', 'u')], failed)).toBeNull();
  const good = status('completed');
  expect(steps([user, delivery, good], good)).toBeNull();
});

test('[PG110] a plan that was proposed in plan mode can be implemented', () => {
  const done = status('completed');
  const plan: NewEntry = { role: 'plan', steps: [], text: '1. look', turn_id: 't', item_id: 'p' };
  expect(steps([user, delivery, plan, done], done, 'plan')).toMatchObject({ hasPlan: true, again: null });
  expect(steps([user, delivery, plan, done], done, 'default')).toBeNull();
});
