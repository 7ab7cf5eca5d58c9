/** Order and lamps of the sidebar. */
import { expect, test } from 'vitest';
import type { ConversationRow } from '../../contract/conversation.ts';
import { sampleRow } from '../../testing/samples.ts';
import { groupConversations, lampOf, nextWaiting } from './group-conversations.ts';

const row = (id: string, change: Partial<ConversationRow>): ConversationRow => sampleRow({ id, cwd: '/a', ...change });

test('[PG131] what waits first, then pinned ones, then projects by what was active last; archived not at all', () => {
  const rows = [
    row('1', {}),
    row('2', { cwd: '/b', active_at: '2026-01-03' }),
    row('3', { active_at: '2026-01-02' }),
    row('4', { pinned: true }),
    row('5', { archived: true }),
    row('6', { state: 'waiting', pending_approvals: 1, pinned: true }),
  ];
  const shown = () => groupConversations(rows).map((group) => [group.kind, group.rows.map((one) => one.id)]);
  const expected = [
    ['waiting', ['6']],
    ['pinned', ['4']],
    ['project', ['2']],
    ['project', ['3', '1']],
  ];
  expect(shown()).toEqual(expected);
  // Read, renamed, changed in any way: the order is that of what was said.
  rows[0] = row('1', { updated_at: '2027-01-01', read_seq: 9, label: 'new' });
  expect(shown()).toEqual(expected);
});

test('a lamp says the most urgent thing', () => {
  expect(lampOf(row('1', { state: 'running', pending_approvals: 1 }), false)).toBe('waiting');
  expect(lampOf(row('1', { state: 'running', unread: 3 }), false)).toBe('running');
  expect(lampOf(row('1', { unread: 1 }), false)).toBe('unread');
  expect(lampOf(row('1', { unread: 1 }), true)).toBe('off');
  expect(lampOf(row('1', { unread: 1, source: 'codex' }), false)).toBe('off');
});

test('[PG134] the next that waits: answers before failures before news, from the open one on', () => {
  const rows = [
    row('1', { unread: 2, active_at: '2026-01-09' }),
    row('2', { state: 'failed', active_at: '2026-01-08' }),
    row('3', { state: 'waiting', active_at: '2026-01-07' }),
    row('4', { state: 'waiting', active_at: '2026-01-06' }),
  ];
  expect(nextWaiting(rows, null)).toBe('3');
  expect(nextWaiting(rows, '3')).toBe('4');
  expect(nextWaiting(rows, '4')).toBe('3');
  expect(nextWaiting(rows.slice(0, 2), '2')).toBe('1');
  expect(nextWaiting([row('9', {})], '9')).toBeNull();
});
