/** A hub with everything around it made of memory: a transcript, clients that keep what they hear, a clock that stands still. */
import type { ConversationRow } from '../contract/conversation.ts';
import type { Entry, NewEntry } from '../contract/entry.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { LiveEvent, ServerFrame, UiEvent } from '../contract/ui-event.ts';
import {
  type ClientPort,
  createHub,
  type Hub,
  type HubGateway,
  type HubOptions,
  type HubPorts,
} from '../server/hub/hub.ts';
import type { ConversationSource } from '../server/hub/sync.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { sampleRow } from './samples.ts';

export const CONVERSATION = `conv_${'a'.repeat(32)}`;
export const OTHER_CONVERSATION = `conv_${'b'.repeat(32)}`;

export interface HubStand {
  readonly hub: Hub & HubGateway;
  readonly clock: ManualClock;
  /** What is on disk, as lines. */
  readonly log: Entry[];
  readonly errors: unknown[];
  /** Everything that was published, in order. */
  readonly published: UiEvent[];
  /** Stores and publishes. */
  append(entry: NewEntry): void;
  live(event: LiveBody): void;
  /** Reads of the transcript wait until `release` when told so. */
  readonly gate: Gate;
  /** What is stored and sent waits when told so, and is published in its order. */
  readonly publishing: Publishing;
  /** Publishes a stored entry once more, as after a restart of what publishes. */
  publishAgain(at: number): void;
}

export interface Publishing {
  hold(): void;
  one(): void;
  release(): void;
}

/** A live event without what the hub's callers fill in. */
export type LiveBody = LiveEvent extends infer One
  ? One extends LiveEvent
    ? Omit<One, 'conversation_id' | 'after'>
    : never
  : never;

export interface Gate {
  close(): void;
  release(): Promise<void>;
  /** Lets one read that waits go on, and keeps the others. */
  releaseOne(at: number): Promise<void>;
  pass(): Promise<void>;
  waiting(): number;
}

/** `spoil` makes reads of the transcript wrong, to see that a test notices. */
export function createHubStand(
  overrides: Partial<HubOptions & HubPorts> = {},
  spoil: (source: ConversationSource, log: readonly Entry[]) => ConversationSource = (source) => source,
): HubStand {
  const clock = createManualClock();
  const log: Entry[] = [];
  const errors: unknown[] = [];
  const gate = createGate();
  const unpublished: UiEvent[] = [];
  const source: ConversationSource = {
    open: async (id) => {
      await gate.pass();
      return id === CONVERSATION || id === OTHER_CONVERSATION
        ? ok({
            lastSeq: () => log.length - unpublished.filter((event) => 'seq' in event).length,
            row: () => rowOf(id, log.length),
          })
        : fail('unknown_conversation', `there is no conversation ${id}`);
    },
    entriesAfter: async (_id, after, upTo) => {
      await gate.pass();
      return log.filter(({ seq }) => seq > after && seq <= upTo).map((entry) => JSON.stringify(entry));
    },
    lastEntries: async (_id, upTo, limit) => {
      await gate.pass();
      const upToThere = log.filter(({ seq }) => seq <= upTo);
      const lines = upToThere.slice(-limit).map((entry) => JSON.stringify(entry));
      return { lines, hasMore: upToThere.length > limit };
    },
  };
  const rpc = async (): Promise<Result<unknown>> => ok(null);
  const bare = createHub({ clock, onError: (error) => errors.push(error), ...overrides });
  const hub = { ...bare, ...bare.serve({ source: spoil(source, log), rpc, ...overrides }) };
  const published: UiEvent[] = [];
  let isHeld = false;
  const publishOne = () => {
    const event = unpublished.shift();
    if (event === undefined) return;
    published.push(event);
    hub.publish(CONVERSATION, event);
  };
  const publish = (event: UiEvent) => {
    unpublished.push(event);
    if (!isHeld) publishOne();
  };
  return {
    hub,
    clock,
    log,
    errors,
    published,
    gate,
    publishing: {
      hold() {
        isHeld = true;
      },
      one: publishOne,
      release() {
        isHeld = false;
        while (unpublished.length > 0) publishOne();
      },
    },
    publishAgain(at) {
      const durable = published.filter((event) => 'seq' in event);
      const event = durable[at % Math.max(1, durable.length)];
      if (event !== undefined) hub.publish(CONVERSATION, event);
    },
    append(entry) {
      const seq = log.length + 1;
      const stamped: Entry = { seq, ts: '2026-01-01T00:00:00.000Z', ...entry };
      log.push(stamped);
      publish({ type: 'note', conversation_id: CONVERSATION, seq, entry: stamped });
    },
    live: (body) => publish(liveEvent(body, log.length)),
  };
}

export function liveEvent(body: LiveBody, after: number): UiEvent {
  return { ...body, conversation_id: CONVERSATION, after };
}

export interface HeardClient extends ClientPort {
  readonly frames: Buffer[];
  readonly closed: { code: number; reason: string }[];
  /** What `queued` answers. */
  queue: { bytes: number; events: number };
  heard(): ServerFrame[];
  /** Types of the frames heard since the last look. */
  types(): string[];
}

export function createHeardClient(): HeardClient {
  let looked = 0;
  const client: HeardClient = {
    frames: [],
    closed: [],
    queue: { bytes: 0, events: 0 },
    send: (frame) => void client.frames.push(frame),
    queued: () => client.queue,
    close: (code, reason) => void client.closed.push({ code, reason }),
    heard: () => client.frames.map((frame) => JSON.parse(frame.toString())),
    types() {
      const fresh = client.heard().slice(looked);
      looked = client.frames.length;
      return fresh.map(({ type }) => type);
    },
  };
  return client;
}

/** Lets everything that waits only for promises get as far as it can. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

function createGate(): Gate {
  let isClosed = false;
  let waiting: (() => void)[] = [];
  return {
    close() {
      isClosed = true;
    },
    async release() {
      isClosed = false;
      const passing = waiting;
      waiting = [];
      for (const pass of passing) pass();
      await settle();
    },
    async releaseOne(at) {
      const [pass] = waiting.splice(at % Math.max(1, waiting.length), 1);
      pass?.();
      await settle();
    },
    pass: () => (isClosed ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
    waiting: () => waiting.length,
  };
}

const rowOf = (id: string, lastSeq: number): ConversationRow => sampleRow({ id, last_seq: lastSeq });
