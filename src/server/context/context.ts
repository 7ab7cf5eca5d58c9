/** What goes along with a message: collected before it goes, kept on disk, and settled when Codex has the message, or has not. */
import { type CommandBuffer, type ContextRecord, FRAGMENT_NAMES, type Fragment } from '../../contract/context.ts';
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { fail, type Result } from '../../contract/result.ts';
import type { TerminalKey } from '../../contract/terminal.ts';
import { carriedBy, type OutgoingContext } from '../../core/context/carriers.ts';
import { askAbout, dropAsked, type EndedCommand, pushCommand } from '../../core/context/command-buffer.ts';
import {
  addInFlight,
  deliveryIdOf,
  dropInFlight,
  inFlightOf,
  settleInFlight,
  withInFlight,
} from '../../core/context/in-flight.ts';
import { pack } from '../../core/context/pack.ts';
import { createKeyedQueue } from '../../node/keyed-queue.ts';
import type { Logger } from '../../node/logger.ts';
import { collectOwn } from './own-sources.ts';
import type { RecordStore } from './record-store.ts';
import { endedCommandOf, type TerminalPort, terminalValuesOf } from './terminal-feed.ts';

/** The events that go along with a message, as fragments. */
export type EventFragments = (
  conversationId: ConversationId,
  events: readonly number[],
  deliveryId: string,
) => Promise<readonly Fragment[]>;

/** What the context needs of a conversation. */
export interface ConversationPort {
  meta(): ConversationMeta;
  changeMeta(change: (meta: ConversationMeta) => ConversationMeta): Promise<Result<null>>;
}

interface Prepared extends OutgoingContext {
  readonly carried: readonly Fragment[];
}

/** A command, and the terminal of the conversation it ran in. */
interface AskedCommand {
  readonly id: ConversationId;
  readonly terminal: TerminalKey;
  readonly blockId: string;
}

export interface Context {
  /** Where the fragments of events come from. */
  readEventsWith(fragmentsOf: EventFragments): void;
  /** From now on commands that people run there go along with their next message. Answers how to stop. */
  followTerminals(terminals: TerminalPort): () => void;
  /** A command that ran elsewhere than in a terminal we follow. */
  noteCommand(conversationId: ConversationId, ended: EndedCommand): Promise<void>;
  /** Whether a person asks about a command of the terminal: it goes along with the next message, or no more. */
  setAsked(command: AskedCommand, isAsked: boolean): Promise<Result<null>>;
  /** Resolves when every command that has ended is on disk. */
  noted(conversationId: ConversationId): Promise<void>;
  /** `events`: places in the ledger of those that go along. One message at a time per conversation. */
  prepare(conversationId: ConversationId, clientMessageId: string, events: readonly number[]): Promise<Prepared>;
  /** Codex has the message, or has not: what it carried is done with, or waits for the next one. */
  settle(conversationId: ConversationId, clientMessageId: string, isDelivered: boolean): Promise<void>;
  /** The events a message carried: places in the ledger. */
  eventsOf(conversationId: ConversationId, clientMessageId: string): Promise<readonly number[]>;
  /** Exactly what went with a message; null when nothing did. */
  recordOf(conversationId: ConversationId, clientMessageId: string): Promise<ContextRecord | null>;
}

export interface ContextOptions {
  readonly open: (id: ConversationId) => Promise<ConversationPort | null>;
  readonly records: RecordStore;
  /** Names of the others on the board. */
  readonly peers: (id: ConversationId) => Promise<readonly string[]>;
  /** Whether the Codex that runs takes `additionalContext`. */
  readonly hasAdditionalContext: () => Promise<boolean>;
  readonly newDeliveryId: () => string;
  readonly now: () => number;
  readonly log: Logger;
}

const NOTHING: Prepared = { carried: [] };

export function createContext(options: ContextOptions): Context {
  const { log, records } = options;
  let eventFragments: EventFragments | null = null;
  let terminals: TerminalPort | null = null;
  /** Commands that have ended and are not in the buffer yet: a message waits for them. */
  const noting = createKeyedQueue<ConversationId>((error, id) => log.error({ error, id }, 'a command was not noted'));

  const own = {
    terminal: async (id: ConversationId) => (terminals === null ? null : terminalValuesOf(terminals, id)),
    peers: options.peers,
  };

  const buffer = async (id: ConversationId, ended: EndedCommand) => {
    const conversation = await options.open(id);
    if (conversation === null || !conversation.meta().context.commands) return;
    if (conversation.meta().context_memory.carried_blocks.includes(ended.blockId)) return;
    const saved = await conversation.changeMeta((meta) => ({
      ...meta,
      pending_cmd_buffer: pushCommand(meta.pending_cmd_buffer, id, ended),
    }));
    if (!saved.ok) log.warn({ id, message: saved.error.message }, 'a command is not yet noted on disk');
  };

  const saveBuffer = async (id: ConversationId, change: (buffer: CommandBuffer | null) => CommandBuffer | null) => {
    const conversation = await options.open(id);
    if (conversation === null) return fail('unknown_conversation', `there is no conversation ${id}`);
    return conversation.changeMeta((meta) => ({ ...meta, pending_cmd_buffer: change(meta.pending_cmd_buffer) }));
  };

  const setAsked: Context['setAsked'] = async ({ id, terminal, blockId }, isAsked) => {
    if (!isAsked) return saveBuffer(id, (buffer) => dropAsked(buffer, blockId));
    const found = await terminals?.block(terminal, blockId);
    if (terminals === null || found === undefined || !found.ok)
      return fail('not_found', `there is no command ${blockId}`);
    const block = { terminal, shellId: null, block: found.value };
    const asked = await endedCommandOf(terminals, block, options.now());
    await noting.idle(id);
    const conversation = await options.open(id);
    const next = askAbout(conversation?.meta().pending_cmd_buffer ?? null, id, asked);
    if (next === null)
      return fail('conflict', 'five commands are asked about already: send the message, or remove one');
    return saveBuffer(id, (buffer) => askAbout(buffer, id, asked) ?? buffer);
  };

  const collectEvents = async (
    id: ConversationId,
    clientMessageId: string,
    events: readonly number[],
  ): Promise<readonly Fragment[]> => {
    if (events.length === 0 || eventFragments === null) return [];
    try {
      return await eventFragments(id, events, deliveryIdOf(clientMessageId));
    } catch (error) {
      log.error({ error, id }, 'events could not be read for a message');
      return [];
    }
  };

  return {
    readEventsWith(fragmentsOf) {
      eventFragments = fragmentsOf;
    },
    followTerminals(port) {
      terminals = port;
      return port.onBlock((event) => {
        if (event.kind !== 'end' || event.block.actor !== 'user') return;
        const { conversationId: id } = event;
        void noting.add(id, async () =>
          buffer(id, await endedCommandOf(port, { ...event, terminal: id }, options.now())),
        );
      });
    },
    noteCommand: (id, ended) => noting.add(id, () => buffer(id, ended)),
    setAsked,
    noted: noting.idle,
    recordOf: records.read,
    async eventsOf(id, clientMessageId) {
      const record = await records.read(id, clientMessageId);
      const told = (record?.fragments ?? []).filter((one) => one.name === 'events');
      return told.flatMap((one) => one.ids.map(Number));
    },
    async prepare(id, clientMessageId, events) {
      const conversation = await options.open(id);
      if (conversation === null) return NOTHING;
      await noting.idle(id);
      // What is on its way counts as told: a second message does not carry it again.
      const meta = withInFlight(conversation.meta());
      const wanted = FRAGMENT_NAMES.filter((name) => meta.context[name]);
      const made = await collectOwn(own, id, meta, wanted, options.now());
      const told = wanted.includes('events') ? await collectEvents(id, clientMessageId, events) : [];
      const offered = [...made.fragments, ...told];
      if (offered.length === 0) return NOTHING;
      const carrier = (await options.hasAdditionalContext()) ? 'additional_context' : 'sentinel';
      const deliveryId = wanted.includes('policy') ? options.newDeliveryId() : null;
      const { carried, leftOut } = pack(offered, { carrier, deliveryId });
      const record: ContextRecord = {
        client_message_id: clientMessageId,
        at: new Date(options.now()).toISOString(),
        carrier,
        fragments: [...carried],
        left_out: leftOut,
      };
      // Both before the message goes: after a crash they say what it carried, and that it must not be carried again.
      const isKept = await records.write(id, record);
      const flight = inFlightOf(clientMessageId, carried, made.values);
      const saved = isKept && (await conversation.changeMeta((meta) => addInFlight(meta, flight))).ok;
      return saved ? { ...carriedBy(carrier, carried), carried } : NOTHING;
    },
    async settle(id, clientMessageId, isDelivered) {
      const conversation = await options.open(id);
      const meta = conversation?.meta();
      if (
        conversation == null ||
        !meta?.context_memory.in_flight.some((one) => one.client_message_id === clientMessageId)
      )
        return;
      const change = isDelivered ? settleInFlight : dropInFlight;
      const saved = await conversation.changeMeta((now) => change(now, clientMessageId));
      if (!saved.ok) log.warn({ id, message: saved.error.message }, 'what a message carried is not yet noted on disk');
    },
  };
}
