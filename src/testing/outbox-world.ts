/**
 * For tests of the outbox: a disk, a Codex and a performer that obey its outputs one at a time, in an order the test chooses, and can be
 * killed between any two of them. Keeps its own books of what was submitted, so that it can say which law was broken.
 */
import type { DeliveryState, MessageMode } from '../contract/entry.ts';
import {
  type EventBatch,
  emptyOutbox,
  type Give,
  type OutboxInput,
  type OutboxOutput,
  type OutboxState,
} from '../core/outbox/state.ts';
import { step } from '../core/outbox/step.ts';
import { beginTurn, die, endTurn, keepAll, newCodex, takeGiven } from './outbox-codex.ts';
import { emptyDisk, recoveredFrom } from './outbox-disk.ts';
import { createJobs } from './outbox-jobs.ts';
import { faultsOf, newBooks } from './outbox-laws.ts';
import { batch, ended, IDLE } from './outbox-script.ts';

export type World = ReturnType<typeof createWorld>;

export function createWorld() {
  const disk = emptyDisk();
  const codex = newCodex();
  const books = newBooks();
  let state: OutboxState;
  const jobs = createJobs((when) => books.broken.push(`runs for ever ${when}`));
  let timers = new Set<'gather' | 'look_up'>();
  let life = 0;
  let nextRefusal: 'certain' | 'uncertain' | null = null;
  let isDiskFailing = false;
  let areEventsOn = true;
  let isReserved = false;
  let isKilled = false;

  const reserve = (next: boolean): void => {
    isReserved = next;
    input({ type: 'thread_changed', facts: { isReserved } });
  };

  const input = (one: OutboxInput): void => {
    if (one.type === 'turn_ended' && one.turnId.startsWith('own')) reserve(false);
    const next = step(state, one);
    state = next.state;
    for (const output of next.outputs) queueJob(output);
  };

  /** Jobs of a server that was killed may still reach the disk or Codex, but nobody hears of it. */
  const later = (lane: Parameters<typeof jobs.add>[0], effect: () => OutboxInput | null): void => {
    const born = life;
    jobs.add(lane, () => {
      const heard = effect();
      if (heard !== null && born === life && !isKilled) input(heard);
    });
  };

  /** A write of the sidecar that waits until everything before it is in the ledger. */
  const afterLedger = (effect: () => OutboxInput | null): void =>
    later('ledger', () => {
      later('sidecar', effect);
      return null;
    });

  const storage = (): boolean => {
    const isFine = !isDiskFailing;
    isDiskFailing = false;
    return isFine;
  };
  const FULL = { code: 'storage_full', message: 'full' } as const;

  const queueJob = (output: OutboxOutput): void => {
    switch (output.do) {
      case 'answer':
        books.submitted.get(output.id)?.answers.push(output.answer);
        break;
      case 'answer_interrupt':
        for (const id of output.ids) books.stops.set(id, { answers: (books.stops.get(id)?.answers ?? 0) + 1, life });
        break;
      case 'enqueue': {
        const { id, isFirst } = output;
        const book = books.submitted.get(id);
        // Answered as queued: from then on it is a message of the queue.
        if (book?.mode === 'steer' && isReserved) books.submitted.set(id, { ...book, mode: 'queue' });
        later('sidecar', () => {
          if (!storage()) return { type: 'queue_not_stored', id, failure: FULL };
          disk.queue = isFirst ? [id, ...disk.queue] : [...disk.queue, id];
          return { type: 'queue_stored', id };
        });
        break;
      }
      case 'remove_from_queue':
        later('sidecar', () => {
          disk.queue = disk.queue.filter((one) => one !== output.id);
          return null;
        });
        break;
      case 'pause_queue':
        later('sidecar', () => {
          disk.isPaused = output.isPaused;
          return null;
        });
        break;
      case 'load':
        later('codex', () => {
          if (codex.isAlive) return { type: 'loaded', id: output.id };
          return { type: 'not_prepared', id: output.id, failure: { code: 'codex_unavailable', message: 'gone' } };
        });
        break;
      case 'prepare':
        afterLedger(() => {
          disk.records.set(output.id, output.events);
          disk.flights.add(output.id);
          return { type: 'prepared', id: output.id, hasEvents: output.events.length > 0 };
        });
        break;
      case 'store':
        later('transcript', () => {
          if (!storage()) return { type: 'entry_not_stored', id: output.id, failure: FULL };
          if (disk.users.some((one) => one.id === output.id)) books.broken.push(`${output.id}: two user entries`);
          disk.users.push({ id: output.id, mode: output.mode });
          return { type: 'entry_stored', id: output.id };
        });
        break;
      case 'entry':
        later('transcript', () => {
          disk.deliveries.push({ id: output.id, state: output.state, turnId: output.turnId });
          return null;
        });
        break;
      case 'standing':
        later('ledger', () => {
          for (const seq of output.seqs) if (isWaiting(seq)) disk.standings.set(seq, output.standing);
          for (const seq of output.seqs) disk.sending.delete(seq);
          return null;
        });
        break;
      case 'settle':
        // Behind the ledger: as long as the sidecar names the message, its events can be noted after a crash.
        afterLedger(() => {
          disk.flights.delete(output.id);
          return null;
        });
        break;
      case 'look_up': {
        const born = life;
        later('codex', () => {
          if (!codex.isAlive) return { type: 'history_unavailable', asked: output.ids, isCodexRunning: false };
          // The history also tells what runs.
          if (codex.turn !== null && born === life) input({ type: 'turn_started', turnId: codex.turn });
          const found = codex.history
            .filter((one) => output.ids.includes(one.id))
            .map((one) => ({ ...one, itemId: 'item' }));
          // Reading the thread's file takes a while: Codex may keep more, or be killed, before the outbox hears the answer.
          if (born === life)
            later('answer', () => ({ type: 'found_in_history', asked: output.ids, found, contextOf: [] }));
          return null;
        });
        break;
      }
      case 'set_timer':
        timers.add(output.name);
        break;
      case 'give':
        give(output.give);
        break;
      case 'warn':
        break;
      default:
        output satisfies never;
    }
  };

  const give = (given: Give): void => {
    if (given.kind === 'interrupt') {
      later('codex', () => {
        const isRunning = codex.isAlive && codex.turn === given.turnId;
        if (isRunning) endTurn(codex, 'interrupted');
        return { type: 'interrupted', outcome: isRunning };
      });
      return;
    }
    const { id } = given;
    if (given.kind !== 'inject' && !disk.users.some((one) => one.id === id))
      books.broken.push(`${id}: given before it was stored`);
    if (given.kind !== 'inject') {
      request(given);
      return;
    }
    // The ledger says first that they are on their way.
    later('ledger', () => {
      for (const seq of given.events) disk.sending.set(seq, id);
      request(given);
      return null;
    });
  };

  const request = (given: Exclude<Give, { kind: 'interrupt' }>): void => {
    const { id } = given;
    const born = life;
    later('codex', () => {
      const failure = { code: 'codex_error', message: 'no' } as const;
      const refusal = nextRefusal;
      nextRefusal = null;
      if (!codex.isAlive)
        return { type: 'refused', id, failure: { code: 'codex_unavailable', message: 'gone' }, isCertain: false };
      if (refusal === 'certain') return { type: 'refused', id, failure, isCertain: true };
      const turnId = takeGiven(codex, books, given);
      if (turnId === null)
        return { type: 'refused', id, failure: { code: 'no_active_turn', message: 'late' }, isCertain: true };
      if (given.kind === 'turn' && refusal === 'uncertain') codex.signals.push({ type: 'turn_started', turnId });
      if (refusal === 'uncertain')
        return { type: 'refused', id, failure: { code: 'codex_timeout', message: 'late' }, isCertain: false };
      if (given.kind === 'turn') input({ type: 'turn_started', turnId });
      // The answer may be heard after the end of the turn, or of Codex.
      if (born === life) later('answer', () => ({ type: 'accepted', id, turnId }));
      return null;
    });
  };

  const facts = () => ({ ...IDLE, isLoaded: false, areEventsOn, isReserved });

  const boot = (): void => {
    life += 1;
    timers = new Set();
    isReserved = false;
    state = emptyOutbox(`dlv${life}`, facts());
    input(recoveredFrom(disk));
    const waiting = [...disk.standings].filter(([, { state: one }]) => one === 'queued' || one === 'held');
    const injections = [...new Set(disk.sending.values())].map((id) => {
      const seqs = [...disk.sending].filter(([, other]) => other === id).map(([seq]) => seq);
      return { id, batch: batchOf('append_to_thread', seqs) };
    });
    input({ type: 'injections_recovered', injections });
    const batches = waiting
      .filter(([seq]) => !disk.sending.has(seq))
      .map(([seq, { mode, state: one, reason }]) => ({
        ...batchOf(mode === 'turn_steer' ? 'queue_for_next_turn' : (mode as EventBatch['mode']), [seq]),
        isHeld: one === 'held' && reason === 'turned_off',
      }));
    input({ type: 'events_arrived', batches, isRecovery: true, isOverLimit: false });
    // A turn that goes on is heard of again.
    if (codex.turn !== null) input({ type: 'turn_started', turnId: codex.turn });
    if (codex.isAlive) input({ type: 'codex_ready', isAdopted: true });
  };

  const batchOf = (mode: EventBatch['mode'], seqs: readonly number[]): EventBatch =>
    batch(mode, seqs, { turnId: mode === 'turn_steer' ? state.thread.turnId : null });

  const isWaiting = (seq: number): boolean => {
    const standing = disk.standings.get(seq)?.state;
    return standing === 'queued' || standing === 'held';
  };

  const world = {
    disk,
    codex,
    perform: jobs.perform,
    hear(count: number): void {
      for (const signal of codex.signals.splice(0, count)) input(signal);
    },
    submit(mode: MessageMode): void {
      const id = `m${books.submitted.size + 1}`;
      books.submitted.set(id, { mode, answers: [], isOrdered: !state.isPaused });
      books.submissions.push(id);
      input({ type: 'submitted', id, mode, known: knownOf(id) });
    },
    repeat(pick: number): void {
      const ids = [...books.submitted.keys()];
      const id = ids[pick % Math.max(1, ids.length)] ?? '';
      const book = books.submitted.get(id);
      if (book === undefined) return;
      // One that nobody here has any more, refused or lost before it was answered, is a new submission.
      const isHere = state.pending.some((one) => one.id === id) || state.queue.some((one) => one.id === id);
      if (!isHere && knownOf(id) === null) {
        books.submissions = [...books.submissions.filter((one) => one !== id), id];
        books.submitted.set(id, { ...book, isOrdered: !state.isPaused });
      }
      input({ type: 'submitted', id, mode: book.mode, known: knownOf(id) });
    },
    work(): void {
      if (!codex.isAlive) return;
      if (codex.unkept.length > 0) keepAll(codex);
      else endTurn(codex, 'completed');
    },
    event(mode: EventBatch['mode']): void {
      books.eventCount += 1;
      const seq = books.eventCount;
      const { turnId } = state.thread;
      const wanted = mode === 'turn_steer' && turnId === null ? 'queue_for_next_turn' : mode;
      const isHeld = !areEventsOn;
      const kept = isHeld && wanted !== 'append_to_thread' ? 'queue_for_next_turn' : wanted;
      const held = { state: 'held', mode: kept, reason: 'turned_off' } as const;
      disk.standings.set(seq, isHeld ? held : { state: 'queued', mode: kept });
      input({
        type: 'events_arrived',
        batches: [{ ...batchOf(kept, [seq]), isHeld }],
        isRecovery: false,
        isOverLimit: false,
      });
    },
    /** `isKeeping`: the kill comes between the write to its history and the echo. */
    killCodex(isKeeping: boolean): void {
      if (!codex.isAlive) return;
      const turn = die(codex, isKeeping);
      // What it said before it died is heard first.
      for (const signal of codex.signals.splice(0)) input(signal);
      input({ type: 'codex_gone' });
      if (isReserved) reserve(false);
      if (turn !== null && state.thread.turnId === turn) input(ended(turn));
    },
    startCodex(): void {
      if (codex.isAlive) return;
      codex.isAlive = true;
      input({ type: 'codex_ready', isAdopted: false });
    },
    /** `reach`: how much of what was under way reaches the disk or Codex all the same. */
    killServer(reach: number): void {
      isKilled = true;
      jobs.cut(reach);
      isKilled = false;
      // Signals to a server that is gone are lost; the history is not.
      codex.signals = [];
      boot();
    },
    stop(): void {
      const id = `stop${books.stops.size + 1}`;
      books.stops.set(id, { answers: 0, life });
      input({ type: 'interrupt_requested', id });
    },
    resume: () => input({ type: 'queue_resumed' }),
    /** Any submitted message, in the queue or not, since the page may be late. It overtakes the others on purpose. */
    sendNow(pick: number): void {
      const id = books.submissions[pick % Math.max(1, books.submissions.length)] ?? '';
      const book = books.submitted.get(id);
      if (book === undefined) return;
      if (state.queue.some((one) => one.id === id)) books.submitted.set(id, { ...book, isOrdered: false });
      books.sendNows.push({ id, answered: book.answers.length, life });
      input({ type: 'send_now_requested', id });
    },
    switchEvents(): void {
      areEventsOn = !areEventsOn;
      input({ type: 'thread_changed', facts: { areEventsOn } });
    },
    fireTimers(): void {
      const due = [...timers];
      timers.clear();
      for (const name of due) input({ type: 'timer', name });
    },
    foreignTurn(): void {
      const turnId = beginTurn(codex, 'foreign');
      if (turnId !== null) input({ type: 'turn_started', turnId });
    },
    /** A shell command, a review or a compaction of ours: reserved before the request, until its turn has ended. */
    ownOperation(): void {
      if (state.thread.turnId !== null || isReserved) return;
      reserve(true);
      const born = life;
      const asked = codex.deaths;
      later('codex', () => {
        // The request ended with the Codex it was sent to.
        if (codex.deaths !== asked) return null;
        const turnId = beginTurn(codex, 'own');
        if (turnId === null && born === life) reserve(false);
        return turnId === null ? null : { type: 'turn_started', turnId };
      });
    },
    refuseNext(isCertain: boolean): void {
      nextRefusal = isCertain ? 'certain' : 'uncertain';
    },
    failDisk(): void {
      isDiskFailing = true;
    },
    /** Everything works from now on: within a bounded time nothing is left to do. */
    settle(): void {
      // While Codex is away, too, it comes to rest: nothing is tried over and over.
      jobs.runAll('while Codex was away');
      nextRefusal = null;
      isDiskFailing = false;
      world.startCodex();
      if (!areEventsOn) world.switchEvents();
      for (let round = 0; round < 400; round += 1) {
        jobs.runAll('at the end');
        for (const signal of codex.signals.splice(0)) input(signal);
        if (state.isPaused) input({ type: 'queue_resumed' });
        world.work();
        world.fireTimers();
      }
    },
    faults: (): string[] => faultsOf({ disk, codex, books, state, life }),
  };

  const knownOf = (id: string): DeliveryState | null =>
    disk.users.some((one) => one.id === id)
      ? (disk.deliveries.findLast((one) => one.id === id)?.state ?? 'sent')
      : null;

  boot();
  return world;
}
