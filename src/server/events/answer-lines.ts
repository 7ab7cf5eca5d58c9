/** Lines of the event socket → what is answered to each. A token is compared once per connection; the usual line is taken as it lies in the buffer. */
import { isAscii } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import { MAX_EVENT_BYTES } from '../../contract/external-event.ts';
import { type Admitted, admitParsed, admitText, maybeUnclean } from '../../core/events/admit.ts';
import { isRecord } from '../../core/text/is-record.ts';
import { isTooDeep } from '../../core/text/json-depth.ts';
import { ackOf, type Desk, noOtherThread, refusalOf } from './desk.ts';
import { type EventSender, NOT_ITS_OWN_THREAD, type Principal } from './principal.ts';

export interface Answer {
  readonly text: string;
  readonly eventId: string | undefined;
  /** When it may be given; null: at once. */
  readonly done: Promise<void> | null;
  /** It was refused for coming too fast. */
  readonly isTooFast?: boolean;
}

export interface AnswerOptions {
  readonly token: string;
  readonly desk: Desk;
  readonly sender: EventSender;
  readonly onDuplicate: 'reject' | 'drop';
}

/** The envelope, the token and the braces round them. */
export const MAX_LINE_BYTES = MAX_EVENT_BYTES + 4 * 1024;
/** `{"token":"","event":}` round the token and the event. */
const FRAME_BYTES = 21;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;

/** For one connection. The bytes it is given end with a newline. */
export function createAnswerer(options: AnswerOptions): (bytes: Buffer) => Answer[] {
  const { desk, token } = options;
  const { sender } = options;
  const principal: Principal =
    sender.kind === 'unseen' ? { kind: 'file' } : { kind: 'event_token', threadId: desk.threadId };
  const isForeign = sender.kind === 'agent' && sender.conversationId !== desk.conversationId;
  /** How the usual libraries write what stands before the event; of use once the connection has shown that it knows the token. */
  const heads = [`{"token":"${token}","event":`, `{"token": "${token}", "event": `];
  let isKnown = false;

  const take = (admitted: Admitted): Answer => {
    const eventId = admitted.event.event_id;
    const taken = desk.take(admitted, principal, 'socket');
    const done = taken.verdict === 'refused' ? null : taken.done;
    // An id that came without an escape needs none.
    if (taken.verdict === 'accepted' && admitted.verbatim !== null)
      return { text: acceptedText(desk.threadId, eventId, taken.kept.mode), eventId, done };
    const isTooFast = taken.verdict === 'refused' && taken.failure.code === 'rate_limited';
    return { text: JSON.stringify(ackOf(desk, taken, eventId, options.onDuplicate)), eventId, done, isTooFast };
  };

  const check = (given: unknown): boolean => {
    if (typeof given !== 'string') return false;
    // What was shown to be right once need not be compared in constant time again.
    isKnown = (isKnown && given === token) || isSame(given, token);
    return isKnown;
  };

  /** Any line, whole. */
  const answerLine = (text: string, bytes: number): Answer => {
    if (isTooDeep(text)) return refuse('invalid_event', 'this line is nested too deeply');
    let line: unknown;
    try {
      line = JSON.parse(text);
    } catch {
      return refuse('invalid_event', 'this line is not JSON');
    }
    if (!isRecord(line)) return refuse('invalid_event', 'a line is {"token": …, "event": {…}}');
    const eventId = isRecord(line.event) && typeof line.event.event_id === 'string' ? line.event.event_id : undefined;
    if (!check(line.token))
      return refuse('unauthorized', 'the token of external_events.json is missing or wrong', eventId);
    if (isForeign) return at(JSON.stringify(refusalOf(NOT_ITS_OWN_THREAD, eventId)), eventId);
    if (bytes - token.length - FRAME_BYTES > MAX_EVENT_BYTES) return TOO_LARGE;
    const admitted = admitParsed(line.event, maybeUnclean(text), { thread: desk.threadId });
    if (admitted.ok) return take(admitted.value);
    // For this token there is no other thread, whether it exists or not.
    if (admitted.error.details?.reason === 'wrong_thread')
      return at(JSON.stringify(refusalOf(noOtherThread(desk.threadId), eventId)), eventId);
    return at(JSON.stringify(refusalOf(admitted.error, eventId)), eventId);
  };

  /** A clean ASCII line with the usual head; null when it has to be looked at whole. */
  const answerUsual = (text: string): Answer | null => {
    const head = isKnown && !isForeign ? heads.find((one) => text.startsWith(one)) : undefined;
    if (head === undefined || !text.endsWith('}')) return null;
    const admitted = admitText(text.slice(head.length, -1), { thread: desk.threadId }, true);
    return admitted.ok ? take(admitted.value) : null;
  };

  return (bytes) => {
    const answers: Answer[] = [];
    const isClean = isAscii(bytes) && !bytes.includes(BACKSLASH) && !bytes.includes(DELETE);
    for (let from = 0, end = 0; from < bytes.length; from = end + 1) {
      end = bytes.indexOf(NEWLINE, from);
      if (isBlank(bytes, from, end)) continue;
      if (end - from > MAX_LINE_BYTES) {
        answers.push(TOO_LARGE);
        continue;
      }
      const text = isClean ? bytes.toString('latin1', from, end) : bytes.toString('utf8', from, end);
      answers.push((isClean ? answerUsual(text) : null) ?? answerLine(text, end - from));
    }
    return answers;
  };
}

/** Also one that ends as on Windows. */
function isBlank(bytes: Buffer, from: number, end: number): boolean {
  return end === from || (end === from + 1 && bytes[from] === RETURN);
}

const at = (text: string, eventId?: string): Answer => ({ text, eventId, done: null });

const refuse = (code: 'invalid_event' | 'unauthorized', message: string, eventId?: string): Answer =>
  at(JSON.stringify(refusalOf({ code, message }, eventId)), eventId);

export const TOO_LARGE: Answer = at(
  JSON.stringify(
    refusalOf({
      code: 'too_large',
      message: `an event has at most ${MAX_EVENT_BYTES} bytes`,
      details: { max_bytes: MAX_EVENT_BYTES },
    }),
  ),
);

/** An `EventAck`, written by hand since there are a hundred thousand of them in a flood. */
const acceptedText = (threadId: string, eventId: string, mode: string): string =>
  `{"ok":true,"event_id":"${eventId}","delivered":{"thread_id":"${threadId}","mode":"${mode}"}}`;

function isSame(given: string, wanted: string): boolean {
  const one = Buffer.from(given);
  const other = Buffer.from(wanted);
  return one.length === other.length && timingSafeEqual(one, other);
}
