/** What goes along with a message: collected inside the send lock, kept on disk before it leaves, settled when Codex has accepted it. */
import { type ContextRecord, FRAGMENT_NAMES, type Fragment, type FragmentName } from '../../contract/context.ts';
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import { carriedBy } from '../../core/context/carriers.ts';
import { type EndedCommand, pushCommand } from '../../core/context/command-buffer.ts';
import { dropInFlight, inFlightOf, settleInFlight } from '../../core/context/in-flight.ts';
import { pack } from '../../core/context/pack.ts';
import type { OutgoingContext } from '../../core/conversations/settings.ts';
import type { Logger } from '../../node/logger.ts';
import { collectOwn } from './own-sources.ts';
import type { RecordStore } from './record-store.ts';
import { endedCommandOf, type TerminalPort, terminalValuesOf } from './terminal-feed.ts';

/** Somebody who has something to tell the model. */
export interface FragmentSource {
  readonly name: FragmentName;
  /** Asked inside the conversation's send lock: two quick messages never both get the same thing. */
  collect(conversationId: ConversationId): Promise<readonly Fragment[]>;
  /** Codex has accepted a message with these. After a crash it may be told twice of the same ids. */
  settled(conversationId: ConversationId, carried: readonly Fragment[], turnId: string | null): Promise<void>;
}

/** What this room needs of a conversation. */
export interface ConversationPort {
  meta(): ConversationMeta;
  saveMeta(meta: ConversationMeta): Promise<Result<null>>;
  /** Whether the transcript has a message with this id; waits for what Codex has already told. */
  isRecorded(clientMessageId: string): Promise<boolean>;
}

interface Prepared extends OutgoingContext {
  readonly carried: readonly Fragment[];
  accepted(turnId: string | null): Promise<void>;
  /** `isKnown`: Codex said no. Otherwise nobody knows, and the transcript will tell. */
  refused(isKnown: boolean): Promise<void>;
}

export interface Context {
  addSource(source: FragmentSource): void;
  /** From now on commands that people run there go along with their next message. Answers how to stop. */
  followTerminals(terminals: TerminalPort): () => void;
  /** A command that ran elsewhere than in a terminal we follow. */
  noteCommand(conversationId: ConversationId, ended: EndedCommand): Promise<void>;
  /** Resolves when every command that has ended is on disk. */
  noted(conversationId: ConversationId): Promise<void>;
  prepare(conversationId: ConversationId, clientMessageId: string): Promise<Prepared>;
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

const NOTHING: Prepared = { carried: [], accepted: async () => undefined, refused: async () => undefined };

export function createContext(options: ContextOptions): Context {
  const { log, records } = options;
  const sources: FragmentSource[] = [];
  let terminals: TerminalPort | null = null;
  /** Commands that have ended and are not in the buffer yet: a message waits for them. */
  const noting = new Map<ConversationId, Promise<void>>();

  const own = {
    terminal: async (id: ConversationId) => (terminals === null ? null : terminalValuesOf(terminals, id)),
    peers: options.peers,
  };

  const buffer = async (id: ConversationId, ended: EndedCommand) => {
    const conversation = await options.open(id);
    if (conversation === null || !conversation.meta().context.commands) return;
    if (conversation.meta().context_memory.carried_blocks.includes(ended.blockId)) return;
    const pending = pushCommand(conversation.meta().pending_cmd_buffer, id, ended);
    const saved = await conversation.saveMeta({ ...conversation.meta(), pending_cmd_buffer: pending });
    if (!saved.ok) log.warn({ id, message: saved.error.message }, 'a command is not yet noted on disk');
  };

  const note = (id: ConversationId, task: () => Promise<void>): Promise<void> => {
    const done = (noting.get(id) ?? Promise.resolve())
      .then(task)
      .catch((error: unknown) => log.error({ error, id }, 'a command was not noted'))
      .finally(() => {
        if (noting.get(id) === done) noting.delete(id);
      });
    noting.set(id, done);
    return done;
  };

  const tellSources = async (id: ConversationId, carried: readonly Fragment[], turnId: string | null) => {
    for (const source of sources) {
      const its = carried.filter((one) => one.name === source.name);
      if (its.length === 0) continue;
      await source.settled(id, its, turnId).catch((error: unknown) => {
        log.error({ error, id, source: source.name }, 'a source was not told what was carried');
      });
    }
  };

  const settle = async (
    id: ConversationId,
    conversation: ConversationPort,
    carried: readonly Fragment[],
    turnId: string | null,
  ) => {
    await tellSources(id, carried, turnId);
    const saved = await conversation.saveMeta(settleInFlight(conversation.meta()));
    if (!saved.ok) log.warn({ id, message: saved.error.message }, 'what was carried is not yet noted on disk');
  };

  /** A message whose fate nobody knew: killed between its leaving and its answer, or not answered in time. */
  const settleLast = async (id: ConversationId, conversation: ConversationPort) => {
    const flight = conversation.meta().context_memory.in_flight;
    if (flight === null) return;
    if (await conversation.isRecorded(flight.client_message_id)) {
      const record = await records.read(id, flight.client_message_id);
      await settle(id, conversation, record?.fragments ?? [], null);
    } else await conversation.saveMeta(dropInFlight(conversation.meta()));
  };

  const collectFrom = async (source: FragmentSource, id: ConversationId): Promise<readonly Fragment[]> => {
    try {
      return await source.collect(id);
    } catch (error) {
      log.error({ error, id, source: source.name }, 'a source gave nothing');
      return [];
    }
  };

  return {
    addSource: (source) => void sources.push(source),
    followTerminals(port) {
      terminals = port;
      return port.onBlock((event) => {
        if (event.kind !== 'end' || event.block.actor !== 'user') return;
        const { conversationId: id } = event;
        void note(id, async () => buffer(id, await endedCommandOf(port, event, options.now())));
      });
    },
    noteCommand: (id, ended) => note(id, () => buffer(id, ended)),
    noted: async (id) => noting.get(id),
    recordOf: records.read,
    async prepare(id, clientMessageId) {
      const conversation = await options.open(id);
      if (conversation === null) return NOTHING;
      await noting.get(id);
      await settleLast(id, conversation);
      const wanted = FRAGMENT_NAMES.filter((name) => conversation.meta().context[name]);
      const made = await collectOwn(own, id, conversation.meta(), wanted, options.now());
      const others = sources.filter((one) => wanted.includes(one.name)).map((one) => collectFrom(one, id));
      const offered = [...made.fragments, ...(await Promise.all(others)).flat()];
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
      // Both before the message leaves: after a crash they tell what it carried, and that it must not be carried again.
      const isKept = await records.write(id, record);
      const flight = inFlightOf(clientMessageId, carried, made.values);
      const memory = { ...conversation.meta().context_memory, in_flight: flight };
      const saved = isKept && (await conversation.saveMeta({ ...conversation.meta(), context_memory: memory })).ok;
      if (!saved) return NOTHING;
      return {
        ...carriedBy(carrier, carried),
        carried,
        accepted: (turnId) => settle(id, conversation, carried, turnId),
        async refused(isKnown) {
          if (isKnown) await conversation.saveMeta(dropInFlight(conversation.meta()));
        },
      };
    },
  };
}
