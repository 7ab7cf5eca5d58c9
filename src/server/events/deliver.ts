/** Between a thread's ledger and the outbox of its conversation: tells the outbox what waits, and the ledger and everybody what became of it. */
import type { Fragment } from '../../contract/context.ts';
import type { EventStanding } from '../../contract/external-event.ts';
import { fragmentOf } from '../../core/context/fragment.ts';
import { pack } from '../../core/context/pack.ts';
import { EVENTS } from '../../core/context/specs.ts';
import { compactEvents } from '../../core/events/compact.ts';
import { isWaiting, type KeptEvent } from '../../core/events/ledger-state.ts';
import { TURNED_OFF } from '../../core/events/plan-delivery.ts';
import type { EventBatch } from '../../core/outbox/state.ts';
import type { Logger } from '../../node/logger.ts';
import { createKeyedSerial } from '../../node/serial.ts';
import type { Desk } from './desk.ts';
import type { ThreadsPort } from './ports.ts';

/** Events that arrived together and stand alike. */
export interface ToldGroup {
  readonly standing: EventStanding;
  readonly seqs: readonly number[];
  readonly hops: number;
  /** The turn they are about; null when they name none. */
  readonly turnId: string | null;
}

export interface Delivery {
  /** These events are in the transcript; the outbox delivers them as their mode says. */
  arrived(desk: Desk, groups: readonly ToldGroup[]): Promise<void>;
  /** Events that waited when the ledger was opened. */
  recover(desk: Desk): Promise<void>;
  /** Stores where events stand, and shows it. Events that stand so already are left alone. Rejects when it cannot be stored. */
  note(desk: Desk, seqs: readonly number[], standing: EventStanding): Promise<void>;
  /** Events as a message carries them. */
  fragments(desk: Desk, seqs: readonly number[], deliveryId: string): Promise<readonly Fragment[]>;
  /** Notes durably that they are being put into the history under this id, and returns them as the model reads them. */
  beginInjection(
    desk: Desk,
    seqs: readonly number[],
    deliveryId: string,
    hasPolicy: boolean,
  ): Promise<readonly Fragment[]>;
  /** Everything asked for so far is stored. */
  drain(): Promise<void>;
}

export interface DeliveryOptions {
  readonly threads: ThreadsPort;
  readonly tell: (desk: Desk, seqs: readonly number[], standing: EventStanding) => Promise<void>;
  readonly log: Logger;
}

/** Events read for one message; more could not be told in the bytes there are. */
const MAX_TOLD = 200;

export function createDelivery(options: DeliveryOptions): Delivery {
  const { threads, log } = options;
  /** What became of a desk's events is stored in the order in which it became so. */
  const notes = createKeyedSerial<Desk>();

  const store = async (desk: Desk, seqs: readonly number[], standing: EventStanding): Promise<void> => {
    if (seqs.length === 0) return;
    await desk.ledger.note(seqs, standing);
    await options.tell(desk, seqs, standing);
  };

  /** Delivered in which mode, each event knows itself. */
  const noteNow = async (desk: Desk, seqs: readonly number[], standing: EventStanding): Promise<void> => {
    const kept = seqs.flatMap((seq) => desk.ledger.event(seq) ?? []).filter((one) => isWaiting(one));
    if (standing.state !== 'delivered') {
      const news = kept.filter((one) => !isSame(one, standing));
      return store(
        desk,
        news.map((one) => one.event_seq),
        standing,
      );
    }
    for (const mode of new Set(kept.map((one) => one.mode))) {
      const group = kept.filter((one) => one.mode === mode).map((one) => one.event_seq);
      await store(desk, group, { ...standing, mode });
    }
  };

  const deliver = async (
    desk: Desk,
    batches: readonly EventBatch[],
    more: { isRecovery: boolean; isOverLimit: boolean },
  ) => {
    const done = await threads.deliver(desk.conversationId, { type: 'events_arrived', batches, ...more });
    if (!done.ok)
      log.warn({ thread: desk.threadId, code: done.error.code }, 'events wait: the conversation cannot be opened');
  };

  /** A sending that a crash cut off: of an injection the outbox looks into Codex's history itself. */
  const recoverSendings = async (desk: Desk, sendings: readonly KeptEvent[]): Promise<void> => {
    const injections = new Map<string, number[]>();
    for (const { delivery_id: id, mode, event_seq } of sendings) {
      if (id === undefined) continue;
      if (mode === 'append_to_thread') injections.set(id, [...(injections.get(id) ?? []), event_seq]);
      // Written by versions before there was an outbox.
      else if (await threads.hasKept(desk.conversationId, id))
        await noteNow(desk, [event_seq], { state: 'delivered', mode });
    }
    const all = [...injections].map(([id, seqs]) => ({ id, batch: batchOf('append_to_thread', seqs) }));
    if (all.length > 0) await threads.deliver(desk.conversationId, { type: 'injections_recovered', injections: all });
  };

  const text = async (desk: Desk, all: readonly number[], deliveryId: string): Promise<string> => {
    const seqs = waitingOf(desk, all);
    const told = seqs.slice(-MAX_TOLD);
    const arrived = await desk.ledger.read(told);
    return compactEvents(arrived, {
      deliveryId,
      conversationId: desk.conversationId,
      uncounted: seqs.length - told.length,
    });
  };

  return {
    async arrived(desk, groups) {
      const running = threads.status(desk.conversationId).turnId;
      const batches = groups.flatMap(({ standing, seqs, hops, turnId }): EventBatch[] => {
        const batch = batchOfKept(standing, seqs);
        return batch === null
          ? []
          : [{ ...batch, hops, turnId: batch.mode === 'turn_steer' ? (turnId ?? running) : null }];
      });
      const isOverLimit = groups.some(({ standing }) => standing.reason === 'hop_limit');
      if (batches.length > 0) await deliver(desk, batches, { isRecovery: false, isOverLimit });
    },
    async recover(desk) {
      const waiting = [...desk.ledger.events()].filter(isWaiting);
      await recoverSendings(
        desk,
        waiting.filter((one) => one.state === 'sending'),
      );
      // A steer belongs to a turn that was.
      const late = waiting.filter((one) => one.mode === 'turn_steer').map((one) => one.event_seq);
      await noteNow(desk, late, { state: 'queued', mode: 'queue_for_next_turn', reason: 'restarted' });
      const left = waiting.flatMap(({ event_seq }) => desk.ledger.event(event_seq) ?? []).filter(isWaiting);
      const isInjection = (one: KeptEvent) => one.state === 'sending' && one.mode === 'append_to_thread';
      const batches = left.filter((one) => !isInjection(one)).flatMap((one) => batchOfKept(one, [one.event_seq]) ?? []);
      if (batches.length > 0) await deliver(desk, batches, { isRecovery: true, isOverLimit: false });
    },
    note: (desk, seqs, standing) => notes.run(desk, () => noteNow(desk, seqs, standing)),
    async fragments(desk, all, deliveryId) {
      await notes.idle(desk);
      const seqs = waitingOf(desk, all);
      return seqs.length === 0 ? [] : [fragmentOf(EVENTS, await text(desk, seqs, deliveryId), seqs.map(String))];
    },
    async beginInjection(desk, all, deliveryId, hasPolicy) {
      const seqs = waitingOf(desk, all);
      const value = await text(desk, seqs, deliveryId);
      await notes.idle(desk);
      // Not through the queue: if this cannot be stored, nothing may go to Codex.
      await desk.ledger.note(seqs, { state: 'sending', mode: 'append_to_thread' }, deliveryId);
      const note = { carrier: 'additional_context', deliveryId: hasPolicy ? deliveryId : null } as const;
      return pack([fragmentOf(EVENTS, value)], note).carried;
    },
    drain: notes.allIdle,
  };
}

/** Never one that was told already, whatever the outbox believes. */
function waitingOf({ ledger }: Desk, seqs: readonly number[]): readonly number[] {
  return seqs.filter((seq) => {
    const kept = ledger.event(seq);
    return kept !== undefined && isWaiting(kept);
  });
}

const isSame = (one: EventStanding, other: EventStanding): boolean =>
  one.state === other.state && one.mode === other.mode && one.reason === other.reason;

function batchOf(mode: EventBatch['mode'], seqs: readonly number[]): EventBatch {
  return { mode, seqs, hops: 0, turnId: null, isHeld: false, isBlocked: false };
}

/** Null for what nobody has to hear of any more. */
function batchOfKept(standing: EventStanding, seqs: readonly number[]): EventBatch | null {
  const { mode, state, reason } = standing;
  if (!isWaiting(standing) || mode === 'notify_only' || mode === 'drop') return null;
  return { ...batchOf(mode, seqs), isHeld: state === 'held' && reason === TURNED_OFF };
}
