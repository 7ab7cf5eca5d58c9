/** `conversations send` and `review`: start a turn of a conversation and stay until it has ended, printing the answer as it comes. */
import { randomUUID } from 'node:crypto';
import type { ImageInput } from '../contract/conversation.ts';
import type { ConversationId } from '../contract/ids.ts';
import { type Failure, fail, ok, type Result } from '../contract/result.ts';
import type { ReviewTarget } from '../contract/review.ts';
import type { ServerFrame } from '../contract/ui-event.ts';
import { splitUnfinished } from '../core/text/printable.ts';
import { systemClock as clock } from '../node/clock.ts';
import { createSerial } from '../node/serial.ts';
import { type Client, connect } from './client.ts';
import { decodeFrame } from './decode-frame.ts';
import { EXIT_INTERRUPTED } from './exit-codes.ts';
import { createTurnFollower, type Shown, type TurnFollower } from './follow-turn.ts';
import { type Output, styled } from './output.ts';
import { openSocket, type Socket } from './websocket.ts';

export interface SendRequest {
  readonly home: string;
  readonly conversationId: ConversationId;
  readonly text: string;
  readonly mode: 'send' | 'steer' | 'queue';
  readonly images?: readonly ImageInput[];
  /** The message that was not delivered and that this one repeats. */
  readonly retryOf?: string;
}

/** What starts the turn. */
interface TurnRequest {
  readonly home: string;
  readonly conversationId: ConversationId;
  /** The turn id is null for a message that waits in the queue. */
  submit(
    client: Client,
    messageId: string,
  ): Promise<Result<{ readonly turn_id: string | null; readonly outcome?: string }>>;
}

const SOCKET_PATH = '/ws/appserver';
/** After Ctrl-C: how long the turn may take to end before we leave it to end by itself. */
const INTERRUPT_WAIT_MS = 5_000;
/** A server that restarts is back within seconds. */
const RECONNECT_DELAYS_MS = [100, 250, 500, 1_000, 2_000, 4_000];

/** How it ended: with an exit code, or a failure to tell. */
type Ending = Result<number>;

export function send(out: Output, client: Client, request: SendRequest): Promise<number> {
  const { home, conversationId, text, mode, images = [], retryOf } = request;
  return run(out, client, {
    home,
    conversationId,
    submit: (current, messageId) =>
      current.call('sendMessage', {
        conversation_id: conversationId,
        text,
        mode,
        client_message_id: messageId,
        ...(images.length > 0 && { images: [...images] }),
        ...(retryOf !== undefined && { retry_of: retryOf }),
      }),
  });
}

interface ReviewRequest {
  readonly home: string;
  readonly conversationId: ConversationId;
  readonly target: ReviewTarget;
}

export function review(out: Output, client: Client, request: ReviewRequest): Promise<number> {
  const { home, conversationId, target } = request;
  const submit = (current: Client) => current.call('reviewConversation', { id: conversationId, target });
  return run(out, client, { home, conversationId, submit });
}

async function run(out: Output, client: Client, request: TurnRequest): Promise<number> {
  const ending = await createSending(out, client, request).run();
  return ending.ok ? ending.value : out.fail(ending.error);
}

function createSending(out: Output, first: Client, request: TurnRequest) {
  const messageId = `cli-${randomUUID()}`;
  const follower = createTurnFollower(messageId);
  const printer = createPrinter(out);
  let client = first;
  let socket: Socket | null = null;
  /** Tries to come back since the last time we were level. */
  let attempts = 0;
  let isOver = false;
  let delivered: Promise<void> = Promise.resolve();
  /** Frames that came before we knew which turn is ours. */
  let early: ServerFrame[] | null = [];
  let settle: (ending: Ending) => void = () => {};
  const settled = new Promise<Ending>((resolve) => {
    settle = resolve;
  });

  const receive = (frame: ServerFrame): void => {
    if (early !== null) {
      early.push(frame);
      return;
    }
    printer.show(follower.receive(frame));
    const end = follower.end();
    const lost = follower.notDelivered();
    if (lost !== null) settle(notDelivered(lost));
    else if (end !== null) settle(ok(end === 'completed' ? 0 : 1));
    else if (frame.type === 'refused') settle(fail('internal', frame.message, { code: frame.code }));
    else if (frame.type === 'conversation' && isWaitingInVain(frame, request.conversationId, follower)) {
      void checkQueue();
    }
  };

  /** A queued message can be taken out of the queue by somebody else; its turn will then never come. */
  const checkQueue = async (): Promise<void> => {
    const answer = await client.call('readQueue', { id: request.conversationId });
    if (!answer.ok || answer.value.queue.some((one) => one.client_message_id === messageId)) return;
    await clock.sleep(1_000);
    if (follower.turnId() === null && !follower.isStored())
      settle(fail('conflict', 'the message was taken out of the queue'));
  };

  const subscribe = async (): Promise<Result<null>> => {
    let onSynchronized = (): void => {};
    const synchronized = new Promise<void>((resolve) => {
      onSynchronized = resolve;
    });
    const opened = await openSocket(client.server, SOCKET_PATH, {
      onText(text) {
        const frame = decodeFrame(text);
        if (frame === null) return;
        receive(frame);
        if (frame.type === 'synchronized') attempts = 0;
        if (frame.type === 'synchronized' || frame.type === 'refused') onSynchronized();
      },
      onClose() {
        onSynchronized();
        void resubscribe();
      },
    });
    if (!opened.ok) return opened;
    socket = opened.value;
    const after = follower.lastSeq();
    socket.send({
      type: 'subscribe',
      conversation_id: request.conversationId,
      ...(after !== undefined && { after }),
    });
    await synchronized;
    return ok(null);
  };

  /** The turn goes on without us: come back and hear what was missed. */
  const resubscribe = async (): Promise<void> => {
    let failure: Failure = { code: 'not_running', message: 'the server has gone' };
    while (!isOver) {
      const delayMs = RECONNECT_DELAYS_MS[attempts];
      if (delayMs === undefined) return settle({ ok: false, error: failure });
      attempts += 1;
      await clock.sleep(delayMs);
      const found = connect(request.home);
      if (found.ok) client = found.value;
      const subscribed = found.ok ? await subscribe() : found;
      if (subscribed.ok) return;
      failure = subscribed.error;
    }
  };

  const deliver = async (): Promise<void> => {
    const { conversationId: conversation_id } = request;
    const answer = await request.submit(client, messageId);
    if (!answer.ok) {
      if (answer.error.code === 'thread_unreadable') return settle(unreadable(conversation_id, answer.error));
      return settle(answer.error.details?.stored === true ? notDelivered(answer.error.message) : answer);
    }
    if (answer.value.turn_id !== null) follower.nameTurn(answer.value.turn_id);
    if (out.isJson) await out.json({ type: 'sent', conversation_id, ...answer.value });
    else if (answer.value.outcome === 'queued') out.say(styled('dim', 'queued: it is sent when the running turn ends'));
    const held = early ?? [];
    early = null;
    for (const frame of held) receive(frame);
  };

  const stop = async (): Promise<void> => {
    const id = request.conversationId;
    const patience = clock.sleep(INTERRUPT_WAIT_MS);
    await Promise.race([delivered, patience]);
    if (follower.turnId() !== null) {
      out.say(styled('yellow', 'stopping the turn…'));
      await client.call('interrupt', { conversation_id: id });
      await Promise.race([settled, patience]);
    } else {
      const waiting = await client.call('readQueue', { id });
      const queue = waiting.ok ? waiting.value.queue.filter((one) => one.client_message_id !== messageId) : null;
      if (queue !== null)
        await client.call('writeQueue', { id, queue: queue.map(({ client_message_id }) => ({ client_message_id })) });
    }
    settle(ok(EXIT_INTERRUPTED));
  };

  return {
    async run(): Promise<Ending> {
      let isInterrupted = false;
      const onSignal = (): void => {
        if (isInterrupted) process.exit(EXIT_INTERRUPTED);
        isInterrupted = true;
        void stop();
      };
      process.on('SIGINT', onSignal);
      try {
        const subscribed = await subscribe();
        if (!subscribed.ok) return subscribed;
        delivered = deliver();
        await delivered;
        const ending = await settled;
        return isInterrupted ? ok(EXIT_INTERRUPTED) : ending;
      } finally {
        isOver = true;
        process.off('SIGINT', onSignal);
        socket?.close();
        await printer.drain();
      }
    },
  };
}

/** The transcript keeps the message; a second run of the command sends it again. */
function notDelivered(why: string): Ending {
  const reason = why.replace(/\.$/, '');
  return fail('codex_error', `not delivered: ${reason}; run the same command again to send it again`);
}

/** What to run next, with the id. */
function unreadable(id: ConversationId, { code, message }: Failure): Result<never> {
  return fail(code, `${message} Run: signalbox conversations recover ${id}`);
}

function isWaitingInVain(
  frame: Extract<ServerFrame, { type: 'conversation' }>,
  id: ConversationId,
  follower: TurnFollower,
): boolean {
  if (follower.turnId() !== null || follower.isStored() || !('conversation' in frame)) return false;
  return frame.conversation.id === id && frame.conversation.state !== 'running' && frame.conversation.queued === 0;
}

/** Prints in order, however slow the reader is. */
function createPrinter(out: Output) {
  const printing = createSerial();
  let held = '';
  const print = async (shown: Shown): Promise<void> => {
    if (shown.kind === 'event') return out.isJson ? out.json(shown.event) : undefined;
    if (out.isJson) return;
    if (shown.kind === 'note') return out.say(styled('dim', firstLine(shown.text)));
    const split = splitUnfinished(held + shown.text);
    held = split.held;
    await out.write(split.ready);
  };
  return {
    show(all: readonly Shown[]): void {
      for (const shown of all) void printing.run(() => print(shown));
    },
    drain: printing.idle,
  };
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
