/** `events.sock` of one thread: a line of JSON with its token in, a line of acknowledgment out, in order, many at once. */
import { timingSafeEqual } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { MAX_EVENT_BYTES } from '../../contract/external-event.ts';
import { admitParsed, isRecord } from '../../core/events/admit.ts';
import type { Logger } from '../../node/logger.ts';
import { ackOf, type Desk, refusalOf, settled, type Taken } from './desk.ts';

export interface EventSocket {
  stop(): Promise<void>;
}

export interface EventSocketOptions {
  readonly path: string;
  readonly token: string;
  readonly desk: Desk;
  readonly onDuplicate: 'reject' | 'drop';
  readonly log: Logger;
}

/** The envelope, the token and the braces round them. */
const MAX_LINE_BYTES = MAX_EVENT_BYTES + 4 * 1024;
/** Producers of one thread; beyond it something loops. */
const MAX_CONNECTIONS = 256;
/** A producer that does not read its answers is not read either. */
const MAX_UNREAD_ANSWERS = 1024 * 1024;
/** `{"token":"","event":}` round the token and the event. */
const FRAME_BYTES = 21;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

export async function openEventSocket(options: EventSocketOptions): Promise<EventSocket> {
  const open = new Set<Socket>();
  // Half open: a producer that has sent all it has (`nc -N`) closes its side and still waits for its answers.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    serve(socket, options);
  });
  server.maxConnections = MAX_CONNECTIONS;
  // What an earlier run left there is not listening any more: the folder is ours and the home is locked.
  await rm(options.path, { force: true });
  await new Promise<void>((done, refuse) => {
    server.once('error', refuse);
    server.listen(options.path, () => done());
  });
  server.on('error', (error) => options.log.warn({ error, path: options.path }, 'the event socket'));
  await chmod(options.path, 0o600);
  return {
    async stop() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const socket of open) socket.destroy();
      await closed;
      await rm(options.path, { force: true });
    },
  };
}

function serve(socket: Socket, options: EventSocketOptions): void {
  let rest: Buffer = Buffer.alloc(0);
  let isSkipping = false;
  /** A token this connection has shown to be right need not be compared in constant time again. */
  let knownToken: string | null = null;
  let answers: Promise<void> = Promise.resolve();

  const check = (token: unknown): boolean => {
    if (typeof token !== 'string') return false;
    if (token === knownToken) return true;
    if (!isSame(token, options.token)) return false;
    knownToken = token;
    return true;
  };

  socket.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const batch: Answer[] = [];
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE, from); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      const isTooLong = isSkipping || end - from > MAX_LINE_BYTES;
      isSkipping = false;
      if (isTooLong) batch.push(TOO_LARGE);
      else if (!isBlank(bytes, from, end))
        batch.push(answerLine(bytes.toString('latin1', from, end), bytes, from, end, check, options));
      from = end + 1;
    }
    rest = bytes.subarray(from);
    if (rest.length > MAX_LINE_BYTES) {
      isSkipping = true;
      rest = Buffer.alloc(0);
    }
    if (batch.length > 0) answers = answers.then(() => send(socket, batch, options));
  });
  socket.on('end', () => {
    // Nothing more will come, so that a last line without an end is one too.
    const last: Answer[] = [];
    if (isSkipping) last.push(TOO_LARGE);
    else if (!isBlank(rest, 0, rest.length))
      last.push(answerLine(rest.toString('latin1'), rest, 0, rest.length, check, options));
    void answers.then(() => send(socket, last, options)).then(() => socket.end());
  });
}

/** Also the end of a line that was written on Windows. */
function isBlank(bytes: Buffer, from: number, end: number): boolean {
  return end === from || (end === from + 1 && bytes[from] === RETURN);
}

type Answer = { readonly text: string } | { readonly taken: Taken; readonly eventId: string | undefined };

const TOO_LARGE: Answer = {
  text: JSON.stringify(
    refusalOf({
      code: 'too_large',
      message: `an event has at most ${MAX_EVENT_BYTES} bytes`,
      details: { max_bytes: MAX_EVENT_BYTES },
    }),
  ),
};

/** Latin-1 is the quick way to read a line; it is right when the line is ASCII, else it is read again as what it is. */
function answerLine(
  quick: string,
  bytes: Buffer,
  from: number,
  end: number,
  check: (token: unknown) => boolean,
  options: EventSocketOptions,
): Answer {
  const text = NOT_ASCII.test(quick) ? bytes.toString('utf8', from, end) : quick;
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
  if (end - from - options.token.length - FRAME_BYTES > MAX_EVENT_BYTES) return TOO_LARGE;
  const event = admitParsed(line.event, MAYBE_UNCLEAN.test(text), { thread: options.desk.threadId });
  if (!event.ok) {
    const isElsewhere = event.error.details?.reason === 'wrong_thread';
    // This token says nothing about another thread, whether it exists or not.
    if (isElsewhere) return refuse('unauthorized', 'this token is for another thread', eventId);
    return { text: JSON.stringify(refusalOf(event.error, eventId)) };
  }
  const principal = { kind: 'event_token', threadId: options.desk.threadId } as const;
  return { taken: options.desk.take(event.value, principal, 'socket'), eventId };
}

const NOT_ASCII = /[^\x00-\x7f]/;
/** See `admitText`: what has none of these needs no cleaning. */
const MAYBE_UNCLEAN = /\\[ubfr]|__proto__|constructor|prototype|[^\x00-\x7e]/;

const refuse = (code: 'invalid_event' | 'unauthorized', message: string, eventId?: string): Answer => ({
  text: JSON.stringify(refusalOf({ code, message }, eventId)),
});

/** One write for all answers of one read, once the last of them is durable. */
async function send(socket: Socket, batch: readonly Answer[], options: EventSocketOptions): Promise<void> {
  let text = '';
  const isStored = await isLastStored(batch);
  for (const answer of batch) {
    if ('text' in answer) text += `${answer.text}\n`;
    else {
      const taken = isStored ? answer.taken : await settled(answer.taken);
      text += `${JSON.stringify(ackOf(options.desk, taken, answer.eventId, options.onDuplicate))}\n`;
    }
  }
  if (socket.destroyed || text === '') return;
  socket.write(text);
  if (socket.writableLength > MAX_UNREAD_ANSWERS) {
    socket.pause();
    socket.once('drain', () => socket.resume());
  }
}

/** The ledger stores in order, so that one wait is enough for all; where it fails, each is asked for itself. */
async function isLastStored(batch: readonly Answer[]): Promise<boolean> {
  const last = batch.findLast((answer) => 'taken' in answer && answer.taken.verdict !== 'refused');
  if (last === undefined || !('taken' in last)) return true;
  return (await settled(last.taken)).verdict !== 'refused';
}

function isSame(given: string, wanted: string): boolean {
  const one = Buffer.from(given);
  const other = Buffer.from(wanted);
  return one.length === other.length && timingSafeEqual(one, other);
}
