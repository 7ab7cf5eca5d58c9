/** Tells a process from a later one with the same pid, and ends only the one that was meant. For whoever adopts or stops processes. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { errorCode } from './atomic-file.ts';
import { type Clock, systemClock } from './clock.ts';

export interface ProcessIdentity {
  pid: number;
  start_time: string;
}

/** `denied`: it runs, but the system does not let us signal it. */
export type TerminateOutcome = 'not_found' | 'exited' | 'killed' | 'denied';

/** `ps` answers within milliseconds, and everything waits for it. */
export const PS_LIMIT_MS = 2_000;
/** How often a process that was asked to end is looked at. */
const POLL_MS = 20;
/** A killed process can stay for a while in an uninterruptible disk wait. */
const KILL_WAIT_MS = 2000;

/** An opaque text, equal for the same process only; null when there is none, or only an unreaped zombie. */
export function startTimeOf(pid: number): string | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? readProcStartTime(pid) : askPs(pid);
}

export function isSameProcess(identity: ProcessIdentity): boolean {
  return startTimeOf(identity.pid) === identity.start_time;
}

export async function terminate(
  pid: number,
  options: { start_time: string; graceMs: number; clock?: Clock },
): Promise<TerminateOutcome> {
  const identity = { pid, start_time: options.start_time };
  const clock = options.clock ?? systemClock;
  const asked = signal(identity, 'SIGTERM');
  if (asked !== 'sent') return asked;
  if (await waitUntilGone(identity, options.graceMs, clock)) return 'exited';
  const forced = signal(identity, 'SIGKILL');
  if (forced === 'not_found') return 'exited';
  if (forced === 'denied') return 'denied';
  await waitUntilGone(identity, KILL_WAIT_MS, clock);
  return 'killed';
}

/** Between the look and the signal the pid could pass to another process; without pidfds the window cannot be closed, only kept this small. */
function signal(identity: ProcessIdentity, name: 'SIGTERM' | 'SIGKILL'): 'sent' | 'not_found' | 'denied' {
  if (!isSameProcess(identity)) return 'not_found';
  try {
    process.kill(identity.pid, name);
    return 'sent';
  } catch (error) {
    return errorCode(error) === 'EPERM' ? 'denied' : 'not_found';
  }
}

async function waitUntilGone(identity: ProcessIdentity, timeoutMs: number, clock: Clock): Promise<boolean> {
  const deadline = clock.monotonicMs() + timeoutMs;
  while (isSameProcess(identity)) {
    const leftMs = deadline - clock.monotonicMs();
    if (leftMs <= 0) return false;
    await clock.sleep(Math.min(POLL_MS, leftMs));
  }
  return true;
}

function readProcStartTime(pid: number): string | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  return parseProcStat(text);
}

/** The command name (field 2) may itself hold spaces and parentheses, so fields are counted from the last `)`. */
export function parseProcStat(text: string): string | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  const startTime = fields[19];
  if (startTime === undefined || !/^\d+$/.test(startTime)) return null;
  return state === 'Z' || state === 'X' ? null : startTime;
}

function askPs(pid: number): string | null {
  try {
    const env = { ...process.env, LC_ALL: 'C' };
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: PS_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    return text.trim() === '' ? null : text.trim();
  } catch {
    return null;
  }
}
