/** A process and everything it started: finding it, measuring it, and ending all of it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Clock } from './clock.ts';
import { isSameProcess, type ProcessIdentity, PS_LIMIT_MS, startTimeOf } from './process-identity.ts';
import { type ListedProcess, listOwnProcesses } from './process-list.ts';

export interface Tree {
  /** Leads its own session and group. */
  readonly root: ProcessIdentity;
  /** `NAME=value` that everything below it has in its environment, unless it was hidden; null when there is none. */
  readonly mark: string | null;
}

/** How often a process that was asked to end is looked at. */
const POLL_MS = 20;
/** A killed process can stay for a while in an uninterruptible disk wait. */
const KILL_WAIT_MS = 2_000;

/** Descendants, its session, its group, and whoever carries the mark; those that left the family keep the mark. */
export function membersOf(tree: Tree, all = listOwnProcesses()): readonly ListedProcess[] {
  const { root, mark } = tree;
  const isRootAlive = isSameProcess(root);
  const family = new Set<number>(isRootAlive ? [root.pid] : []);
  // Parents may come after their children in the list, so until nothing is added.
  for (let before = -1; before !== family.size; ) {
    before = family.size;
    for (const one of all) if (family.has(one.parentPid)) family.add(one.pid);
  }
  // A session or group outlives its leader and keeps its number from others meanwhile; a later process with that number is its own leader.
  const isReused = !isRootAlive && all.some((one) => one.pid === root.pid);
  const isKin = (one: ListedProcess) => !isReused && (one.session === root.pid || one.group === root.pid);
  return all.filter((one) => one.pid !== process.pid && (family.has(one.pid) || isKin(one) || carries(one.pid, mark)));
}

/** Processes of this user whose environment holds an entry that begins like this. */
export function findMarked(prefix: string): readonly (ProcessIdentity & { readonly entry: string })[] {
  return listOwnProcesses().flatMap(({ pid }) => {
    const entry = environmentOf(pid).find((one) => one.startsWith(prefix));
    if (entry === undefined || pid === process.pid) return [];
    const startTime = startTimeOf(pid);
    return startTime === null ? [] : [{ pid, start_time: startTime, entry }];
  });
}

/** Processes of this user that were started with exactly these words. */
export function findStarted(command: readonly string[]): readonly ProcessIdentity[] {
  return listOwnProcesses().flatMap(({ pid }) => {
    const startTime = hasCommand(pid, command) ? startTimeOf(pid) : null;
    return startTime === null ? [] : [{ pid, start_time: startTime }];
  });
}

/** SIGTERM first; whatever of the tree is left after `graceMs` gets SIGKILL. */
export async function endTree(tree: Tree, options: { readonly graceMs: number; readonly clock: Clock }): Promise<void> {
  const { clock, graceMs } = options;
  const known = new Map<number, string>();
  const note = (members: readonly ListedProcess[]) => {
    for (const { pid } of members) {
      const startTime = startTimeOf(pid);
      if (startTime !== null && !known.has(pid)) known.set(pid, startTime);
    }
  };
  const left = () => [...known].filter(([pid, start_time]) => isSameProcess({ pid, start_time }));
  note(membersOf(tree));
  // Without a mark the root may have children it ends by itself, in good order.
  const isKin = ({ group, session }: ListedProcess) => group === tree.root.pid || session === tree.root.pid;
  const asked = membersOf(tree).filter((one) => tree.mark !== null || isKin(one));
  for (const { pid } of asked) send(pid, known.get(pid), 'SIGTERM');
  const deadline = clock.monotonicMs() + graceMs;
  while (left().length > 0 && clock.monotonicMs() < deadline) await clock.sleep(POLL_MS);
  const killDeadline = clock.monotonicMs() + KILL_WAIT_MS;
  // It may have started others in the meantime.
  for (note(membersOf(tree)); left().length > 0 && clock.monotonicMs() < killDeadline; note(membersOf(tree))) {
    for (const [pid, startTime] of left()) send(pid, startTime, 'SIGKILL');
    await clock.sleep(POLL_MS);
  }
}

function send(pid: number, startTime: string | undefined, name: 'SIGTERM' | 'SIGKILL'): void {
  if (startTime === undefined || !isSameProcess({ pid, start_time: startTime })) return;
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself, or is not ours to signal.
  }
}

function carries(pid: number, mark: string | null): boolean {
  return mark !== null && environmentOf(pid).includes(mark);
}

function hasCommand(pid: number, command: readonly string[]): boolean {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === command.map((word) => `${word}\0`).join('');
    const words = execFileSync('ps', ['-o', 'args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: 'pipe',
      timeout: PS_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    return words.trimEnd() === command.join(' ');
  } catch {
    return false;
  }
}

function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
