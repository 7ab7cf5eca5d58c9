/** Whether a thread takes no more events because those that are kept have reached a cap, and what somebody can do about it. Pure. */
import type { EventHold } from '../../contract/external-event.ts';

interface Kept {
  readonly threadId: string;
  /** Of the thread's own ledger, and of all of them. */
  readonly bytes: number;
  readonly totalBytes: number;
  readonly maxBytes: number;
  readonly maxTotalBytes: number;
}

const MIB = 1024 * 1024;

export function holdOf({ threadId, bytes, totalBytes, maxBytes, maxTotalBytes }: Kept): EventHold | null {
  const cure = `mark events as read, which makes room: signalbox events ack --thread ${threadId}`;
  if (bytes >= maxBytes)
    return {
      reason: 'thread_full',
      bytes,
      max_bytes: maxBytes,
      message: `the events kept for this thread take ${megabytes(maxBytes)}: ${cure}`,
    };
  if (totalBytes >= maxTotalBytes)
    return {
      reason: 'all_full',
      bytes: totalBytes,
      max_bytes: maxTotalBytes,
      message: `the events kept for all threads take ${megabytes(maxTotalBytes)}: ${cure} (signalbox events list names the others)`,
    };
  return null;
}

const megabytes = (bytes: number): string => `${Number((bytes / MIB).toFixed(2))} MB`;
