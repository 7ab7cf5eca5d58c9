/** Reads every process of this machine with the command of Codex that its environment names. */
import { readFileSync } from 'node:fs';
import type { CommandMark, SeenProcess } from '../../core/running/attribute.ts';
import { environmentOf } from '../../node/ancestry.ts';
import { listAllProcesses } from '../../node/process-list.ts';

/** Set by Codex for each command: its thread, and the id of its item. */
const THREAD_VARIABLE = 'CODEX_THREAD_ID';
const ITEM_VARIABLE = 'CODEX_TOOL_CALL_ID';
/** A command line is shown, never run: more than a line of it helps nobody. */
const MAX_COMMAND_CHARS = 200;
/** USER_HZ is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
/**
 * A command has its mark from the moment it is executed, milliseconds after its process began. What is known of a process of this age
 * is not read again: scans follow every turn, and most processes of a machine are old.
 */
const SETTLED_TICKS = 5 * TICKS_PER_SECOND;

interface Known {
  readonly startTime: string;
  readonly mark: CommandMark | null;
  readonly command: string;
}

/** A function that lists the processes; empty where the system has no `/proc`. It remembers what cannot change any more. */
export function createProcessScan(): () => readonly SeenProcess[] {
  const ownUid = process.getuid?.();
  let settled: ReadonlyMap<number, Known> = new Map();
  return () => {
    const nowTicks = uptimeSeconds() * TICKS_PER_SECOND;
    const stillSettled = new Map<number, Known>();
    const seen = listAllProcesses().map(({ pid, parentPid, session, startTime, uid }) => {
      const before = settled.get(pid);
      // Only its own user may read the environment of a process.
      const mark = () => (uid === ownUid ? markOf(pid) : null);
      const known = before?.startTime === startTime ? before : { startTime, mark: mark(), command: commandLineOf(pid) };
      if (nowTicks - Number(startTime) > SETTLED_TICKS) stillSettled.set(pid, known);
      return { pid, parentPid, session, startTime, uid, mark: known.mark, command: known.command };
    });
    settled = stillSettled;
    return seen;
  };
}

/** When a process began, in unix milliseconds; null where the system does not tell. */
export function startedAtMs(startTime: string, nowMs: number): number | null {
  const uptimeMs = uptimeSeconds() * 1000;
  const startedMs = Math.round(nowMs - uptimeMs + (Number(startTime) * 1000) / TICKS_PER_SECOND);
  return Number.isFinite(startedMs) ? startedMs : null;
}

/** Not a number where the system does not tell. */
function uptimeSeconds(): number {
  try {
    return Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
  } catch {
    return Number.NaN;
  }
}

function markOf(pid: number): CommandMark | null {
  const environment = environmentOf(pid);
  const threadId = environment.get(THREAD_VARIABLE);
  const itemId = environment.get(ITEM_VARIABLE);
  return threadId === undefined || itemId === undefined ? null : { threadId, itemId };
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim().slice(0, MAX_COMMAND_CHARS);
  } catch {
    return '';
  }
}
