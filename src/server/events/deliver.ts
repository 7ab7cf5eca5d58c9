/** Brings events to the model: along with the next message, into the thread's history, into the running turn, or by a turn of their own. */
import type { EventStanding } from '../../contract/external-event.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { compactEvents } from '../../core/events/compact.ts';
import { isWaiting, type KeptEvent } from '../../core/events/ledger-state.ts';
import { TURNED_OFF } from '../../core/events/plan-delivery.ts';
import { eventMessageId } from '../../core/events/render-speaker.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { Desk } from './desk.ts';
import type { EventFragment, ThreadsPort } from './ports.ts';

export interface Delivery {
  /** Events that stand so are in the transcript; what their mode wants is begun. */
  arrived(desk: Desk, standings: readonly EventStanding[]): void;
  /** What was waiting when the ledger was opened: a sending that a crash cut off is looked up in what Codex kept. */
  recover(desk: Desk): Promise<void>;
  /** Whoever pressed stop does not want the next turn to start by itself. */
  turnEnded(desk: Desk, wasStopped: boolean): void;
  /** Events were turned on or off for its conversation: what waits is held, or not any more. */
  switched(desk: Desk): Promise<void>;
  /** What the next message is to carry. */
  collect(desk: Desk): Promise<readonly EventFragment[]>;
  settled(desk: Desk, seqs: readonly number[], turnId: string | null): Promise<void>;
  /** Its thread is no more. */
  forget(desk: Desk): void;
  autoTurnsInARow(desk: Desk): number;
  /** Of the automatic turns that run now. */
  runningHops(): number;
  stop(): Promise<void>;
}

export interface DeliveryOptions {
  readonly threads: ThreadsPort;
  readonly tell: (desk: Desk, seqs: readonly number[], standing: EventStanding) => Promise<void>;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What belongs together arrives together; well below the second within which a turn is to start. */
const GATHER_MS = 150;
/** Events read for one telling; more could not be told in the bytes there are. */
const MAX_TOLD = 200;
const AUTO_TURN_TEXT =
  'Events from outside arrived for this conversation; they are in the context, as data. Look at them in the light of the task so far and do what it calls for. If nothing is needed, say so in one sentence.';
const STEER_TEXT = 'Events from outside arrived while you work; they are in the context, as data.';

/** What delivery remembers of a desk; none of it need outlive the process. */
interface Progress {
  /** Only these go along with the message that is being sent. */
  chosen: ReadonlySet<number> | null;
  isOwnSend: boolean;
  autoTurnsInARow: number;
  hasWarned: boolean;
  timer: { cancel(): void } | null;
  /** One thing at a time per thread. */
  chain: Promise<unknown>;
  appending: Promise<unknown>;
}

export function createDelivery(options: DeliveryOptions): Delivery {
  const { threads, clock, log } = options;
  const progresses = new Map<Desk, Progress>();
  /** Hops of automatic turns under way. */
  const running = new Map<ConversationId, number>();
  let isStopped = false;

  const progressOf = (desk: Desk): Progress => {
    const known = progresses.get(desk);
    if (known !== undefined) return known;
    const fresh: Progress = {
      chosen: null,
      isOwnSend: false,
      autoTurnsInARow: 0,
      hasWarned: false,
      timer: null,
      chain: Promise.resolve(),
      appending: Promise.resolve(),
    };
    progresses.set(desk, fresh);
    return fresh;
  };

  const inOrder = (desk: Desk, task: () => Promise<void>): Promise<void> => {
    const progress = progressOf(desk);
    const next = progress.chain.then(async () => {
      if (!isStopped) await task();
    });
    progress.chain = next.catch((error: unknown) => log.error({ error, thread: desk.threadId }, 'delivery'));
    return next;
  };

  const note = async (desk: Desk, seqs: readonly number[], standing: EventStanding, deliveryId?: string) => {
    if (seqs.length === 0) return;
    await desk.ledger.note(seqs, standing, deliveryId);
    if (standing.state !== 'sending') await options.tell(desk, seqs, standing);
  };

  const waitingIn = (desk: Desk, fits: (kept: KeptEvent) => boolean): KeptEvent[] =>
    [...desk.ledger.events()].filter((kept) => isWaiting(kept) && fits(kept));

  const isRunning = (desk: Desk) => threads.status(desk.conversationId).turnId !== null;

  const areOn = (desk: Desk) => threads.status(desk.conversationId).areEventsOn;

  /** What waits says whether it may go along. Also for a switch that was turned just before a kill. */
  const level = async (desk: Desk): Promise<void> => {
    const isOn = areOn(desk);
    const standing = isOn ? ({ state: 'queued' } as const) : ({ state: 'held', reason: TURNED_OFF } as const);
    const isHeldBySwitch = (kept: KeptEvent) => kept.state === 'held' && kept.reason === TURNED_OFF;
    const others = () => waitingIn(desk, (one) => one.state !== 'sending' && isHeldBySwitch(one) === isOn);
    let count = 0;
    for (const mode of ['append_to_thread', 'queue_for_next_turn'] as const) {
      // Looked for anew: while the first are noted, a message may have taken the others along.
      const group = others().filter((one) => (one.mode === 'append_to_thread') === (mode === 'append_to_thread'));
      count += group.length;
      const seqs = group.map((one) => one.event_seq);
      await note(desk, seqs, { ...standing, mode });
    }
    if (isOn && count > 0) await appendHeld(desk);
  };

  const textOf = async (desk: Desk, waiting: readonly KeptEvent[], deliveryId: string): Promise<string> => {
    const seqs = waiting.slice(-MAX_TOLD).map((kept) => kept.event_seq);
    const arrived = await desk.ledger.read(seqs);
    return compactEvents(arrived, { deliveryId, threadId: desk.threadId, uncounted: waiting.length - seqs.length });
  };

  /** Into the history, when nothing runs: in a running turn it would be read at once. */
  const appendHeld = async (desk: Desk): Promise<void> => {
    const progress = progressOf(desk);
    const before = progress.appending;
    // Asked for by a message and by the end of a turn at once, each event still goes in once.
    const next = before.then(() => appendNow(desk));
    progress.appending = next.catch(() => undefined);
    await next;
  };

  const appendNow = async (desk: Desk): Promise<void> => {
    const { isLoaded, turnId, areEventsOn } = threads.status(desk.conversationId);
    const waiting = waitingIn(desk, (kept) => kept.mode === 'append_to_thread' && kept.state !== 'sending');
    if (waiting.length === 0 || !isLoaded || turnId !== null || !areEventsOn) return;
    const seqs = waiting.map((kept) => kept.event_seq);
    const deliveryId = options.newId();
    const text = await textOf(desk, waiting, deliveryId);
    await note(desk, seqs, { state: 'sending', mode: 'append_to_thread' }, deliveryId);
    const done = await threads.inject(desk.conversationId, { deliveryId, text });
    if (done.ok) return note(desk, seqs, { state: 'appended', mode: 'append_to_thread' });
    const held: EventStanding = { state: 'held', mode: 'append_to_thread', reason: done.error.code };
    // That it waits for the same reason as after the turn before is no news.
    const isNews = waiting.some((kept) => kept.state !== 'held' || kept.reason !== held.reason);
    await (isNews ? note(desk, seqs, held) : desk.ledger.note(seqs, held));
  };

  const steer = async (desk: Desk): Promise<void> => {
    const waiting = waitingIn(desk, (kept) => kept.mode === 'turn_steer');
    if (waiting.length === 0) return;
    // Words of ours that point at events the model will not be given are worse than none.
    if (!areOn(desk)) return level(desk);
    const seqs = waiting.map((kept) => kept.event_seq);
    const progress = progressOf(desk);
    progress.chosen = new Set(seqs);
    progress.isOwnSend = true;
    const message = { text: STEER_TEXT, clientMessageId: eventMessageId('steer', options.newId()) };
    const steered = isRunning(desk) ? await threads.steer(desk.conversationId, message) : null;
    progress.chosen = null;
    progress.isOwnSend = false;
    if (steered?.ok === true) return;
    // The turn ended first, or cannot be steered: then with the next message.
    const left = seqs.filter((seq) => desk.ledger.event(seq)?.state !== 'delivered');
    const reason = steered?.error.code ?? 'no_active_turn';
    await note(desk, left, { state: 'queued', mode: 'queue_for_next_turn', reason });
  };

  const startTurn = async (desk: Desk): Promise<void> => {
    const waiting = waitingIn(desk, (kept) => kept.mode === 'auto_turn');
    if (waiting.length === 0 || isRunning(desk)) return;
    if (!areOn(desk)) return level(desk);
    const seqs = waiting.map((kept) => kept.event_seq);
    const progress = progressOf(desk);
    const deliveryId = options.newId();
    const events = await desk.ledger.read(seqs.slice(-MAX_TOLD));
    const hops = 1 + Math.max(0, ...events.map(({ event }) => event.routing.hops ?? 0));
    await note(desk, seqs, { state: 'sending', mode: 'auto_turn' }, deliveryId);
    running.set(desk.conversationId, hops);
    progress.isOwnSend = true;
    progress.autoTurnsInARow += 1;
    const message = { text: AUTO_TURN_TEXT, clientMessageId: eventMessageId('turn', deliveryId) };
    const started = await threads.startTurn(desk.conversationId, message);
    progress.isOwnSend = false;
    if (started.ok) return;
    running.delete(desk.conversationId);
    progress.autoTurnsInARow -= 1;
    const left = seqs.filter((seq) => desk.ledger.event(seq)?.state === 'sending');
    if (started.error.code === 'conflict') {
      // Somebody was quicker: their turn carries them, or the next try does.
      await desk.ledger.note(left, { state: 'queued', mode: 'auto_turn' });
      return;
    }
    log.warn({ thread: desk.threadId, code: started.error.code }, 'an automatic turn was refused');
    await note(desk, left, { state: 'queued', mode: 'queue_for_next_turn', reason: started.error.code });
  };

  const gather = (desk: Desk): void => {
    const progress = progressOf(desk);
    progress.timer ??= clock.setTimer(GATHER_MS, () => {
      progress.timer = null;
      void inOrder(desk, () => startTurn(desk));
    });
  };

  const warnOfLoop = (desk: Desk): void => {
    const progress = progressOf(desk);
    if (progress.hasWarned) return;
    progress.hasWarned = true;
    const warning = {
      role: 'warning',
      code: 'event_loop',
      text: 'Events wanted to start one more turn by themselves after several in a row: they wait for your next message instead.',
    } as const;
    threads
      .append(desk.conversationId, warning)
      .catch((error: unknown) => log.warn({ error, thread: desk.threadId }, 'a warning is not in the transcript'));
  };

  return {
    arrived(desk, standings) {
      const modes = new Set(standings.map(({ mode }) => mode));
      if (modes.has('turn_steer')) void inOrder(desk, () => steer(desk));
      if (modes.has('append_to_thread')) void inOrder(desk, () => appendHeld(desk));
      if (modes.has('auto_turn')) gather(desk);
      if (standings.some(({ reason }) => reason === 'hop_limit')) warnOfLoop(desk);
    },
    async recover(desk) {
      for (const kept of waitingIn(desk, (one) => one.state === 'sending')) {
        const { delivery_id, mode, event_seq } = kept;
        const isKept = delivery_id !== undefined && (await threads.hasKept(desk.conversationId, delivery_id));
        // A message may have taken it along meanwhile.
        if (desk.ledger.event(event_seq)?.state !== 'sending') continue;
        const state = mode === 'append_to_thread' ? 'appended' : 'delivered';
        await note(desk, [event_seq], isKept ? { state, mode } : { state: 'queued', mode });
      }
      // A steer belongs to a turn that was; a turn of their own is still wanted.
      const late = waitingIn(desk, (one) => one.mode === 'turn_steer').map((one) => one.event_seq);
      await note(desk, late, { state: 'queued', mode: 'queue_for_next_turn', reason: 'restarted' });
      await level(desk);
      if (waitingIn(desk, (one) => one.mode === 'auto_turn').length > 0) gather(desk);
    },
    switched: (desk) => inOrder(desk, () => level(desk)),
    turnEnded(desk, wasStopped) {
      running.delete(desk.conversationId);
      void inOrder(desk, () => appendHeld(desk));
      const wanted = waitingIn(desk, (kept) => kept.mode === 'auto_turn').map((kept) => kept.event_seq);
      const held: EventStanding = { state: 'queued', mode: 'queue_for_next_turn', reason: 'stopped' };
      if (wasStopped) void inOrder(desk, () => note(desk, wanted, held));
      else if (wanted.length > 0) gather(desk);
    },
    async collect(desk) {
      const progress = progressOf(desk);
      if (!progress.isOwnSend) {
        progress.autoTurnsInARow = 0;
        progress.hasWarned = false;
      }
      // The thread is loaded by now, so what waited for that goes into its history before the turn begins.
      await appendHeld(desk);
      const { chosen } = progress;
      const waiting = waitingIn(desk, (kept) => {
        if (kept.mode === 'append_to_thread') return false;
        return chosen === null || chosen.has(kept.event_seq);
      });
      if (waiting.length === 0) return [];
      const deliveryId = waiting.findLast((kept) => kept.delivery_id !== undefined)?.delivery_id ?? options.newId();
      const value = await textOf(desk, waiting, deliveryId);
      return [{ value, ids: waiting.map((kept) => String(kept.event_seq)) }];
    },
    async settled(desk, seqs, turnId) {
      const told = seqs.filter((seq) => {
        const kept = desk.ledger.event(seq);
        return kept !== undefined && isWaiting(kept);
      });
      const modes = new Set(told.map((seq) => desk.ledger.event(seq)?.mode ?? 'queue_for_next_turn'));
      for (const mode of modes) {
        const group = told.filter((seq) => desk.ledger.event(seq)?.mode === mode);
        await note(desk, group, { state: 'delivered', mode, ...(turnId !== null && { turn_id: turnId }) });
      }
    },
    forget(desk) {
      progresses.get(desk)?.timer?.cancel();
      progresses.delete(desk);
      running.delete(desk.conversationId);
    },
    autoTurnsInARow: (desk) => progressOf(desk).autoTurnsInARow,
    runningHops: () => (running.size === 0 ? 0 : Math.max(...running.values())),
    async stop() {
      isStopped = true;
      for (const { timer, chain } of progresses.values()) {
        timer?.cancel();
        await chain;
      }
    },
  };
}
