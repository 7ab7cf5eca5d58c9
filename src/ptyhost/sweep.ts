/** Ends what a terminal started: its shell, and whatever of it hides from a hang-up. Told by the mark in its environment and by its owner. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { ShellId } from '../contract/terminal.ts';
import type { Clock } from '../node/clock.ts';

/** For programs that tidy up; then they are killed. */
const GRACE_MS = 1_000;
const LOOK_MS = 20;
const KILL_WAIT_MS = 1_000;

export async function endTerminal(shellId: ShellId, shellPid: number, clock: Clock): Promise<void> {
  // A hang-up first: a shell passes it on to its jobs and ends, as if its window had been closed.
  send(shellPid, 'SIGHUP');
  for (const pid of pidsOf(shellId, shellPid)) send(pid, 'SIGHUP');
  for (const pid of pidsOf(shellId, shellPid)) send(pid, 'SIGCONT');
  if (await isGone(shellId, shellPid, GRACE_MS, clock)) return;
  for (const pid of pidsOf(shellId, shellPid)) send(pid, 'SIGKILL');
  await isGone(shellId, shellPid, KILL_WAIT_MS, clock);
}

async function isGone(shellId: ShellId, shellPid: number, forMs: number, clock: Clock): Promise<boolean> {
  const deadline = clock.monotonicMs() + forMs;
  while (pidsOf(shellId, shellPid).length > 0) {
    if (clock.monotonicMs() >= deadline) return false;
    await clock.sleep(LOOK_MS);
  }
  return true;
}

/** The shell itself may have cleared its environment; its children inherited the mark. */
function pidsOf(shellId: ShellId, shellPid: number): number[] {
  if (process.platform !== 'linux') return isAlive(shellPid) ? [shellPid] : [];
  const uid = process.getuid?.() ?? -1;
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid && isOf(pid, uid, shellId));
}

function isOf(pid: number, uid: number, shellId: ShellId): boolean {
  try {
    if (statSync(`/proc/${pid}`).uid !== uid) return false;
    // A zombie has an empty environment, so it does not count.
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`SIGNALBOX_TERMINAL=${shellId}`);
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has gone, which is what was wanted.
  }
}
