/** Collects what can be known about the process at the other end of a local connection; `core/access/classify-peer.ts` judges it. */
import type { Socket } from 'node:net';
import type { ConversationId } from '../../contract/ids.ts';
import { agentAt } from '../../core/access/agent-rights.ts';
import { classifyPeer, type OwnProcesses, type Peer, signOf } from '../../core/access/classify-peer.ts';
import {
  controlGroupOf,
  environmentOf,
  type ProcessFacts,
  readLineage,
  readProcess,
  terminalLeaderOf,
} from '../../node/ancestry.ts';
import { findAdopter } from '../../node/find-adopter.ts';
import { readProcessLimit } from '../../node/limit-mark.ts';
import { findLocalPeer, type LocalPeer } from '../../node/local-peer.ts';
import type { Origin } from './first-start.ts';

export interface PeersOptions {
  /** The processes through which an agent can act, as they are now. */
  own(): OwnProcesses;
  /** The conversation of this server that has this id or this thread. */
  conversationOf(name: string): ConversationId | null;
  readonly origin: Origin;
}

type Sender =
  | { readonly kind: 'program' }
  | { readonly kind: 'agent'; readonly conversationId: ConversationId | null }
  /** It has closed its end, or is in another network namespace. */
  | { readonly kind: 'unseen' };

export interface Peers {
  ofProcess(pid: number): Promise<Peer>;
  /** Whether a process has a controlling terminal whose first process is shown to be a person's. */
  hasOwnTerminal(pid: number): Promise<boolean>;
  /** Looked up once per connection. Only for callers that show a token: a browser session needs no look-up. */
  ofSocket(socket: Socket): Promise<Peer>;
  /** Names the process at the other end, equal for all its connections. */
  programOf(socket: Socket): Promise<string>;
  /** Who sends on an event socket. Where the system does not tell, its token counts. */
  senderOf(socket: Socket): Promise<Sender>;
}

/** Set by Codex for each command, and by us for each shared terminal. `SIGNALBOX_THREAD` alone may be a person's own. */
const COMMAND_VARIABLE = 'CODEX_THREAD_ID';
const TERMINAL_VARIABLE = 'SIGNALBOX_TERMINAL';
const TERMINAL_THREAD_VARIABLE = 'SIGNALBOX_THREAD';

/** Shorter than an agent's command can make use of: the process itself stays what it is. */
const RECENT_MS = 1_000;
/** More processes than that do not connect within a second. */
const MAX_RECENT = 200;

export function createPeers({ own, conversationOf, origin }: PeersOptions): Peers {
  const found = new WeakMap<Socket, Promise<LocalPeer>>();
  const judged = new WeakMap<Socket, Promise<Peer>>();
  let adopter: Promise<number | null> | null = null;

  const namedBy = (pid: number, variable: string): ConversationId | null => {
    const name = environmentOf(pid).get(variable);
    return name === undefined ? null : conversationOf(name);
  };

  const markedBy = (pid: number): ConversationId | null =>
    environmentOf(pid).has(TERMINAL_VARIABLE) ? namedBy(pid, TERMINAL_THREAD_VARIABLE) : namedBy(pid, COMMAND_VARIABLE);

  /** The first descendant of Codex that has a thread in its environment got it from Codex, and not from a command. */
  const commandOf = (lineage: readonly ProcessFacts[], codex: readonly number[]): ConversationId | null => {
    const at = lineage.findIndex(({ pid }) => codex.includes(pid));
    for (const { pid } of lineage.slice(0, Math.max(0, at)).reverse()) {
      const conversationId = namedBy(pid, COMMAND_VARIABLE);
      if (conversationId !== null) return conversationId;
    }
    return null;
  };

  const ofProcess = async (pid: number): Promise<Peer> => {
    adopter ??= findAdopter();
    const adopting = await adopter;
    const processes = own();
    const lineage = readLineage(pid);
    const started = [
      ...processes.codex,
      ...processes.shells,
      ...(processes.ptyHost === null ? [] : [processes.ptyHost]),
    ];
    const ours = [processes.server, ...started];
    // A process of ours that outlived its server was adopted itself; whoever adopted it adopts its orphans too.
    const parents = started.flatMap((one) => readProcess(one)?.parentPid ?? []).filter((one) => !ours.includes(one));
    const group = controlGroupOf(pid);
    return classifyPeer({
      lineage,
      own: processes,
      commandOf: lineage === null ? null : commandOf(lineage, processes.codex),
      markedBy: markedBy(pid),
      adopters: new Set([1, ...(adopting === null ? [] : [adopting]), ...parents]),
      firstStartTicks: origin.firstStartTicks,
      limit: signOf(readProcessLimit(pid)?.hard ?? null, origin.marks),
      uid: process.getuid?.() ?? 0,
      isInOtherGroup: group === null ? null : ours.every((one) => controlGroupOf(one) !== group),
    });
  };

  /** A program that opens many connections is judged once a second; one that got its number meanwhile has another start. */
  const recent = new Map<string, { readonly peer: Promise<Peer>; readonly atMs: number }>();
  const ofProcessLately = (pid: number): Promise<Peer> => {
    const key = `${pid} ${readProcess(pid)?.startTicks ?? ''}`;
    const nowMs = performance.now();
    const last = recent.get(key);
    if (last !== undefined && nowMs - last.atMs < RECENT_MS) return last.peer;
    if (recent.size >= MAX_RECENT) recent.clear();
    const peer = ofProcess(pid);
    recent.set(key, { peer, atMs: nowMs });
    return peer;
  };

  const find = (socket: Socket): Promise<LocalPeer> => {
    const peer = found.get(socket) ?? findLocalPeer(socket);
    found.set(socket, peer);
    return peer;
  };

  const judge = async (peer: LocalPeer): Promise<Peer> => {
    switch (peer.kind) {
      case 'process':
        return ofProcessLately(peer.pid);
      case 'hidden': {
        // One of them is the client: it counts as Codex if it may be Codex, else as an agent's if one of them is.
        const peers = await Promise.all(peer.pids.map(ofProcess));
        const suspect = (kind: Peer['kind']) => peers.find((one) => one.kind === kind);
        return suspect('codex') ?? suspect('agent') ?? { kind: 'unknown' };
      }
      case 'gone':
      case 'elsewhere':
        // Who does not wait for the answer cannot be looked at, and gets what an agent of no known conversation gets.
        return { kind: 'agent', conversationId: null };
      case 'other_user':
      case 'unsupported':
        return { kind: 'unknown' };
      default:
        return peer satisfies never;
    }
  };

  return {
    ofProcess,
    async hasOwnTerminal(pid) {
      const leader = terminalLeaderOf(pid);
      return leader !== null && (await ofProcess(leader)).kind === 'person';
    },
    ofSocket(socket) {
      const peer = judged.get(socket) ?? find(socket).then(judge);
      judged.set(socket, peer);
      return peer;
    },
    async programOf(socket) {
      const peer = await find(socket);
      return peer.kind === 'process' ? String(peer.pid) : peer.kind;
    },
    async senderOf(socket) {
      const peer = await find(socket);
      if (peer.kind === 'gone' || peer.kind === 'elsewhere') return { kind: 'unseen' };
      const agent = agentAt(await judge(peer));
      return agent === undefined ? { kind: 'program' } : { kind: 'agent', ...agent };
    },
  };
}
