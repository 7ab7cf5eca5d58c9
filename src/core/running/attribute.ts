/**
 * Which processes belong to which command of Codex. Codex gives every command its thread and the id of its item as environment variables.
 * A process without them belongs to the command of an ancestor, or of another process in its session. Pure.
 */

export interface SeenProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly session: number;
  /** Together with the pid it names one process for ever. */
  readonly startTime: string;
  readonly uid: number;
  /** Null where the environment cannot be read or names no command of Codex. */
  readonly mark: CommandMark | null;
  readonly command: string;
}

export interface CommandMark {
  readonly threadId: string;
  readonly itemId: string;
}

/** Processes of one command, the oldest first. */
export interface CommandProcesses {
  readonly mark: CommandMark;
  readonly processes: readonly SeenProcess[];
}

/**
 * `isOurThread`: whether a thread belongs to a conversation here; other Codex processes of this user mark their commands too.
 * `own`: the server, Codex, the pty host and the shells of people. They and their ancestors are never part of a command, and neither is
 * what shares a session with one of them by the session alone.
 */
export function groupByCommand(
  processes: readonly SeenProcess[],
  isOurThread: (threadId: string) => boolean,
  own: ReadonlySet<number>,
): readonly CommandProcesses[] {
  const byPid = new Map(processes.map((one) => [one.pid, one]));
  const spared = withAncestors(own, byPid);
  const sparedSessions = new Set(
    [...spared].flatMap((pid) => {
      const session = byPid.get(pid)?.session;
      return session === undefined ? [] : [session];
    }),
  );
  const marks = new Map<number, CommandMark>();
  const sessions = new Map<number, CommandMark>();
  for (const { pid, mark, session } of processes) {
    if (mark === null || spared.has(pid) || !isOurThread(mark.threadId)) continue;
    marks.set(pid, mark);
    // A command has a session of its own; a session is shared by several commands only where an old Codex makes none.
    if (sparedSessions.has(session) || session <= 0) continue;
    const other = sessions.get(session);
    if (other === undefined || session === pid) sessions.set(session, mark);
  }
  for (const { pid, session } of processes) {
    const mark = sessions.get(session);
    if (mark !== undefined && !marks.has(pid) && !spared.has(pid)) marks.set(pid, mark);
  }
  inherit(processes, marks, spared);
  const found = new Map<string, { mark: CommandMark; processes: SeenProcess[] }>();
  for (const one of processes) {
    const mark = marks.get(one.pid);
    if (mark === undefined) continue;
    const key = commandKey(mark);
    const group = found.get(key) ?? { mark, processes: [] };
    group.processes.push(one);
    found.set(key, group);
  }
  return [...found.values()].map((group) => ({ ...group, processes: group.processes.toSorted(byAge) }));
}

/** Everything below the given process, without the process itself. */
export function descendantsOf(pid: number, processes: readonly SeenProcess[]): readonly SeenProcess[] {
  const family = new Set([pid]);
  for (let before = 0; before !== family.size; ) {
    before = family.size;
    for (const one of processes) if (family.has(one.parentPid)) family.add(one.pid);
  }
  return processes.filter((one) => one.pid !== pid && family.has(one.pid)).toSorted(byAge);
}

export const commandKey = ({ threadId, itemId }: CommandMark): string => `${threadId}/${itemId}`;

function withAncestors(pids: ReadonlySet<number>, byPid: ReadonlyMap<number, SeenProcess>): ReadonlySet<number> {
  const all = new Set<number>();
  for (const pid of pids) {
    for (let next: number | undefined = pid; next !== undefined && !all.has(next); next = byPid.get(next)?.parentPid)
      all.add(next);
  }
  return all;
}

/** Children get the mark of their parent. Parents may come after their children in the list, so until nothing changes. */
function inherit(
  processes: readonly SeenProcess[],
  marks: Map<number, CommandMark>,
  spared: ReadonlySet<number>,
): void {
  for (let before = -1; before !== marks.size; ) {
    before = marks.size;
    for (const { pid, parentPid } of processes) {
      const mark = marks.get(parentPid);
      if (mark !== undefined && !marks.has(pid) && !spared.has(pid)) marks.set(pid, mark);
    }
  }
}

function byAge(a: SeenProcess, b: SeenProcess): number {
  return Number(a.startTime) - Number(b.startTime) || a.pid - b.pid;
}
