/** Ends processes: SIGTERM, and SIGKILL for what is left after a while. Never signals a later process with the same pid. */
import type { SeenProcess } from '../../core/running/attribute.ts';
import type { Clock } from '../../node/clock.ts';
import { isSameProcess } from '../../node/process-identity.ts';

/** How often processes that were told to end are looked at. */
const POLL_MS = 25;
/** Long enough for a program to close its files, short enough for a person who waits for Stop. */
const GRACE_MS = 2_000;
/** A killed process can stay for a while in an uninterruptible disk wait. */
const KILL_WAIT_MS = 2_000;

export interface EndProcessesOptions {
  readonly clock: Clock;
  /** What is to be ended, as it is now: it may have started others meanwhile. */
  readonly find: () => readonly SeenProcess[];
  /** SIGTERM did not suffice. */
  readonly onKill: () => Promise<void>;
}

/** Returns what still runs. */
export async function endProcesses({ clock, find, onKill }: EndProcessesOptions): Promise<readonly SeenProcess[]> {
  const graceEnd = clock.monotonicMs() + GRACE_MS;
  let left = find();
  // What they had just started when they were asked is asked as well: it was not in the list.
  for (; left.length > 0 && clock.monotonicMs() < graceEnd; left = find()) {
    const asked = left;
    for (const one of asked) send(one, 'SIGTERM');
    do await clock.sleep(POLL_MS);
    while (asked.some(isAlive) && clock.monotonicMs() < graceEnd);
  }
  if (left.length === 0) return left;
  await onKill();
  const killEnd = clock.monotonicMs() + KILL_WAIT_MS;
  for (left = find(); left.length > 0 && clock.monotonicMs() < killEnd; left = find()) {
    for (const one of left) send(one, 'SIGKILL');
    await clock.sleep(POLL_MS);
  }
  return left;
}

const isAlive = ({ pid, startTime }: SeenProcess): boolean => isSameProcess({ pid, start_time: startTime });

function send(one: SeenProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (!isAlive(one)) return;
  try {
    process.kill(one.pid, signal);
  } catch {
    // It ended by itself, or belongs to another user: what is left is reported.
  }
}
