/**
 * Tells clients what happens: subscribe-then-snapshot, a bound per client. No sockets in here.
 * Sessions publish; `http/socket.ts` connects clients, which are served from the conversations and the RPC that `serve` is given.
 */
import type { ConversationId } from '../../contract/ids.ts';
import { type Failure, fail, ok, type Result } from '../../contract/result.ts';
import {
  CLOSE_RESYNC,
  type ClientFrame,
  MAX_CLIENT_QUEUE_BYTES,
  MAX_CLIENT_QUEUE_EVENTS,
  type ServerEvent,
  type UiEvent,
} from '../../contract/ui-event.ts';
import { mayHear, refuseConversation } from '../../core/access/confined.ts';
import type { Clock } from '../../node/clock.ts';
import type { Caller } from '../caller.ts';
import { type Channel, createChannel, type Listener } from './channel.ts';
import { renderFrame, type Snapshot } from './frames.ts';
import { type ConversationSource, readSync } from './sync.ts';

/** One connected client as the hub sees it. */
export interface ClientPort {
  /** One text frame. The buffer is shared by all clients and must not be changed. */
  send(frame: Buffer): void;
  /** What was given to `send` and has not left yet. */
  queued(): { readonly bytes: number; readonly events: number };
  close(code: number, reason: string): void;
}

type RpcFrame = Extract<ClientFrame, { type: 'rpc' }>;

export interface HubOptions {
  readonly clock: Clock;
  /** A port threw: a bug, told to the log. */
  readonly onError: (error: unknown) => void;
}

/** What clients are served from. */
export interface HubPorts {
  readonly source: ConversationSource;
  readonly rpc: (caller: Caller, frame: RpcFrame) => Promise<Result<unknown>>;
}

/** Where clients connect. */
export interface HubGateway {
  connect(client: ClientPort, caller: Caller): HubConnection;
}

export interface HubConnection {
  receive(frame: ClientFrame): void;
  disconnect(): void;
}

interface HubStats {
  readonly clients: number;
  readonly channels: number;
  readonly frames_sent: number;
}

export interface Hub {
  /** A durable event only after its entry is on disk, in seq order; one that was told already is dropped. */
  publish(conversationId: ConversationId, event: UiEvent): void;
  broadcast(event: ServerEvent): void;
  /** To every connection of one caller. */
  tell(caller: Caller, event: ServerEvent): void;
  /** Publishing needs no conversations, so the hub exists before them; clients connect once they are there. */
  serve(ports: HubPorts): HubGateway;
  /** Forgets a conversation that is no more; its clients hear `unsubscribed`. */
  closeChannel(conversationId: ConversationId): void;
  /** Conversations that at least one client follows. */
  followed(): readonly ConversationId[];
  stats(): HubStats;
  stop(): void;
}

/** Conversations one client follows: far more than a page shows, few enough to bound what a reconnect costs. */
const MAX_SUBSCRIPTIONS = 64;
/** Calls of one client under way: a page makes a handful. */
const MAX_CLIENT_CALLS = 64;
/** WebSocket's own number for a server that stops. */
const CLOSE_GOING_AWAY = 1001;

type SubscribeFrame = Extract<ClientFrame, { type: 'subscribe' }>;

interface Connection {
  readonly client: ClientPort;
  readonly caller: Caller;
  readonly ports: HubPorts;
  readonly subscriptions: Map<ConversationId, Subscription>;
  isOpen: boolean;
  calls: number;
}

/** opening: hears nothing. reading: what it hears is held until the snapshot is sent. live: hears at once. */
interface Subscription extends Listener {
  readonly connection: Connection;
  readonly id: ConversationId;
  state: 'opening' | 'reading' | 'live' | 'ended';
  /** Last seq this client was told, or will be by what is held. */
  seq: number;
  held: Buffer[];
  heldBytes: number;
  /** A `keepInSync` runs. It may still run after the state is `live`, and two of them would each send what was missed. */
  isSyncing: boolean;
  /** A subscribe that came while one was under way; only the last counts. */
  next: SubscribeFrame | null;
}

export function createHub(options: HubOptions): Hub {
  const channels = new Map<ConversationId, Channel>();
  const connections = new Set<Connection>();
  let framesSent = 0;

  function channelOf(id: ConversationId): Channel {
    const channel = channels.get(id) ?? createChannel(options.clock);
    channels.set(id, channel);
    return channel;
  }

  /** Looks at what waits before adding to it, so that one frame of any size reaches a client that keeps up. */
  function send(connection: Connection, frame: Buffer): void {
    if (!connection.isOpen) return;
    if (isTooMuch(connection.client.queued())) {
      cutOff(connection);
      return;
    }
    framesSent += 1;
    connection.client.send(frame);
  }

  function cutOff(connection: Connection): void {
    disconnect(connection);
    connection.client.close(CLOSE_RESYNC, 'resync');
  }

  function disconnect(connection: Connection): void {
    connection.isOpen = false;
    connections.delete(connection);
    for (const subscription of connection.subscriptions.values()) end(subscription);
  }

  function end(subscription: Subscription): void {
    leave(subscription);
    subscription.state = 'ended';
    subscription.connection.subscriptions.delete(subscription.id);
  }

  function pause(subscription: Subscription): void {
    leave(subscription);
    subscription.state = 'opening';
  }

  function leave(subscription: Subscription): void {
    channels.get(subscription.id)?.leave(subscription);
    subscription.held = [];
    subscription.heldBytes = 0;
  }

  function receive(connection: Connection, frame: ClientFrame): void {
    switch (frame.type) {
      case 'subscribe':
        subscribe(connection, frame);
        break;
      case 'unsubscribe': {
        const subscription = connection.subscriptions.get(frame.conversation_id);
        if (subscription !== undefined) end(subscription);
        send(connection, renderFrame({ type: 'unsubscribed', conversation_id: frame.conversation_id }));
        break;
      }
      case 'rpc':
        void call(connection, frame);
        break;
      case 'ping':
        send(connection, renderFrame({ type: 'pong' }));
        break;
      default:
        frame satisfies never;
    }
  }

  function subscribe(connection: Connection, frame: SubscribeFrame): void {
    const id = frame.conversation_id;
    const refusal = refuseConversation(connection.caller, id);
    if (refusal !== null) {
      refuse(connection, id, refusal);
      return;
    }
    const known = connection.subscriptions.get(id);
    if (known?.isSyncing) {
      // Nothing more is sent from here on: the client named what it has.
      if (known.state === 'live') pause(known);
      known.next = frame;
      return;
    }
    if (known === undefined && connection.subscriptions.size >= MAX_SUBSCRIPTIONS) {
      const message = `one client follows at most ${MAX_SUBSCRIPTIONS} conversations`;
      refuse(connection, id, { code: 'rate_limited', message });
      return;
    }
    const subscription = known ?? createSubscription(connection, id);
    connection.subscriptions.set(id, subscription);
    void keepInSync(subscription, frame);
  }

  function createSubscription(connection: Connection, id: ConversationId): Subscription {
    const subscription: Subscription = {
      connection,
      id,
      state: 'opening',
      seq: 0,
      held: [],
      heldBytes: 0,
      isSyncing: false,
      next: null,
      hear(frame, seq) {
        subscription.seq = seq ?? subscription.seq;
        if (subscription.state === 'live') return send(connection, frame);
        subscription.held.push(frame);
        subscription.heldBytes += frame.length;
        if (isTooMuch({ bytes: subscription.heldBytes, events: subscription.held.length })) cutOff(connection);
      },
    };
    return subscription;
  }

  async function keepInSync(subscription: Subscription, first: SubscribeFrame): Promise<void> {
    subscription.isSyncing = true;
    for (let frame: SubscribeFrame | null = first; frame !== null; frame = subscription.next) {
      subscription.next = null;
      pause(subscription);
      const outcome = await synchronize(subscription, frame.after).catch((error: unknown) => {
        options.onError(error);
        return fail('internal', 'the conversation could not be read');
      });
      if (hasEnded(subscription)) return;
      if (!outcome.ok) {
        end(subscription);
        return refuse(subscription.connection, subscription.id, outcome.error);
      }
    }
    subscription.isSyncing = false;
  }

  async function synchronize(subscription: Subscription, after: number | undefined): Promise<Result<null>> {
    const { id, connection } = subscription;
    const { source } = connection.ports;
    const opened = await source.open(id);
    if (!opened.ok) return opened;
    if (hasEnded(subscription)) return ok(null);

    const { seq, live } = channelOf(id).join(subscription, opened.value.lastSeq);
    subscription.state = 'reading';
    subscription.seq = seq;
    const snapshot: Snapshot = { id, seq, live, row: opened.value.row() };
    const sync = await readSync(source, snapshot, after);
    if (hasEnded(subscription) || subscription.next !== null) return ok(null);

    const held = subscription.held;
    subscription.held = [];
    subscription.heldBytes = 0;
    subscription.state = 'live';
    for (const frame of [sync, ...held]) send(connection, frame);
    send(connection, renderFrame({ type: 'synchronized', conversation_id: id, seq: subscription.seq }));
    return ok(null);
  }

  function refuse(connection: Connection, conversationId: ConversationId, { code, message }: Failure): void {
    send(connection, renderFrame({ type: 'refused', code, message, conversation_id: conversationId }));
  }

  async function call(connection: Connection, frame: RpcFrame): Promise<void> {
    send(connection, renderFrame(rpcEvent(frame.id, await callWithinLimit(connection, frame))));
  }

  async function callWithinLimit(connection: Connection, frame: RpcFrame): Promise<Result<unknown>> {
    if (connection.calls >= MAX_CLIENT_CALLS) {
      return fail('rate_limited', `one client has at most ${MAX_CLIENT_CALLS} calls under way`);
    }
    connection.calls += 1;
    try {
      return await connection.ports.rpc(connection.caller, frame);
    } catch (error) {
      options.onError(error);
      return fail('internal', 'the call failed');
    } finally {
      connection.calls -= 1;
    }
  }

  return {
    publish: (conversationId, event) => channelOf(conversationId).publish(event),
    broadcast(event) {
      if (connections.size === 0) return;
      const frame = renderFrame(event);
      for (const connection of connections) if (mayHear(connection.caller, event)) send(connection, frame);
    },
    tell(caller, event) {
      const frame = renderFrame(event);
      for (const connection of connections) if (isSame(connection.caller, caller)) send(connection, frame);
    },
    serve: (ports) => ({
      connect(client, caller) {
        const connection: Connection = { client, caller, ports, subscriptions: new Map(), isOpen: true, calls: 0 };
        connections.add(connection);
        return {
          receive(frame) {
            if (connection.isOpen) receive(connection, frame);
          },
          disconnect: () => disconnect(connection),
        };
      },
    }),
    closeChannel(conversationId) {
      channels.get(conversationId)?.stop();
      channels.delete(conversationId);
      for (const connection of connections) {
        const subscription = connection.subscriptions.get(conversationId);
        if (subscription === undefined) continue;
        end(subscription);
        send(connection, renderFrame({ type: 'unsubscribed', conversation_id: conversationId }));
      }
    },
    followed: () => [...new Set([...connections].flatMap((connection) => [...connection.subscriptions.keys()]))],
    stats: () => ({ clients: connections.size, channels: channels.size, frames_sent: framesSent }),
    stop() {
      for (const channel of channels.values()) channel.stop();
      channels.clear();
      for (const connection of connections) {
        disconnect(connection);
        connection.client.close(CLOSE_GOING_AWAY, 'server stopping');
      }
    },
  };
}

/** How the answer to a call is told on the socket. */
export function rpcEvent(id: string | number, outcome: Result<unknown>): ServerEvent {
  if (outcome.ok) return { type: 'rpc_response', id, result: outcome.value ?? null };
  const { code, message, details } = outcome.error;
  return { type: 'rpc_error', id, code, message, ...(details !== undefined && { details: { ...details } }) };
}

/** One credential, in one role: a command of an agent does not hear what its token's owner asked. */
function isSame(one: Caller, other: Caller): boolean {
  return one.kind !== 'anonymous' && other.kind === one.kind && other.id === one.id;
}

/** A function, so that the compiler does not take the state from before an `await` for the one after it. */
function hasEnded(subscription: Subscription): boolean {
  return subscription.state === 'ended';
}

function isTooMuch(queued: { readonly bytes: number; readonly events: number }): boolean {
  return queued.bytes > MAX_CLIENT_QUEUE_BYTES || queued.events > MAX_CLIENT_QUEUE_EVENTS;
}
