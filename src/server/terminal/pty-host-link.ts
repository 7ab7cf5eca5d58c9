/** The server's link to the pty host: one connection, the newest state of each terminal, and the listeners of what happens there. */

import type { BlockRecord, HostTerminal } from '../../contract/pty-host.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { PtyServerFrame, TerminalKey } from '../../contract/terminal.ts';
import { runningStateOf } from '../../core/terminal/running-state.ts';
import type { Clock } from '../../node/clock.ts';
import { createKeyedQueue } from '../../node/keyed-queue.ts';
import type { Logger } from '../../node/logger.ts';
import { type BlockStore, openBlockStore } from './block-store.ts';
import { connectHost, type HostClient, type HostClientPorts, type HostEvent } from './host-client.ts';
import type { HostAddress, HostLauncher } from './host-launcher.ts';

/** Something happened in a terminal. */
type TerminalEvent =
  | { readonly type: 'block'; readonly kind: 'begin' | 'change' | 'end'; readonly record: BlockRecord }
  | { readonly type: 'state'; readonly terminal: HostTerminal }
  /** What a viewer typed was dropped; not repeated for each key. */
  | { readonly type: 'input_refused'; readonly code: string; readonly message: string }
  | { readonly type: 'gone' };

/** Where a viewer's frames and bytes go. */
interface ViewerSink {
  send(frame: PtyServerFrame): void;
  write(offset: number, bytes: Buffer): void;
}

export interface PtyHostLink {
  /** Connects, and starts the host if none runs. */
  connect(): Promise<Result<HostClient>>;
  /** The connection, if there is one. */
  client(): HostClient | null;
  /** Every terminal that runs, as last pushed by the host. */
  all(): readonly HostTerminal[];
  /** As last pushed by the host: everything but `cursor` is current while the shell is at its prompt or runs a command. */
  running(id: TerminalKey): HostTerminal | null;
  /** Exact, also in `cursor`: asks the host only if the terminal has printed since its state was pushed. */
  current(id: TerminalKey): Promise<HostTerminal | null>;
  /** Resolves when the events received so far have been handled. */
  settled(id: TerminalKey): Promise<void>;
  store(id: TerminalKey): Promise<BlockStore>;
  forgetStore(id: TerminalKey): void;
  listen(id: TerminalKey, listener: (event: TerminalEvent) => void): () => void;
  listenAll(listener: (id: TerminalKey, event: TerminalEvent) => void): void;
  /** The id of a new viewer, by which the host knows it too. */
  addViewer(sink: ViewerSink): number;
  /** Has the host send the viewer its frames: the `state` first, then a `screen` or `resume`, then bytes. */
  attachViewer(id: TerminalKey, viewer: number, cursor: number | null): Promise<Result<null>>;
  removeViewer(viewer: number): void;
  /** Finds the terminals of a host that outlived the last server; nothing is started. Fails if there is a host and it does not answer. */
  adopt(): Promise<Result<readonly HostTerminal[]>>;
  close(): void;
}

/** From this revision on the host says when a state no longer holds, and sends a viewer the state first. */
const PUSHING_REVISION = 2;

export function createPtyHostLink(options: {
  readonly launcher: HostLauncher;
  readonly dirOf: (id: TerminalKey) => string;
  readonly clock: Clock;
  readonly log: Logger;
}): PtyHostLink {
  const { launcher, clock, log } = options;
  const terminals = new Map<TerminalKey, { readonly terminal: HostTerminal; readonly isCurrent: boolean }>();
  const stores = new Map<TerminalKey, Promise<BlockStore>>();
  const listeners = new Map<TerminalKey, Set<(event: TerminalEvent) => void>>();
  const everywhere: ((id: TerminalKey, event: TerminalEvent) => void)[] = [];
  const viewers = new Map<number, ViewerSink>();
  let nextViewer = 1;
  let client: HostClient | null = null;
  /** The server stops; the shells stay. */
  let isClosed = false;
  let connecting: Promise<Result<HostClient>> | null = null;

  const store = (id: TerminalKey): Promise<BlockStore> => {
    const known = stores.get(id) ?? openBlockStore(options.dirOf(id));
    stores.set(id, known);
    return known;
  };

  const notify = (id: TerminalKey, event: TerminalEvent) => {
    for (const listener of [...(listeners.get(id) ?? [])]) listener(event);
    for (const listener of everywhere) listener(id, event);
  };

  /** Events keep their order, also where the store of a conversation is still being read. */
  const events = createKeyedQueue<TerminalKey>((error, id) => log.error({ error, id }, 'terminal'));

  const keep = (terminal: HostTerminal) => {
    terminals.set(terminal.key, { terminal, isCurrent: doesHostPush() });
  };
  const doesHostPush = () => client !== null && client.revision >= PUSHING_REVISION;

  const onEvent = (event: HostEvent): void => {
    switch (event.type) {
      case 'block':
        void events.add(event.key, async () => {
          (await store(event.key)).put(event.record);
          notify(event.key, { type: 'block', kind: event.kind, record: event.record });
        });
        break;
      case 'state':
        void events.add(event.terminal.key, () => {
          keep(event.terminal);
          notify(event.terminal.key, { type: 'state', terminal: event.terminal });
        });
        break;
      case 'outdated':
        void events.add(event.key, () => {
          const known = terminals.get(event.key);
          if (known !== undefined) terminals.set(event.key, { ...known, isCurrent: false });
        });
        break;
      case 'input_refused':
        void events.add(event.key, () =>
          notify(event.key, { type: 'input_refused', code: event.code, message: event.message }),
        );
        break;
      case 'exit':
        void events.add(event.key, () => forget(event.key));
        break;
      case 'view':
        viewers.get(event.viewer)?.send(event.frame);
        break;
      case 'program_exit':
        // Framework Shells has a connection of its own and listens there.
        break;
      default:
        event satisfies never;
    }
  };

  const forget = (id: TerminalKey) => {
    terminals.delete(id);
    notify(id, { type: 'gone' });
  };

  /** The host was killed, and every shell with it: nobody saw how their commands ended. */
  const onLost = () => {
    client = null;
    if (isClosed) return;
    for (const id of [...terminals.keys()]) {
      void events.add(id, async () => {
        const known = await store(id);
        for (const record of known.all()) {
          if (record.status !== 'running') continue;
          const lost: BlockRecord = { ...record, status: 'lost' };
          known.put(lost);
          notify(id, { type: 'block', kind: 'end', record: lost });
        }
        forget(id);
      });
    }
  };

  const connectTo = async (address: HostAddress): Promise<Result<HostClient>> => {
    const ports: HostClientPorts = {
      onEvent,
      // In the order of arrival among the events, so that an older state never replaces a newer one.
      onTerminals: (answered) => {
        for (const terminal of answered) void events.add(terminal.key, () => keep(terminal));
      },
      onBytes: (viewer, offset, bytes) => viewers.get(viewer)?.write(offset, bytes),
      onClose: onLost,
    };
    const connected = await connectHost(address, ports, clock);
    if (!connected.ok) return connected;
    client = connected.value;
    // A host that outlived its last connection has terminals. If it ends just now, the next request says so.
    const listed = await client.request({ do: 'list' });
    if (listed.ok) await Promise.all(listed.value.map(({ key }) => events.idle(key)));
    return connected;
  };

  /** One connection at a time, whoever needs it. */
  const reach = (find: () => Promise<Result<HostAddress>>): Promise<Result<HostClient>> => {
    if (client !== null) return Promise.resolve(ok(client));
    connecting ??= find()
      .then((found) => (found.ok ? connectTo(found.value) : found))
      .finally(() => {
        connecting = null;
      });
    return connecting;
  };

  const current = async (id: TerminalKey): Promise<HostTerminal | null> => {
    await events.idle(id);
    const known = terminals.get(id);
    if (client === null || known === undefined) return null;
    if (known.isCurrent) return known.terminal;
    const listed = await client.request({ do: 'list' });
    // A host that does not answer still has its terminals.
    if (!listed.ok) return listed.error.code === 'no_answer' ? known.terminal : null;
    return listed.value.find(({ key }) => key === id) ?? null;
  };

  return {
    connect: () => reach(launcher.ensure),
    client: () => client,
    all: () => [...terminals.values()].map(({ terminal }) => terminal),
    running: (id) => terminals.get(id)?.terminal ?? null,
    current,
    settled: events.idle,
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
    listenAll: (listener) => void everywhere.push(listener),
    addViewer(sink) {
      const viewer = nextViewer++;
      viewers.set(viewer, sink);
      return viewer;
    },
    async attachViewer(id, viewer, cursor) {
      if (!doesHostPush()) {
        const terminal = await current(id);
        if (terminal !== null) viewers.get(viewer)?.send({ type: 'state', state: runningStateOf(terminal) });
      }
      if (client === null) return fail('not_running', 'the pty host has ended');
      return client.request({ do: 'attach', key: id, viewer, cursor });
    },
    removeViewer(viewer) {
      viewers.delete(viewer);
      client?.send({ do: 'detach', viewer });
    },
    async adopt() {
      const record = launcher.find();
      if (record === null) return ok([]);
      const connected = await reach(async () => ok(record));
      return connected.ok ? ok([...terminals.values()].map(({ terminal }) => terminal)) : connected;
    },
    close() {
      isClosed = true;
      client?.close();
    },
  };
}
