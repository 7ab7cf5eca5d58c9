/** When a thread takes no more events because too many bytes are kept. */
import { expect, test } from 'vitest';
import { holdOf } from './hold.ts';

const MIB = 1024 * 1024;
const kept = { threadId: 't1', bytes: 0, totalBytes: 0, maxBytes: 2 * MIB, maxTotalBytes: 8 * MIB };

test('[AG15] the events of all threads together have a cap, and the hold says what makes room', () => {
  expect(holdOf(kept)).toBeNull();
  expect(holdOf({ ...kept, bytes: 2 * MIB - 1, totalBytes: 8 * MIB - 1 })).toBeNull();
  expect(holdOf({ ...kept, bytes: 1, totalBytes: 8 * MIB })).toEqual({
    reason: 'all_full',
    bytes: 8 * MIB,
    max_bytes: 8 * MIB,
    message: expect.stringMatching(/all threads take 8 MB: .*signalbox events ack --thread t1 .*events list/),
  });
});

test('[AG15] the cap of the thread itself is named first', () => {
  expect(holdOf({ ...kept, bytes: 2 * MIB, totalBytes: 9 * MIB })).toMatchObject({
    reason: 'thread_full',
    max_bytes: 2 * MIB,
  });
});
