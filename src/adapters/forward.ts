/** One batch of messages: to events, to the server, and what the server said back to the broker. Nothing is answered before. */
import { createHash } from 'node:crypto';
import type { AdapterEntry } from '../contract/adapter.ts';
import type { EventAck } from '../contract/external-event.ts';
import type { Failure, Result } from '../contract/result.ts';
import { type BrokerAnswer, brokerAnswerOf } from '../core/adapters/answer-broker.ts';
import { eventOfMessage } from '../core/adapters/read-message.ts';
import type { Taken } from './queue.ts';
import type { RejectedFile } from './rejected-file.ts';

export interface ForwardPorts {
  readonly entry: AdapterEntry;
  /** Resolves when the server has answered, however long it is away; null if the adapter is to stop. */
  readonly publish: (events: readonly unknown[]) => Promise<readonly EventAck[] | null>;
  readonly rejected: RejectedFile;
  readonly now: () => number;
  readonly note: (outcome: BrokerAnswer, taken: Taken) => void;
}

/** Text that is not UTF-8 is none: what is mended silently is not what was sent. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** False: the adapter stops, and what is not answered stays with the broker. */
export async function forwardBatch(batch: readonly Taken[], ports: ForwardPorts): Promise<boolean> {
  const read = batch.map((taken) => ({ taken, event: eventOf(taken, ports) }));
  const events = read.flatMap(({ event }) => (event.ok ? [event.value] : []));
  const acks = events.length === 0 ? [] : await ports.publish(events);
  if (acks === null) return false;
  let next = 0;
  await Promise.all(
    read.map(({ taken, event }) => {
      const ack = event.ok ? acks[next++] : refusalOf(event.error);
      return ack === undefined ? undefined : answer(taken, brokerAnswerOf(ack, taken.redelivered), ports);
    }),
  );
  return true;
}

async function answer(taken: Taken, outcome: BrokerAnswer, { rejected, note }: ForwardPorts): Promise<void> {
  switch (outcome.kind) {
    case 'done':
      await taken.done();
      break;
    case 'again':
      await taken.again(outcome.afterMs);
      break;
    case 'refuse':
      await rejected.keep(taken.subject, outcome.reason, taken.body);
      await taken.refuse(outcome.reason);
      break;
    default:
      outcome satisfies never;
  }
  note(outcome, taken);
}

function eventOf({ body, subject, id }: Taken, { entry, now }: ForwardPorts): Result<unknown> {
  return eventOfMessage(
    {
      bytes: body.length,
      text: textOf(body),
      subject,
      id,
      digest: createHash('sha256').update(subject).update('\0').update(body).digest('hex'),
      takenAtMs: now(),
    },
    entry,
  );
}

function textOf(body: Uint8Array): string | null {
  try {
    return UTF8.decode(body);
  } catch {
    return null;
  }
}

const refusalOf = ({ code, message }: Failure): EventAck => ({ ok: false, code, message });
