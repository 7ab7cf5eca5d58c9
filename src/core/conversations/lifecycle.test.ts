/** What the difference of two sidecars stands for. */
import { expect, test } from 'vitest';
import { ALL_CONTEXT } from '../../contract/context.ts';
import type { ConversationMeta } from '../../contract/conversation.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { diffMetas, type MetaLifecycle } from './lifecycle.ts';

test.each<[string, Partial<ConversationMeta>, Partial<ConversationMeta>, readonly MetaLifecycle[]]>([
  ['nothing', {}, { updated_at: 'later', read_seq: 3, preview: 'x', applied_model: 'm' }, []],
  [
    'the first thread',
    { thread_id: null },
    { thread_id: 'a' },
    [{ type: 'thread_changed', before: null, threadId: 'a' }],
  ],
  ['another thread', { thread_id: 'a' }, { thread_id: 'b' }, [{ type: 'thread_changed', before: 'a', threadId: 'b' }]],
  ['settings', { label: null }, { label: 'x', cwd: '/y' }, [{ type: 'settings_changed', changed: ['label', 'cwd'] }]],
  [
    'the switch of a fragment',
    { context: ALL_CONTEXT },
    { context: { ...ALL_CONTEXT, events: false } },
    [{ type: 'settings_changed', changed: ['context.events'] }],
  ],
  ['archived', { archived: false }, { archived: true }, [{ type: 'archived' }]],
  ['out of the archive', { archived: true }, { archived: false }, [{ type: 'restored' }]],
])('[L8] %s', (_name, before, after, expected) => {
  expect(diffMetas(sampleMeta(before), sampleMeta({ ...before, ...after }))).toEqual(expected);
});
