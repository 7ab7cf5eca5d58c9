/** Every process of this user: parents, groups, sessions, use. For whoever ends, finds or measures what somebody else started. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { PS_LIMIT_MS } from './process-identity.ts';

export interface ListedProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly group: number;
  readonly session: number;
  /** As `startTimeOf` tells it; empty where the list does not hold it. */
  readonly startTime: string;
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

/** USER_HZ is 100 on every Linux that Node runs on. */
const TICK_MS = 10;
/** The page size cannot be asked for without a child process; 4 KiB on x86-64 and on most arm64. */
const PAGE_BYTES = 4096;

export function listOwnProcesses(): readonly ListedProcess[] {
  const uid = process.getuid?.();
  return process.platform === 'linux' ? readProc((one) => one === uid) : askPs();
}

/** Of every user; empty where the system has no `/proc`. */
export function listAllProcesses(): readonly (ListedProcess & { readonly uid: number })[] {
  return process.platform === 'linux' ? readProc(() => true) : [];
}

function readProc(isWanted: (uid: number) => boolean): (ListedProcess & { readonly uid: number })[] {
  const found: (ListedProcess & { readonly uid: number })[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const { uid } = statSync(`/proc/${name}`);
      if (!isWanted(uid)) continue;
      const listed = parseStat(Number(name), readFileSync(`/proc/${name}/stat`, 'utf8'));
      if (listed !== null) found.push({ ...listed, uid });
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}

/** Null for a zombie, which is nobody's business but its parent's. */
export function parseStat(pid: number, text: string): ListedProcess | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const number = (at: number) => Number(fields[at] ?? 0);
  if (fields[0] === 'Z' || fields[0] === 'X' || fields.length < 22) return null;
  return {
    pid,
    parentPid: number(1),
    group: number(2),
    session: number(3),
    startTime: fields[19] ?? '',
    cpuMs: (number(11) + number(12)) * TICK_MS,
    memoryBytes: number(21) * PAGE_BYTES,
  };
}

function askPs(): ListedProcess[] {
  try {
    const text = execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,uid=,rss=,time='], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: PS_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    const uid = process.getuid?.();
    return text.split('\n').flatMap((line) => {
      const listed = parsePsLine(line);
      return listed !== null && listed.uid === uid ? [listed] : [];
    });
  } catch {
    return [];
  }
}

export function parsePsLine(line: string): (ListedProcess & { readonly uid: number }) | null {
  const [, pid, parentPid, group, uid, rss, time] =
    /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+([\d:.-]+)\s*$/.exec(line) ?? [];
  if (time === undefined) return null;
  const seconds = time
    .replace('-', ':')
    .split(':')
    .reduce((sum, part, at, all) => sum + Number(part) * ([1, 60, 3600, 86_400][all.length - 1 - at] ?? 0), 0);
  return {
    pid: Number(pid),
    parentPid: Number(parentPid),
    group: Number(group),
    session: Number(group),
    uid: Number(uid),
    startTime: '',
    cpuMs: Math.round(seconds * 1000),
    memoryBytes: Number(rss) * 1024,
  };
}
