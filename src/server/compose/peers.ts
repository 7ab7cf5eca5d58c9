/** Tells, for a local connection, whether a person's program or a command of an agent is at its other end. */
import { ConversationId } from '../../contract/ids.ts';
import type { OwnProcesses } from '../../core/access/classify-peer.ts';
import type { Origin } from '../access/first-start.ts';
import { createPeers, type Peers } from '../access/peers.ts';
import type { CodexControl } from '../codex/codex-control.ts';
import { readCodexRecord } from '../codex/launch.ts';
import type { Registry } from '../conversations/registry.ts';
import type { LazyShells } from '../shells/lazy-shells.ts';
import type { SharedTerminals } from '../terminal/create-terminals.ts';

interface PeersParts {
  readonly link: Pick<CodexControl, 'status'>;
  readonly terminals: Pick<SharedTerminals, 'hostPid' | 'shellPids'>;
  readonly registry: Pick<Registry, 'isKnown' | 'metas'>;
  readonly shells: Pick<LazyShells, 'peek'>;
  readonly runDir: string;
  readonly origin: Origin;
}

export interface PeerStack {
  readonly peers: Peers;
  readonly conversationOf: (name: string) => ConversationId | null;
}

export function composePeers({ link, terminals, registry, shells, runDir, origin }: PeersParts): PeerStack {
  const own = (): OwnProcesses => ({
    server: process.pid,
    // The record too: while we reconnect, the link does not know its process, but the process may well ask.
    codex: [link.status().pid, readCodexRecord(runDir)?.pid].filter((pid) => typeof pid === 'number'),
    ptyHost: terminals.hostPid(),
    terminals: new Map([...terminals.shellPids()].map(([pid, { id }]) => [pid, id])),
    // Ours or of a server before us.
    shells: shells.peek()?.pids() ?? [],
  });
  const conversationOf = (name: string): ConversationId | null => {
    const id = ConversationId.safeParse(name);
    if (id.success) return registry.isKnown(id.data) ? id.data : null;
    return registry.metas().find((meta) => meta.thread_id === name)?.conversation_id ?? null;
  };
  return { peers: createPeers({ own, conversationOf, origin }), conversationOf };
}
