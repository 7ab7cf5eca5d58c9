/**
 * Who is at the other end of a local connection: a person's program, a command of an agent, or nobody can tell. Pure; `server/access/peers.ts`
 * collects the facts.
 *
 * The proof that a process is not an agent's is positive. A process can forget its ancestors (double fork, `setsid`) and its environment
 * (`env -i`), and is then a child of the adopter of orphans. So a process counts as a person's only if something shows that it cannot
 * descend from what this server started: its branch of the process tree is older than the first server, belongs to another user, came from
 * outside the container, or lives in another control group; or its process limit is higher than the one that everything the server starts
 * inherits and cannot raise (`node/limit-mark.ts`).
 */
import type { ConversationId } from '../../contract/ids.ts';

export interface PeerProcess {
  readonly pid: number;
  /** 0 for the first process, and for one that was put into this process namespace from outside. */
  readonly parentPid: number;
  /** The real user: a set-user-id program changes only the effective one. */
  readonly realUid: number;
  /** Clock ticks between boot and its start; null where the system does not say. */
  readonly startTicks: number | null;
}

/** The processes of this server through which an agent can act. */
export interface OwnProcesses {
  readonly server: number;
  readonly codex: readonly number[];
  readonly ptyHost: number | null;
  /** The shell of each shared terminal. */
  readonly terminals: ReadonlyMap<number, ConversationId>;
  /** Framework Shells. */
  readonly shells: readonly number[];
}

/**
 * How the hard limit of a process compares with the limits that servers of this home gave since boot. `above`: it descends from nothing they
 * started. `shell`, `agent`: exactly the limit of a Framework Shell, or of Codex and the pty host. `below`: it may be a descendant that lowered
 * its limit further.
 */
export type LimitSign = 'above' | 'shell' | 'agent' | 'below';

/** The highest limits that servers of this home gave since boot. */
export interface LimitMarks {
  readonly agent: number;
  readonly shell: number;
  /** Everything that was started since boot has such a limit, and nothing can raise it. Otherwise a higher limit shows nothing. */
  readonly isComplete: boolean;
}

export function signOf(hard: number | null, marks: LimitMarks | null): LimitSign | null {
  if (hard === null || marks === null) return null;
  if (hard > marks.shell) return marks.isComplete ? 'above' : null;
  if (hard === marks.shell) return 'shell';
  return hard === marks.agent ? 'agent' : 'below';
}

export interface PeerFacts {
  /** The process itself first, then its parent, up to the first process; null if a process on the way has ended. */
  readonly lineage: readonly PeerProcess[] | null;
  readonly own: OwnProcesses;
  /** Of a descendant of Codex: the conversation whose command it is, as Codex says in the environment of the command. */
  readonly commandOf: ConversationId | null;
  /** The conversation of this server that the environment of the process names. */
  readonly markedBy: ConversationId | null;
  /** Who becomes the parent of a process of ours whose parent ends. */
  readonly adopters: ReadonlySet<number>;
  /** Start of the first server of this home since boot. What an agent started is younger. */
  readonly firstStartTicks: number | null;
  /** The user of the server. */
  readonly uid: number;
  /** What its process limit shows; null where the system or the server has no such mark. */
  readonly limit: LimitSign | null;
  /** Its control group is none that a process of ours is in; null where there are none. */
  readonly isInOtherGroup: boolean | null;
}

export type Peer =
  /** Our Codex itself. */
  | { readonly kind: 'codex' }
  /** A command of Codex or of a shared terminal; null if nothing says of which conversation. */
  | { readonly kind: 'agent'; readonly conversationId: ConversationId | null }
  /** Started by the server for a person or a script: a Framework Shell, the notify command. */
  | { readonly kind: 'shell' }
  | { readonly kind: 'person' }
  | { readonly kind: 'unknown' };

export function classifyPeer(facts: PeerFacts): Peer {
  const { lineage, own } = facts;
  if (lineage === null) return { kind: 'unknown' };
  for (const [generation, { pid }] of lineage.entries()) {
    const conversationId = own.terminals.get(pid);
    if (conversationId !== undefined) return { kind: 'agent', conversationId };
    if (own.codex.includes(pid)) {
      return generation === 0 ? { kind: 'codex' } : { kind: 'agent', conversationId: facts.commandOf };
    }
    if (pid === own.ptyHost) return { kind: 'agent', conversationId: facts.markedBy };
    if (pid === own.server || own.shells.includes(pid)) return { kind: 'shell' };
  }
  if (facts.markedBy !== null) return { kind: 'agent', conversationId: facts.markedBy };
  if (facts.limit === 'above' || cannotBeOurs(lineage, facts)) return { kind: 'person' };
  switch (facts.limit) {
    // An orphan that nobody but an agent could have made.
    case 'agent':
    case 'below':
      return { kind: 'agent', conversationId: null };
    case 'shell':
      return { kind: 'shell' };
    case null:
      return { kind: 'unknown' };
    default:
      return facts.limit satisfies never;
  }
}

function cannotBeOurs(lineage: readonly PeerProcess[], facts: PeerFacts): boolean {
  const { adopters, firstStartTicks, uid } = facts;
  const end = lineage.findIndex(({ parentPid }) => parentPid === 0 || adopters.has(parentPid));
  const branch = lineage.slice(0, end + 1);
  const root = branch.at(-1);
  if (root === undefined) return false;
  // Only a process that was started outside this process namespace (`docker exec`) has no parent in it; an orphan gets one.
  if (root.parentPid === 0 && root.pid !== 1) return true;
  if (adopters.has(root.pid)) return true;
  // Root can become anybody, so for a server that runs as root another user proves nothing.
  if (uid !== 0 && branch.some(({ realUid }) => realUid !== uid)) return true;
  if (firstStartTicks !== null && root.startTicks !== null && root.startTicks < firstStartTicks) return true;
  // A system that tells neither (macOS) leaves the ancestors and the environment, which were looked at above.
  return facts.isInOtherGroup === true || (facts.isInOtherGroup === null && firstStartTicks === null);
}
