/** For readable tests of the outbox: what it is told, step by step, and what it wants done, in a few words per output. */
import type { MessageMode } from '../contract/entry.ts';
import type { Failure } from '../contract/result.ts';
import {
  type EventBatch,
  emptyOutbox,
  type Give,
  type OutboxInput,
  type OutboxOutput,
  type OutboxState,
  type ThreadFacts,
} from '../core/outbox/state.ts';
import { step } from '../core/outbox/step.ts';

export const IDLE: ThreadFacts = {
  turnId: null,
  isLoaded: true,
  isArchived: false,
  areEventsOn: true,
  canSteer: true,
  isReserved: false,
  canInject: true,
};

export type OutboxScript = ReturnType<typeof createOutboxScript>;

export function createOutboxScript(facts: Partial<ThreadFacts> = {}) {
  let state: OutboxState = emptyOutbox('dlv', { ...IDLE, ...facts });

  const hear = (...inputs: readonly OutboxInput[]): string[] =>
    inputs.flatMap((input) => {
      const next = step(state, input);
      state = next.state;
      return next.outputs.map(wordsOf);
    });

  const submit = (id: string, mode: MessageMode = 'send'): string[] =>
    hear({ type: 'submitted', id, mode, known: null });

  /** The message is stored, and the request to Codex is out. */
  const give = (id: string, mode: MessageMode = 'send'): string[] => {
    const isOnItsWay = state.pending.some((one) => one.id === id);
    return [...(isOnItsWay ? [] : submit(id, mode)), ...finishGiving(id)];
  };

  const finishGiving = (id: string): string[] =>
    hear({ type: 'loaded', id }, { type: 'prepared', id, hasEvents: true }, { type: 'entry_stored', id });

  /** Codex runs a turn with the message and has repeated it. */
  const start = (id: string, turnId: string): string[] => [
    ...give(id),
    ...hear({ type: 'turn_started', turnId }, { type: 'accepted', id, turnId }, echo(id, turnId)),
  ];

  const arrive = (mode: EventBatch['mode'], seqs: readonly number[], change: Partial<EventBatch> = {}): string[] =>
    hear({ type: 'events_arrived', batches: [batch(mode, seqs, change)], isRecovery: false, isOverLimit: false });

  return { hear, submit, give, finishGiving, start, arrive, state: () => state };
}

export const batch = (
  mode: EventBatch['mode'],
  seqs: readonly number[],
  change: Partial<EventBatch> = {},
): EventBatch => ({ mode, seqs, hops: 0, turnId: null, isHeld: false, isBlocked: false, ...change });

export const echo = (id: string, turnId: string): OutboxInput => ({ type: 'echoed', id, turnId, itemId: 'item' });

export const ended = (turnId: string, status: 'completed' | 'interrupted' = 'completed'): OutboxInput => ({
  type: 'turn_ended',
  turnId,
  status,
});

const failure = (code: Failure['code']): Failure => ({ code, message: code });

/** Codex said no. */
export const refusedBy = (id: string, code: Failure['code'] = 'codex_error'): OutboxInput => ({
  type: 'refused',
  id,
  failure: failure(code),
  isCertain: true,
});

/** Nobody knows whether Codex has it. */
export const unanswered = (id: string, code: Failure['code'] = 'codex_timeout'): OutboxInput => ({
  type: 'refused',
  id,
  failure: failure(code),
  isCertain: false,
});

function wordsOf(output: OutboxOutput): string {
  switch (output.do) {
    case 'answer':
      return `answer ${output.id}: ${answerWords(output.answer)}`;
    case 'answer_interrupt':
      return `answer ${output.ids.join(' ')}: ${typeof output.outcome === 'boolean' ? output.outcome : output.outcome.code}`;
    case 'enqueue':
      return `enqueue ${output.id}${output.isFirst ? ' first' : ''}`;
    case 'remove_from_queue':
      return `unqueue ${output.id}`;
    case 'pause_queue':
      return output.isPaused ? 'pause the queue' : 'resume the queue';
    case 'load':
    case 'store':
      return `${output.do} ${output.id}`;
    case 'prepare':
      return `prepare ${output.id}${listed(output.events)}`;
    case 'give':
      return giveWords(output.give);
    case 'entry':
      return [output.id, output.state, ...(output.reason === null ? [] : [output.reason.code])].join(' ');
    case 'settle':
      return `context of ${output.id}: ${output.isDelivered ? 'carried' : 'waits'}`;
    case 'standing': {
      const { state, mode, reason } = output.standing;
      return `events${listed(output.seqs)}: ${[state, mode, ...(reason === undefined ? [] : [reason])].join(' ')}`;
    }
    case 'look_up':
      return `look up ${output.ids.join(' ')}`;
    case 'set_timer':
      return `timer ${output.name}`;
    case 'warn':
      return `warn ${output.code}`;
    default:
      return output satisfies never;
  }
}

const listed = (seqs: readonly number[]): string => (seqs.length === 0 ? '' : ` [${seqs.join(' ')}]`);

function answerWords(answer: Extract<OutboxOutput, { do: 'answer' }>['answer']): string {
  switch (answer.outcome) {
    case 'started':
    case 'steered':
      return `${answer.outcome} ${answer.turnId}`;
    case 'queued':
      return 'queued';
    case 'duplicate':
      return `duplicate ${answer.state}`;
    case 'refused':
      return `refused ${answer.failure.code}${answer.isStored ? ' stored' : ''}`;
    default:
      return answer satisfies never;
  }
}

function giveWords(give: Give): string {
  switch (give.kind) {
    case 'turn':
      return `turn ${give.id}${give.isUnattended ? ' unattended' : ''}`;
    case 'steer':
      return `steer ${give.id} into ${give.turnId}`;
    case 'inject':
      return `inject ${give.id}${listed(give.events)}`;
    case 'interrupt':
      return `interrupt ${give.turnId}`;
    default:
      return give satisfies never;
  }
}
