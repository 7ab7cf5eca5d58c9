/** Order and lamps of the sidebar. */
import { expect, test } from 'vitest';
import type { ConversationRow } from '../../contract/conversation.ts';
import { sampleRow } from '../../testing/samples.ts';
import { groupConversations, lampOf } from './group-conversations.ts';

const row = (id: string, change: Partial<ConversationRow>): ConversationRow => sampleRow({ id, cwd: '/a', ...change });

test('pinned first, then projects by their newest conversation, archived not at all', () => {
  const rows = [
    row('1', {}),
    row('2', { cwd: '/b', updated_at: '2026-01-03' }),
    row('3', { updated_at: '2026-01-02' }),
    row('4', { pinned: true }),
    row('5', { archived: true }),
  ];
  expect(groupConversations(rows).map((group) => [group.cwd, group.rows.map((one) => one.id)])).toEqual([
    [null, ['4']],
    ['/b', ['2']],
    ['/a', ['3', '1']],
  ]);
});

test('a lamp says the most urgent thing', () => {
  expect(lampOf(row('1', { state: 'running', pending_approvals: 1 }), false)).toBe('waiting');
  expect(lampOf(row('1', { state: 'running', last_seq: 3 }), false)).toBe('running');
  expect(lampOf(row('1', { last_seq: 3, read_seq: 2 }), false)).toBe('unread');
  expect(lampOf(row('1', { last_seq: 3, read_seq: 2 }), true)).toBe('off');
  expect(lampOf(row('1', { last_seq: 3, source: 'codex' }), false)).toBe('off');
});
