/** Those who wait for the answer to a submission, and the answer as a caller gets it. */
import type { DeliveryState } from '../../contract/entry.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Answer } from '../../core/outbox/state.ts';

export interface Outcome {
  readonly outcome: 'started' | 'steered' | 'queued' | 'duplicate';
  readonly turnId: string | null;
  /** Of a duplicate: what became of the first one, where that is known. */
  readonly state?: DeliveryState;
}

export interface Answers {
  of(id: string): Promise<Answer>;
  /** Whoever repeated the message while it was undecided shares its answer. */
  give(id: string, given: Answer): void;
  /** To all who wait, whatever they wait for. */
  giveAll(given: Answer): void;
}

export function createAnswers(): Answers {
  const waiters = new Map<string, ((answer: Answer) => void)[]>();
  const give = (id: string, given: Answer): void => {
    const [first, ...others] = waiters.get(id) ?? [];
    waiters.delete(id);
    first?.(given);
    const same: Answer = given.outcome === 'refused' ? given : { outcome: 'duplicate', state: 'sent' };
    for (const other of others) other(same);
  };
  return {
    of: (id) => new Promise((done) => waiters.set(id, [...(waiters.get(id) ?? []), done])),
    give,
    giveAll(given) {
      for (const id of [...waiters.keys()]) give(id, given);
    },
  };
}

export function resultOf(answer: Answer, clientMessageId: string): Result<Outcome> {
  switch (answer.outcome) {
    case 'started':
    case 'steered':
      return ok({ outcome: answer.outcome, turnId: answer.turnId });
    case 'queued':
      return ok({ outcome: 'queued', turnId: null });
    case 'duplicate': {
      const { state } = answer;
      const known = state === 'queued' || state === 'stored' ? {} : { state };
      return ok({ outcome: 'duplicate', turnId: null, ...known });
    }
    case 'refused': {
      const { code, message, details } = answer.failure;
      // The transcript has the words, marked as not delivered: nobody needs to keep them.
      const stored = answer.isStored ? { stored: true, client_message_id: clientMessageId } : {};
      return fail(code, message, { ...details, ...stored });
    }
    default:
      return answer satisfies never;
  }
}
