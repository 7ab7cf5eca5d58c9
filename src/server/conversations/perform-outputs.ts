/** Performs each output of the outbox: hands it to its performer, and its outcome back to the decider as an input. */
import type { Failure } from '../../contract/result.ts';
import type { OutboxInput, OutboxOutput, OutboxState } from '../../core/outbox/state.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { Answers } from './outbox-answers.ts';
import type { Performer } from './perform-outbox.ts';
import type { StopWaiters } from './stop-waiters.ts';

interface OutputsOptions {
  readonly performer: Performer;
  readonly answers: Answers;
  readonly stops: StopWaiters;
  readonly clock: Clock;
  readonly log: Logger;
  /** For tests of crashes: called before and after each output. */
  readonly at: (when: 'before' | 'after', output: OutboxOutput['do']) => void;
}

type Accept = (input: OutboxInput) => void;

export interface OutputPerformer {
  perform(output: OutboxOutput, accept: Accept, state: OutboxState): void;
  close(): void;
}

export function createOutputPerformer(options: OutputsOptions): OutputPerformer {
  const { performer, answers, stops, clock, log } = options;
  const timers = new Map<string, Timer>();

  const setTimer = (name: 'gather' | 'look_up', ms: number, accept: Accept): void => {
    timers.get(name)?.cancel();
    timers.set(
      name,
      clock.setTimer(ms, () => accept({ type: 'timer', name })),
    );
  };

  /** An output with an outcome is over when the outcome goes back. */
  const begin = (output: OutboxOutput, accept: Accept, task: (reply: Accept) => Promise<void>): void => {
    task((input) => {
      options.at('after', output.do);
      accept(input);
    }).catch((error: unknown) => {
      log.error({ error, output }, 'an output of the outbox was not performed');
      const failed = inputOfFailure(output);
      if (failed !== null) accept(failed);
    });
  };

  const perform = (output: OutboxOutput, accept: Accept, state: OutboxState): void => {
    switch (output.do) {
      case 'answer':
        answers.give(output.id, output.answer);
        break;
      case 'answer_interrupt':
        stops.answer(output.ids, output.outcome);
        break;
      case 'enqueue':
        begin(output, accept, (reply) => performer.enqueue(output, reply));
        break;
      case 'remove_from_queue':
        performer.removeFromQueue(output);
        break;
      case 'pause_queue':
        performer.pauseQueue(output);
        break;
      case 'load':
        begin(output, accept, (reply) => performer.load(output, reply));
        break;
      case 'prepare':
        begin(output, accept, (reply) => performer.prepare(output, reply));
        break;
      case 'store':
        begin(output, accept, (reply) => performer.store(output, reply));
        break;
      case 'give':
        begin(output, accept, (reply) => performer.give(output.give, reply, stops.endOf));
        break;
      case 'look_up':
        begin(output, accept, (reply) => performer.lookUp(output, state, reply));
        break;
      case 'entry':
        performer.entry(output);
        break;
      case 'settle':
        performer.settle(output);
        break;
      case 'standing':
        performer.standing(output);
        break;
      case 'set_timer':
        setTimer(output.name, output.ms, accept);
        break;
      case 'warn':
        performer.warn(output);
        break;
      default:
        output satisfies never;
    }
  };

  return {
    perform(output, accept, state) {
      options.at('before', output.do);
      perform(output, accept, state);
      if (!HAS_OUTCOME.has(output.do)) options.at('after', output.do);
    },
    close() {
      performer.close();
      for (const timer of timers.values()) timer.cancel();
    },
  };
}

/** Outputs that are over when their outcome comes back as an input. */
const HAS_OUTCOME: ReadonlySet<OutboxOutput['do']> = new Set([
  'enqueue',
  'load',
  'prepare',
  'store',
  'give',
  'look_up',
]);

/** A bug must not leave a conversation waiting for an outcome for ever. */
function inputOfFailure(output: OutboxOutput): OutboxInput | null {
  const failure: Failure = { code: 'internal', message: 'the message could not be sent: see the log of the server' };
  switch (output.do) {
    case 'enqueue':
      return { type: 'queue_not_stored', id: output.id, failure };
    case 'load':
    case 'prepare':
      return { type: 'not_prepared', id: output.id, failure };
    case 'store':
      return { type: 'entry_not_stored', id: output.id, failure };
    case 'give':
      return output.give.kind === 'interrupt'
        ? { type: 'interrupted', outcome: failure }
        : { type: 'refused', id: output.give.id, failure, isCertain: false };
    case 'look_up':
      return { type: 'history_unavailable', asked: output.ids, isCodexRunning: true };
    default:
      return null;
  }
}
