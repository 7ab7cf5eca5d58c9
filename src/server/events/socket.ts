/** `events.sock` of one thread: a line of JSON with its token in, a line of acknowledgment out, in order, many at once. */

import { chmod, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import type { Logger } from '../../node/logger.ts';
import { createSerial } from '../../node/serial.ts';
import { type Answer, type AnswerOptions, createAnswerer, MAX_LINE_BYTES, TOO_LARGE } from './answer-lines.ts';
import { NOT_STORED, refusalOf } from './desk.ts';
import type { EventSender, FindSender } from './principal.ts';

export interface EventSocket {
  stop(): Promise<void>;
}

export interface EventSocketOptions extends Omit<AnswerOptions, 'sender'> {
  readonly path: string;
  /** Whether there is something that matters more than a flood of events. */
  readonly givesWay: () => boolean;
  readonly findSender: FindSender;
  readonly log: Logger;
}

/** Producers of one thread; beyond it something loops. */
const MAX_CONNECTIONS = 256;
/** So long nothing more is read from a producer that was told to wait: refusing a flood must not cost as much as taking it. */
const TOO_FAST_MS = 10;
/** Read at once, it is no single event. */
const FLOOD_BYTES = 16 * 1024;
/** As long as it takes to read a flood's next piece: the other half of the time is everybody else's. */
const GIVE_WAY_MS = 1;
/** Of one producer. */
const MAX_UNREAD_ANSWERS = 1024 * 1024;
const NEWLINE = 0x0a;
const LINE_END = Buffer.from([NEWLINE]);

export async function openEventSocket(options: EventSocketOptions): Promise<EventSocket> {
  const open = new Set<Socket>();
  // Half open: a producer that has sent all it has (`nc -N`) closes its side and still waits for its answers.
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    // At once and not with the first line: a producer that does not wait for its answer closes its end soon.
    void options.findSender(socket).then((sender) => {
      serve(socket, sender, options);
      socket.resume();
    });
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

function serve(socket: Socket, sender: EventSender, options: EventSocketOptions): void {
  const answerLines = createAnswerer({ ...options, sender });
  let rest: Buffer = Buffer.alloc(0);
  /** The line that goes on is too long already. */
  let isSkipping = false;
  const sending = createSerial();
  /** Characters of answers that wait for the disk. */
  let waiting = 0;
  const answer = (answers: readonly Answer[]): void => {
    if (answers.length === 0) return;
    const length = answers.reduce((sum, { text }) => sum + text.length, 0);
    waiting += length;
    void sending.run(async () => {
      await send(socket, answers);
      waiting -= length;
    });
  };
  /** Who does not take its answers, or cannot be given them, is not read either. */
  const goOn = (): void => {
    if (waiting > MAX_UNREAD_ANSWERS) void sending.idle().then(goOn);
    else if (socket.writableLength > MAX_UNREAD_ANSWERS) socket.once('drain', () => socket.resume());
    else socket.resume();
  };

  socket.on('data', (chunk: Buffer) => {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const answers: Answer[] = [];
    if (isSkipping) {
      const end = bytes.indexOf(NEWLINE);
      isSkipping = end < 0;
      bytes = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 1);
      if (!isSkipping) answers.push(TOO_LARGE);
    }
    const whole = bytes.lastIndexOf(NEWLINE) + 1;
    if (whole > 0) answers.push(...answerLines(bytes.subarray(0, whole)));
    rest = bytes.subarray(whole);
    if (rest.length > MAX_LINE_BYTES) {
      isSkipping = true;
      rest = Buffer.alloc(0);
    }
    answer(answers);
    // One read per turn of the event loop: else a flood is read for as long as there is some, and nobody else is served.
    socket.pause();
    const isFlood = chunk.length >= FLOOD_BYTES;
    if (answers.some(({ isTooFast }) => isTooFast)) setTimeout(goOn, TOO_FAST_MS);
    else if (isFlood && options.givesWay()) setTimeout(goOn, GIVE_WAY_MS);
    else setImmediate(goOn);
  });
  socket.on('end', () => {
    // Nothing more will come: a last line without an end is one too.
    if (isSkipping) answer([TOO_LARGE]);
    else if (rest.length > 0) answer(answerLines(Buffer.concat([rest, LINE_END])));
    void sending.idle().then(() => socket.end());
  });
}

/** Each answer when it may be given, in order; what may be given at once goes in one write. */
async function send(socket: Socket, answers: readonly Answer[]): Promise<void> {
  let text = '';
  let waited: Promise<void> | null = null;
  let isStored = true;
  for (const answer of answers) {
    if (answer.done !== null && answer.done !== waited) {
      // What waits for another sync: the other end may go on meanwhile with what it has got so far.
      give(socket, text);
      text = '';
      waited = answer.done;
      isStored = await isDone(waited);
    }
    const isRefused = answer.done !== null && !isStored;
    text += isRefused ? `${JSON.stringify(refusalOf(NOT_STORED, answer.eventId))}\n` : `${answer.text}\n`;
  }
  give(socket, text);
}

function give(socket: Socket, text: string): void {
  if (text === '' || socket.destroyed) return;
  socket.write(text);
}

async function isDone(done: Promise<void>): Promise<boolean> {
  try {
    await done;
    return true;
  } catch {
    return false;
  }
}
