/** One open conversation: routes its signals, stores what they become, then shows it. Performs; decides nothing. */

import type { ConversationMeta } from '../../contract/conversation.ts';
import type { Entry, NewEntry } from '../../contract/entry.ts';
import type { RpcId } from '../../contract/ids.ts';
import type { DurableEvent, LiveEvent, UiEvent } from '../../contract/ui-event.ts';
import { EVENT_OF_ROLE } from '../../contract/ui-event.ts';
import type { OwnSignal, Signal } from '../../core/codex/signal.ts';
import type { TurnLifecycle } from '../../core/conversations/lifecycle.ts';
import { lampAfter, memoryOf, restore } from '../../core/conversations/reconcile.ts';
import { route } from '../../core/conversations/route.ts';
import {
  emptyThread,
  type OpenAsk,
  type Output,
  type RpcReply,
  type ThreadState,
} from '../../core/conversations/thread-state.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { createSerial } from '../../node/serial.ts';
import type { ConversationStore, Transcript } from './store.ts';

export interface SessionPorts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly digest: (text: string) => string;
  readonly store: ConversationStore;
  readonly publish: (event: UiEvent) => void;
  readonly ask: (ask: OpenAsk) => void;
  readonly unask: (approvalId: string) => void;
  readonly reply: (rpcId: RpcId, body: RpcReply) => void;
  /** From here on, signals of this thread go to this conversation: its own, or a sub-agent's. */
  readonly claim: (threadId: string) => void;
  /** A turn began or ended, or Codex repeated a message: told at once, for what must not act on an older state. */
  readonly onDecision: (decision: SessionDecision) => void;
  /** Called once per event, in order, after the entries before it are on disk. */
  readonly onLifecycle: (event: TurnLifecycle) => void;
  readonly onEntry: (entry: Entry) => void;
  /** Called once, with the newest entries that are already there. */
  readonly onRestored: (entries: readonly Entry[]) => void;
}

export type SessionDecision =
  | Extract<TurnLifecycle, { type: 'turn_started' | 'turn_ended' }>
  | { readonly type: 'echoed'; readonly id: string; readonly turnId: string; readonly itemId: string };

export interface Session {
  readonly transcript: Transcript;
  state(): ThreadState;
  accept(signal: Signal | OwnSignal): void;
  /** Stores an entry of our own; resolves when it is on disk. */
  append(entry: NewEntry): Promise<number>;
  /** Told, and stored, up to here. */
  publishedSeq(): number;
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Entries read back to know what a turn in progress has already recorded. */
const RESTORE_ENTRIES = 1_000;

/** One step of what others hear of this session: an event for clients, or a lifecycle event. */
type Outgoing =
  | { readonly event: DurableEvent; readonly stored: Promise<void> }
  | { readonly event: LiveEvent }
  | { readonly lifecycle: TurnLifecycle };

export async function openSession(meta: ConversationMeta, ports: SessionPorts): Promise<Session> {
  const { clock, store } = ports;
  const id = meta.conversation_id;
  const transcript = await store.openTranscript(id);
  const { log, reader } = transcript;
  const page = await reader.read({ limit: RESTORE_ENTRIES });
  const entries = page.lines.flatMap(parseEntry);
  ports.onRestored(entries);
  let state = restore(emptyThread(id, meta.cwd, ports.digest, meta.thread_id), entries, await store.readMemory(id));
  let publishedSeq = log.lastDurableSeq();
  /** Held back in order until the entries before them are on disk. */
  const held: Outgoing[] = [];
  let pumping: Promise<void> | null = null;
  const memories = createSerial();

  const release = (outgoing: Outgoing) => {
    if ('lifecycle' in outgoing) {
      ports.onLifecycle(outgoing.lifecycle);
      return;
    }
    if ('stored' in outgoing) publishedSeq = outgoing.event.seq;
    ports.publish(outgoing.event);
    if ('stored' in outgoing) ports.onEntry(outgoing.event.entry);
  };

  /** In order: an entry that waits for the disk holds up everything after it. */
  const pump = async () => {
    for (let next = held[0]; next !== undefined; next = held[0]) {
      if ('stored' in next) await next.stored;
      held.shift();
      release(next);
    }
    pumping = null;
  };

  const send = (outgoing: Outgoing) => {
    if (held.length === 0 && !('stored' in outgoing)) {
      release(outgoing);
      return;
    }
    held.push(outgoing);
    pumping ??= pump().catch((error: unknown) => ports.log.error({ error, id }, 'entries were not stored'));
  };

  const keep = (entry: NewEntry) => {
    const ts = new Date(clock.now()).toISOString();
    const pending = log.append((seq) => JSON.stringify({ seq, ts, ...entry }));
    const stamped: Entry = { seq: pending.seq, ts, ...entry };
    const event: DurableEvent = {
      type: EVENT_OF_ROLE[entry.role],
      conversation_id: id,
      seq: pending.seq,
      entry: stamped,
    };
    send({ event, stored: pending.done });
    return pending;
  };

  const remember = () => {
    const memory = memoryOf(state);
    memories
      .run(() => store.writeMemory(id, memory))
      .catch((error: unknown) => ports.log.warn({ error, id }, 'the memory of the turn was not written'));
  };

  const perform = (output: Output): void => {
    switch (output.do) {
      case 'append':
        keep(output.entry);
        break;
      case 'publish':
        send({ event: placed(output.event, id, log.nextSeq() - 1) });
        break;
      case 'ask':
        ports.ask(output.ask);
        break;
      case 'unask':
        ports.unask(output.approvalId);
        break;
      case 'reply':
        ports.reply(output.rpcId, output.body);
        break;
      case 'claim':
        ports.claim(output.threadId);
        break;
      case 'lifecycle': {
        const { event } = output;
        send({ lifecycle: event });
        if (event.type === 'turn_started' || event.type === 'turn_ended') ports.onDecision(event);
        break;
      }
      case 'echo': {
        const { clientMessageId, turnId, itemId } = output;
        ports.onDecision({ type: 'echoed', id: clientMessageId, turnId, itemId });
        break;
      }
      case 'remember':
        remember();
        break;
      case 'note':
        ports.log[output.level]({ id, code: output.code, data: output.data }, 'route');
        break;
      default:
        output satisfies never;
    }
  };

  for (const threadId of state.children) ports.claim(threadId);
  // A client that joins must see what was going on when we stopped.
  const lamp = state.turn === null ? lampAfter(entries, state.activity.lamp) : state.activity.lamp;
  perform({ do: 'publish', event: { type: 'activity', activity: { ...state.activity, lamp } } });
  if (state.usage !== null) perform({ do: 'publish', event: { type: 'usage', usage: state.usage } });

  return {
    transcript,
    state: () => state,
    accept(signal) {
      const step = route(state, signal, clock.now());
      state = step.state;
      for (const output of step.outputs) perform(output);
    },
    async append(entry) {
      const pending = keep(entry);
      await pending.done;
      return pending.seq;
    },
    publishedSeq: () => publishedSeq,
    async drain() {
      await log.drain();
      await pumping;
      await memories.idle();
    },
    async close() {
      await memories.idle();
      await transcript.close();
    },
  };
}

/** Deltas are written out, since they come by the thousand and copying an object by spreading costs more than all else here. */
function placed(event: Extract<Output, { do: 'publish' }>['event'], conversation_id: string, after: number): LiveEvent {
  if (!('delta' in event)) return { ...event, conversation_id, after };
  const { type, item_id, turn_id, offset, delta } = event;
  return { type, conversation_id, after, item_id, turn_id, offset, delta };
}

/** Lines of our own log: what does not parse was counted when the log was opened. */
export function parseEntry(line: string): Entry[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
