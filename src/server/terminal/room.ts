/** What is known of the terminals that run: the link to their host, their newest state, and who waits for what they say. */

import type { ConversationId } from '../../contract/ids.ts';
import type { BlockRecord, HostTerminal } from '../../contract/pty-host.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { PtyServerFrame } from '../../contract/terminal.ts';
import type { Logger } from '../../node/logger.ts';
import { type BlockStore, openBlockStore } from './block-store.ts';
import { connectHost, type HostClient, type HostEvent } from './host-client.ts';
import type { HostLauncher } from './host-launcher.ts';

/** Something happened in a terminal. */
type RoomEvent =
  | { readonly type: 'block'; readonly kind: 'begin' | 'change' | 'end'; readonly record: BlockRecord }
  | { readonly type: 'state' }
  | { readonly type: 'gone' };

interface ViewerSink {
  tell(frame: PtyServerFrame): void;
  write(offset: number, bytes: Buffer): void;
}

export interface Room {
  /** The link to the host, which is started if need be. */
  ensure(): Promise<Result<HostClient>>;
  /** The link, if there is one. */
  link(): HostClient | null;
  running(id: ConversationId): HostTerminal | null;
  note(terminal: HostTerminal): void;
  store(id: ConversationId): Promise<BlockStore>;
  forgetStore(id: ConversationId): void;
  listen(id: ConversationId, listener: (event: RoomEvent) => void): () => void;
  onAny(listener: (id: ConversationId, event: RoomEvent) => void): void;
  addViewer(sink: ViewerSink): number;
  removeViewer(viewer: number): void;
  /** Finds the terminals of a host that outlived the last server; nothing is started. */
  adopt(): Promise<readonly HostTerminal[]>;
  close(): void;
}

export function createRoom(options: {
  readonly launcher: HostLauncher;
  readonly dirOf: (id: ConversationId) => string;
  readonly log: Logger;
}): Room {
  const { launcher, log } = options;
  const terminals = new Map<ConversationId, HostTerminal>();
  const stores = new Map<ConversationId, Promise<BlockStore>>();
  const listeners = new Map<ConversationId, Set<(event: RoomEvent) => void>>();
  const everywhere: ((id: ConversationId, event: RoomEvent) => void)[] = [];
  const viewers = new Map<number, ViewerSink>();
  let nextViewer = 1;
  let client: HostClient | null = null;
  /** We go, the shells stay. */
  let isClosed = false;
  let connecting: Promise<Result<HostClient>> | null = null;

  const store = (id: ConversationId): Promise<BlockStore> => {
    const known = stores.get(id) ?? openBlockStore(options.dirOf(id));
    stores.set(id, known);
    return known;
  };

  const tell = (id: ConversationId, event: RoomEvent) => {
    for (const listener of [...(listeners.get(id) ?? [])]) listener(event);
    for (const listener of everywhere) listener(id, event);
  };

  /** Events keep their order, also where the store of a conversation is still being read. */
  const ordered = new Map<ConversationId, Promise<void>>();
  const inOrder = (id: ConversationId, work: () => Promise<void> | void) => {
    const next = (ordered.get(id) ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => log.error({ error, id }, 'terminal'));
    ordered.set(id, next);
  };

  const onEvent = (event: HostEvent) => {
    switch (event.type) {
      case 'block':
        inOrder(event.key, async () => {
          (await store(event.key)).put(event.record);
          tell(event.key, { type: 'block', kind: event.kind, record: event.record });
        });
        break;
      case 'state':
        inOrder(event.terminal.key, () => {
          terminals.set(event.terminal.key, event.terminal);
          tell(event.terminal.key, { type: 'state' });
        });
        break;
      case 'exit':
        inOrder(event.key, () => gone(event.key));
        break;
      case 'view':
        viewers.get(event.viewer)?.tell(event.frame);
        break;
      case 'program_exit':
        // Of Framework Shells, which listens itself.
        break;
      default:
        event satisfies never;
    }
  };

  const gone = (id: ConversationId) => {
    terminals.delete(id);
    tell(id, { type: 'gone' });
  };

  /** The host was killed, and every shell with it: nobody saw how their commands ended. */
  const onLost = () => {
    client = null;
    if (isClosed) return;
    for (const id of [...terminals.keys()]) {
      inOrder(id, async () => {
        const known = await store(id);
        for (const record of known.all()) {
          if (record.status !== 'running') continue;
          const lost: BlockRecord = { ...record, status: 'lost' };
          known.put(lost);
          tell(id, { type: 'block', kind: 'end', record: lost });
        }
        gone(id);
      });
    }
  };

  const connect = async (path: string): Promise<Result<HostClient>> => {
    const connected = await connectHost(path, {
      onEvent,
      onBytes: (viewer, offset, bytes) => viewers.get(viewer)?.write(offset, bytes),
      onClose: onLost,
    });
    if (connected.ok) client = connected.value;
    return connected;
  };

  const reach = async (): Promise<Result<HostClient>> => {
    const found = await launcher.ensure();
    return found.ok ? connect(found.value.socket) : found;
  };

  return {
    async ensure() {
      if (client !== null) return ok(client);
      connecting ??= reach().finally(() => {
        connecting = null;
      });
      return connecting;
    },
    link: () => client,
    running: (id) => terminals.get(id) ?? null,
    note: (terminal) => void terminals.set(terminal.key, terminal),
    store,
    forgetStore: (id) => void stores.delete(id),
    listen(id, listener) {
      const own = listeners.get(id) ?? new Set();
      listeners.set(id, own);
      own.add(listener);
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(id) === own) listeners.delete(id);
      };
    },
    onAny: (listener) => void everywhere.push(listener),
    addViewer(sink) {
      const viewer = nextViewer++;
      viewers.set(viewer, sink);
      return viewer;
    },
    removeViewer(viewer) {
      viewers.delete(viewer);
      client?.send({ do: 'detach', viewer });
    },
    async adopt() {
      const record = launcher.find();
      if (record === null) return [];
      const connected = await connect(record.socket);
      if (!connected.ok) return [];
      const listed = await connected.value.request({ do: 'list' });
      if (!listed.ok) return [];
      for (const terminal of listed.value) terminals.set(terminal.key, terminal);
      return listed.value;
    },
    close() {
      isClosed = true;
      client?.close();
    },
  };
}
