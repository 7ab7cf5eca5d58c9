/** Who a process is and whom it descends from. For whoever must tell a person's command from an agent's. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { PS_LIMIT_MS, parseProcStat } from './process-identity.ts';

export interface ProcessFacts {
  readonly pid: number;
  /** 0 for the first process of the system. */
  readonly parentPid: number;
  /** The effective user. */
  readonly uid: number;
  /** The real user, which a set-user-id program does not change. */
  readonly realUid: number;
  /** Clock ticks from boot to its start; null where the system does not say. */
  readonly startTicks: number | null;
  /** What the process calls itself: its `comm` (at most 15 bytes) on Linux, its title elsewhere. */
  readonly name: string;
}

/** Deeper trees are not made by people; a longer walk means that pids were reused under our eyes. */
const MAX_DEPTH = 256;

/** Null when there is no such process. */
export function readProcess(pid: number): ProcessFacts | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? readProc(pid) : askPs(pid);
}

/**
 * The process itself first, then its parent, up to the first process; null when the walk did not come to an end, because
 * somebody on the way has gone. A process whose parent ended is handed to an adopter, and its past is lost.
 */
export function readLineage(pid: number): readonly ProcessFacts[] | null {
  const line: ProcessFacts[] = [];
  let next = pid;
  while (next > 0) {
    const facts = readProcess(next);
    if (facts === null || line.length >= MAX_DEPTH) return null;
    line.push(facts);
    next = facts.parentPid;
  }
  return line.length === 0 ? null : line;
}

function readProc(pid: number): ProcessFacts | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    // A thread has a directory of its own that no listing shows; only whole processes count.
    if (field(status, 'Tgid')?.[0] !== String(pid)) return null;
    const parentPid = Number(field(status, 'PPid')?.[0]);
    const [realUid, uid] = (field(status, 'Uid') ?? []).map(Number);
    if (!Number.isSafeInteger(parentPid) || uid === undefined || realUid === undefined) return null;
    const name = readFileSync(`/proc/${pid}/comm`, 'utf8').replace(/\n$/, '');
    const started = parseProcStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return { pid, parentPid, uid, realUid, startTicks: started === null ? null : Number(started), name };
  } catch {
    return null;
  }
}

function field(status: string, name: string): string[] | undefined {
  // The process's own name comes first and could look like a field, but the kernel escapes its line breaks.
  return new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1]?.split(/\s+/);
}

function askPs(pid: number): ProcessFacts | null {
  try {
    const text = execFileSync('ps', ['-o', 'ppid=,uid=,command=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: PS_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    return parsePs(pid, text);
  } catch {
    return null;
  }
}

export function parsePs(pid: number, text: string): ProcessFacts | null {
  const [, parentPid, uid, name] = /^[ \t]*(\d+)[ \t]+(\d+)[ \t]+(.*)$/m.exec(text) ?? [];
  if (parentPid === undefined || uid === undefined || name === undefined) return null;
  return {
    pid,
    parentPid: Number(parentPid),
    uid: Number(uid),
    realUid: Number(uid),
    startTicks: null,
    name: name.trim(),
  };
}

/** The first process of the session that has the controlling terminal of a process; null if the process has no such terminal. */
export function terminalLeaderOf(pid: number): number | null {
  return process.platform === 'linux' ? readTerminalLeader(pid) : askPsForTerminal(pid);
}

function readTerminalLeader(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which may hold anything: state, parent, group, session, terminal.
    const [, , , session, terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return terminal === undefined || terminal === '0' ? null : Number(session);
  } catch {
    return null;
  }
}

/** `ps` does not say who leads the session everywhere; the process itself stands for it. */
function askPsForTerminal(pid: number): number | null {
  try {
    const text = execFileSync('ps', ['-o', 'tty=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return /^[?-]*$/.test(text.trim()) ? null : pid;
  } catch {
    return null;
  }
}

/** The environment a process was started with; empty where the system does not tell. */
export function environmentOf(pid: number): ReadonlyMap<string, string> {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return new Map(
      entries.flatMap((entry) => {
        const at = entry.indexOf('=');
        return at < 0 ? [] : [[entry.slice(0, at), entry.slice(at + 1)] as const];
      }),
    );
  } catch {
    return new Map();
  }
}

/** The control groups of a process, as one text that equal groups have in common; null where the system has none. */
export function controlGroupOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, 'utf8');
  } catch {
    return null;
  }
}
