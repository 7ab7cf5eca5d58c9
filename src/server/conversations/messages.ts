/** The one door for user messages: send, steer, queue, stop. Serializes what one conversation sends to Codex. */
import type { ConversationMeta, ImageInput, QueuedMessage } from '../../contract/conversation.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { isRefusal } from '../../core/codex/refusal.ts';
import type { TurnEnd } from '../../core/codex/signal.ts';
import type { OutgoingContext } from '../../core/context/carriers.ts';
import { markOf } from '../../core/context/in-flight.ts';
import { unattended } from '../../core/conversations/settings.ts';
import { cleanText } from '../../core/text/clean.ts';
import type { Logger } from '../../node/logger.ts';
import { isDirectory } from '../../node/path-kind.ts';
import type { CodexPort, ContextPort } from './ports.ts';
import type { Session } from './session.ts';
import type { Thread } from './thread.ts';

interface Message {
  readonly text: string;
  readonly images: readonly ImageInput[];
  readonly clientMessageId: string;
  /** Nobody wrote it: its turn asks where the conversation would not, and stays in the sandbox. */
  readonly isUnattended?: boolean;
}

interface Outcome {
  readonly outcome: 'started' | 'steered' | 'queued' | 'duplicate';
  readonly turnId: string | null;
}

export interface Messages {
  send(message: Message, mode: 'send' | 'steer' | 'queue'): Promise<Result<Outcome>>;
  interrupt(): Promise<Result<boolean>>;
  /** Reorder, edit, drop: the given list is what the queue becomes. */
  rewriteQueue(
    list: readonly { readonly clientMessageId: string; readonly text: string | null }[],
  ): Promise<Result<null>>;
  resumeQueue(): Promise<void>;
  onIdle(after: TurnEnd): void;
  /** Sends the first queued message if nothing runs. */
  dispatch(): Promise<void>;
}

export interface MessagesOptions {
  readonly codex: CodexPort;
  readonly context: ContextPort;
  readonly session: Session;
  readonly thread: Thread;
  readonly meta: () => ConversationMeta;
  readonly saveMeta: (meta: ConversationMeta) => Promise<Result<null>>;
  /** Ids of messages already in the transcript. */
  readonly isRecorded: (clientMessageId: string) => boolean;
  readonly now: () => string;
  readonly log: Logger;
}

/** As many as Codex's own queue takes. */
const MAX_QUEUED = 100;

export function createMessages(options: MessagesOptions): Messages {
  const { codex, session, thread, meta } = options;
  /** Given to Codex and not yet seen in the transcript. */
  const sending = new Set<string>();
  let chain: Promise<unknown> = Promise.resolve();

  /** One at a time: two quick messages never both believe that nothing runs. */
  const inOrder = <T>(task: () => Promise<T>): Promise<T> => {
    const next = chain.then(task);
    chain = next.catch(() => undefined);
    return next;
  };

  const isKnown = (id: string) =>
    sending.has(id) || options.isRecorded(id) || meta().queue.some((one) => one.client_message_id === id);

  /** Gives a message to Codex together with what goes along; `call` returns the id of its turn. */
  const hand = async (
    message: Message,
    call: (context: OutgoingContext) => Promise<Result<string | null>>,
  ): Promise<Result<string | null>> => {
    const { clientMessageId, text } = message;
    const along = await options.context.prepare(meta().conversation_id, clientMessageId);
    sending.add(clientMessageId);
    session.accept({ type: 'message.sent', clientMessageId, text, context: markOf(along.carried) });
    const answer = await call(along);
    if (!answer.ok) {
      sending.delete(clientMessageId);
      session.accept({ type: 'message.refused', clientMessageId });
      await along.refused(isRefusal(answer.error.code));
      return answer;
    }
    await along.accepted(answer.value);
    return answer;
  };

  const startTurn = async (message: Message): Promise<Result<Outcome>> => {
    const { cwd } = meta();
    if (!(await isDirectory(cwd))) return fail('missing_cwd', `the directory ${cwd} does not exist: choose another`);
    const threadId = await thread.ensure();
    if (!threadId.ok) return threadId;
    const onStarted = (turnId: string) =>
      session.accept({ type: 'turn.started', threadId: threadId.value, turnId, startedAtMs: null });
    const start = (along: OutgoingContext) => {
      const settings = message.isUnattended === true ? unattended(meta()) : meta();
      const request = { threadId: threadId.value, message: { ...message, ...along }, settings };
      return codex.startTurn({ ...request, applied: thread.applied() }, onStarted);
    };
    const answer = await hand(message, start);
    return answer.ok ? ok({ outcome: 'started', turnId: answer.value }) : answer;
  };

  const steer = async (message: Message): Promise<Result<Outcome>> => {
    const turn = session.state().turn;
    if (turn === null) return fail('no_active_turn', 'nothing is running: send the message instead of steering');
    const threadId = await thread.ensure();
    if (!threadId.ok) return threadId;
    const answer = await hand(message, (along) => codex.steerTurn(threadId.value, turn.id, { ...message, ...along }));
    if (answer.ok) return ok({ outcome: 'steered', turnId: answer.value });
    if (answer.error.code === 'unknown_method') return enqueue(message);
    return answer.error.code === 'no_active_turn'
      ? fail('no_active_turn', 'the turn ended before the message reached it')
      : answer;
  };

  const enqueue = async (message: Message): Promise<Result<Outcome>> => {
    if (meta().queue.length >= MAX_QUEUED)
      return fail('conflict', `the queue holds ${MAX_QUEUED} messages: let some go first`);
    const entry: QueuedMessage = {
      client_message_id: message.clientMessageId,
      text: message.text,
      images: [...message.images],
      queued_at: options.now(),
    };
    const saved = await options.saveMeta({ ...meta(), queue: [...meta().queue, entry] });
    return saved.ok ? ok({ outcome: 'queued', turnId: null }) : saved;
  };

  const isBusy = () => session.state().turn !== null;

  const sendNow = async (message: Message, mode: 'send' | 'steer' | 'queue'): Promise<Result<Outcome>> => {
    if (isKnown(message.clientMessageId)) return ok({ outcome: 'duplicate', turnId: null });
    if (session.transcript.log.state() !== 'ok')
      return fail('storage_full', 'the disk is full: the message was not sent');
    if (mode === 'steer') return steer(message);
    const mustWait =
      isBusy() || (meta().queue.length > 0 && !meta().queue_paused) || (mode === 'queue' && meta().queue_paused);
    return mustWait ? enqueue(message) : startTurn(message);
  };

  const sendFirst = async (): Promise<void> => {
    const first = meta().queue[0];
    if (first === undefined || isBusy() || meta().queue_paused) return;
    const message = { text: first.text, images: first.images, clientMessageId: first.client_message_id };
    const isSent = options.isRecorded(message.clientMessageId) || sending.has(message.clientMessageId);
    const started = isSent ? ok(null) : await startTurn(message);
    const rest = meta().queue.filter((one) => one.client_message_id !== message.clientMessageId);
    if (started.ok) await options.saveMeta({ ...meta(), queue: rest });
    else {
      options.log.warn({ code: started.error.code, message: started.error.message }, 'a queued message was refused');
      await options.saveMeta({ ...meta(), queue_paused: true });
      await session.append({
        role: 'error',
        text: `A queued message could not be sent: ${started.error.message}`,
        code: started.error.code,
      });
    }
  };

  const dispatch = () => inOrder(sendFirst);

  return {
    // Whoever it comes from: nothing in it may look like what is put round it.
    send: (message, mode) => inOrder(() => sendNow({ ...message, text: cleanText(message.text) }, mode)),
    dispatch,
    async interrupt() {
      const { turn } = session.state();
      const { thread_id } = meta();
      if (turn === null || thread_id === null) return ok(false);
      const stopped = await codex.interruptTurn(thread_id, turn.id);
      if (stopped.ok) return ok(true);
      return stopped.error.code === 'no_active_turn' ? ok(false) : stopped;
    },
    rewriteQueue: (list) =>
      inOrder(async () => {
        const known = new Map(meta().queue.map((one) => [one.client_message_id, one]));
        const next: QueuedMessage[] = [];
        for (const { clientMessageId, text } of list) {
          const old = known.get(clientMessageId);
          if (old === undefined) return fail('conflict', `${clientMessageId} is not in the queue any more`);
          known.delete(clientMessageId);
          next.push(text === null ? old : { ...old, text: cleanText(text) });
        }
        return options.saveMeta({ ...meta(), queue: next });
      }),
    async resumeQueue() {
      await inOrder(() => options.saveMeta({ ...meta(), queue_paused: false }));
      await dispatch();
    },
    onIdle(after) {
      if (meta().queue.length === 0) return;
      // Whoever pressed stop does not want the next one to start by itself.
      if (after === 'interrupted') void inOrder(() => options.saveMeta({ ...meta(), queue_paused: true }));
      else void dispatch();
    },
  };
}
