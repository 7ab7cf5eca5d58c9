/** No message is shown in the queue and in the transcript. */
import { expect, test } from 'vitest';
import type { Entry } from '../../contract/entry.ts';
import { splitQueue } from './split-queue.ts';

const queued = (id: string) => ({ client_message_id: id, text: id, images: [], queued_at: '2026-01-01T00:00:00Z' });
const said = (id: string): Entry => ({
  seq: 1,
  ts: '2026-01-01T00:00:00Z',
  role: 'user',
  text: id,
  client_message_id: id,
  state: 'sent',
});

test('[PG59] a queued message that the transcript shows is not listed as waiting', () => {
  const queue = [queued('a'), queued('b')];
  expect(splitQueue(queue, [])).toEqual({ leaving: [], waiting: queue });
  expect(splitQueue(queue, [said('a')])).toEqual({ leaving: [queued('a')], waiting: [queued('b')] });
});
