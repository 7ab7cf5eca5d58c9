/**
 * A mark that no descendant can take off: the hard limit of the number of processes, one or two below the server's own. Limits are inherited by
 * every descendant, whatever it does (`setsid`, a double fork, `env -i`), and only a process with CAP_SYS_RESOURCE can raise a hard limit.
 * One less out of many thousands hinders nobody.
 */
import { readFileSync } from 'node:fs';
import { isExecutable } from './path-kind.ts';

export interface LimitMark {
  /** The limit of what an agent can act through: Codex and the pty host. */
  readonly agent: number;
  /** The limit of what the server starts for a person. Higher, so that no descendant of an agent can get it. */
  readonly shell: number;
  /** The command that takes the limit and then becomes the given one. */
  wrap(kind: 'agent' | 'shell', command: readonly string[]): readonly string[];
}

const PRLIMIT = ['/usr/bin/prlimit', '/bin/prlimit'];
/** The kernel has no more process numbers than that, so an unlimited process does not notice. */
const MAX_PROCESSES = 4_194_304;
/** Below it one process less could matter. */
const MIN_PROCESSES = 64;

/** Null where the system cannot do it: no `/proc`, no `prlimit` (util-linux), or a very low limit. */
export function createLimitMark(): LimitMark | null {
  const own = readProcessLimit(process.pid);
  const program = PRLIMIT.find(isExecutable);
  if (own === null || program === undefined || own.hard < MIN_PROCESSES) return null;
  const base = Math.min(own.hard, MAX_PROCESSES);
  const marks = { agent: base - 2, shell: base - 1 };
  return {
    ...marks,
    wrap: (kind, command) => [program, `--nproc=${Math.min(own.soft, marks[kind])}:${marks[kind]}`, '--', ...command],
  };
}

/** Null for a process that has gone or that the system does not tell about. */
export function readProcessLimit(pid: number): { readonly soft: number; readonly hard: number } | null {
  try {
    const [, soft, hard] = /^Max processes\s+(\S+)\s+(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? [];
    if (soft === undefined || hard === undefined) return null;
    return { soft: numberOf(soft), hard: numberOf(hard) };
  } catch {
    return null;
  }
}

const numberOf = (text: string): number => (text === 'unlimited' ? Number.POSITIVE_INFINITY : Number(text));

const CAP_SYS_RESOURCE = 24n;

/** Whether what this user starts could raise a hard limit: root can, unless its capabilities were taken away, as in most containers. */
export function canRaiseLimits(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    const [, bounding = 'f'] = /^CapBnd:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return ((BigInt(`0x${bounding}`) >> CAP_SYS_RESOURCE) & 1n) === 1n;
  } catch {
    return true;
  }
}
