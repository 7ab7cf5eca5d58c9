/** What an adapter answers its broker for a message, by what the server said of the event. Pure. */
import type { EventAck } from '../../contract/external-event.ts';

export type BrokerAnswer =
  | { readonly kind: 'done'; readonly isDuplicate: boolean }
  /** The broker keeps the message and gives it again. */
  | { readonly kind: 'again'; readonly afterMs: number; readonly reason: string }
  /** It would be refused each time. */
  | { readonly kind: 'refuse'; readonly reason: string };

/** Sending these again does not help. Every other code may be gone later, also one that this version does not know. */
const FINAL: ReadonlySet<string> = new Set(['invalid_event', 'unknown_thread', 'too_large']);

const FIRST_AGAIN_MS = 1_000;
/** A thread that is full is looked at once a minute: a person has to make room. */
const MAX_AGAIN_MS = 60_000;

/** `redelivered`: how often the message was taken before. */
export function brokerAnswerOf(ack: EventAck, redelivered: number): BrokerAnswer {
  if (ack.ok) return { kind: 'done', isDuplicate: ack.duplicate === true };
  if (ack.code === 'duplicate_event') return { kind: 'done', isDuplicate: true };
  const reason = `${ack.code}: ${ack.message}`;
  if (FINAL.has(ack.code)) return { kind: 'refuse', reason };
  return { kind: 'again', afterMs: Math.min(MAX_AGAIN_MS, FIRST_AGAIN_MS * 2 ** Math.min(redelivered, 10)), reason };
}

/** Between two tries to reach the broker or the server. */
const FIRST_TRY_MS = 250;
const MAX_TRY_MS = 15_000;
/** A wrong credential is not mended in seconds, and each try is an entry in the log of the broker. */
const CREDENTIAL_MS = 30_000;

/** `attempt`: 0 for the first failure. `random`: 0 to 1, so that many adapters do not come back together. */
export function retryDelayMs(attempt: number, isCredentialWrong: boolean, random: number): number {
  if (isCredentialWrong) return CREDENTIAL_MS;
  return Math.round(Math.min(MAX_TRY_MS, FIRST_TRY_MS * 2 ** Math.min(attempt, 10)) * (0.75 + random / 2));
}
