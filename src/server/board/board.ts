/** The board: posts, lists, waiting, and who has read what. One per home; `main.ts` wires it to conversations and events. */
import {
  type BoardFrame,
  type BoardMatch,
  type BoardMessage,
  MAX_AWAIT_MS,
  MAX_POST_BYTES,
  type NewPost,
  type PendingAwait,
} from '../../contract/board.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { type Addressee, addresseesOf, findMentions } from '../../core/board/address.ts';
import { hearHops, hopsOfPost, NO_HOPS, personSpoke } from '../../core/board/hops.ts';
import { fitsMatch } from '../../core/board/match.ts';
import { cleanForModel } from '../../core/text/hidden.ts';
import { type Clock, within } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { createSerial } from '../../node/serial.ts';
import { type BoardLog, type Brief, openBoardLog } from './board-log.ts';
import { type Deliver, type Deliveries, openDeliveries } from './deliveries.ts';
import { openPendingAwaits, type PendingAwaitFile } from './pending-awaits.ts';
import { openReaders, type Readers } from './readers.ts';
import { type Awaited, type AwaitRequest, createWaiters, type Waiters } from './waiters.ts';

/** Who posts, as the server knows it; never what the post says of itself. */
export type PostAuthor =
  | { readonly kind: 'person' | 'script' | 'agent' }
  | { readonly kind: 'conversation'; readonly conversationId: ConversationId };

interface ListQuery {
  readonly limit: number;
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly match: BoardMatch;
}

interface BoardPage {
  readonly messages: readonly BoardMessage[];
  readonly lastNum: number;
  readonly hasMore: boolean;
}

export interface Board {
  post(author: PostAuthor, post: NewPost): Promise<Result<BoardMessage>>;
  list(query: ListQuery): Promise<BoardPage>;
  get(num: number): Promise<Result<{ message: BoardMessage; replies: BoardMessage[] }>>;
  remove(num: number): Promise<Result<null>>;
  topics(): Promise<{ topic: string; messages: number; last_num: number }[]>;
  wait(request: AwaitRequest): Promise<Result<Awaited>>;
  /** Answers everybody who waits, before the door is closed on them. */
  endWaits(): Promise<void>;
  markRead(reader: string, num: number): Promise<void>;
  unread(reader: string): Promise<{ unread: number; read_num: number }>;
  /** Who a name means; also for callers that need to know before they post. */
  resolve(name: string): Promise<Result<Addressee>>;
  /**
   * Hears everything from now on. The first call of any kind reads what is on disk, and delivers what a crash kept from being
   * delivered. `lastNum` is the last message it has missed.
   */
  subscribe(listener: (frame: BoardFrame) => void): Promise<{ readonly lastNum: number; readonly stop: () => void }>;
  /** A person has said something to a conversation: what agents passed on before no longer counts. */
  personSpoke(conversationId: ConversationId): void;
  /** Delivers again what was posted for a conversation while it could be told nothing; what it was told is recognized. */
  redeliver(conversationId: ConversationId): Promise<void>;
  /** How many wait now. */
  waiting(): number;
  close(): Promise<void>;
}

export interface BoardOptions {
  readonly dir: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Conversations that can be addressed. */
  readonly conversations: () => readonly Addressee[];
  readonly deliver: Deliver;
}

/** Posts that wait for the disk; a writer that is faster than the disk has to wait. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024;
const MAX_REPLIES = 200;
const MAX_TOPICS = 200;
/** More of them could not be told in the bytes there are. */
const MAX_REDELIVERED = 200;
/** A delivery that takes longer waits for a disk that is full. */
const STOP_MS = 1_500;
/** Looked through between two turns of the loop. */
const SLICE_MESSAGES = 200;
/** Posts before this are no longer looked at to learn who writes here. */
const AUTHOR_WINDOW = 2_000;

interface Opened {
  readonly log: BoardLog;
  readonly readers: Readers;
  readonly deliveries: Deliveries;
  readonly waiters: Waiters;
  readonly pending: PendingAwaitFile;
}

export function createBoard(options: BoardOptions): Board {
  const { dir, clock } = options;
  const listeners = new Set<(frame: BoardFrame) => void>();
  let hops = NO_HOPS;
  let opening: Promise<Opened> | null = null;
  let isClosing = false;
  let waiting = () => 0;
  const announcing = createSerial();

  const open = (): Promise<Opened> => {
    opening ??= openAll();
    return opening;
  };

  const openAll = async (): Promise<Opened> => {
    const log = await openBoardLog(options);
    const [readers, deliveries, pending] = await Promise.all([
      openReaders(dir),
      openDeliveries(options),
      openPendingAwaits(dir),
    ]);
    const find = (after: number, match: BoardMatch, limit: number) =>
      collect(log, [...log.briefs({ after })], match, limit).then(({ messages }) => messages);
    const waiters = createWaiters({ clock, lastNum: log.lastNum, find });
    waiting = waiters.count;
    for (const brief of log.briefs({})) noteHops(brief);
    for (const { num, for: keys } of log.briefs(deliveries.undelivered(log.lastNum()))) {
      const message = keys.length === 0 ? null : await log.read(num);
      if (message !== null) deliveries.repeat(message);
    }
    void deliveries.settle(log.lastNum());
    const opened = { log, readers, deliveries, waiters, pending };
    for (const left of pending.left)
      resumeAwait(opened, left).catch((error: unknown) => options.log.warn({ error }, 'a wait was not taken up again'));
    return opened;
  };

  /** Nobody holds the line any more: what was waited for is told as an event. */
  const resumeAwait = async ({ waiters, pending }: Opened, left: PendingAwait): Promise<void> => {
    const { id, conversation_id: conversationId, after, match, until } = left;
    const timeoutMs = Math.min(MAX_AWAIT_MS, Math.max(0, until - clock.now()));
    const waited = await waiters.wait({ after, match, timeoutMs });
    for (const message of waited.ok ? waited.value.messages : [])
      await options.deliver({ conversationId, message, wakes: true, isRepeat: true });
    if (!isClosing) await pending.drop(id);
  };

  const noteHops = (brief: Pick<Brief, 'for' | 'hops'>) => {
    for (const key of brief.for) hops = hearHops(hops, key, brief.hops);
  };

  const tell = (frame: BoardFrame) => {
    for (const listener of listeners) listener(frame);
  };

  /** In the order of their numbers, each when it is on disk. */
  const announce = ({ waiters, deliveries }: Opened, stored: Promise<BoardMessage>): Promise<BoardMessage> =>
    announcing.run(async () => {
      const message = await stored;
      noteHops(message);
      tell({ type: 'message', message });
      deliveries.add(message, waiters.wake(message));
      return message;
    });

  const known = ({ log }: Opened): Addressee[] => {
    const names = new Map<string, Addressee>();
    for (const { who, kind } of log.briefs({ after: Math.max(0, log.lastNum() - AUTHOR_WINDOW) }))
      if (kind !== 'conversation') names.set(who, { key: who, label: who, conversationId: null });
    return [...options.conversations(), ...names.values()];
  };

  const compose = (opened: Opened, author: PostAuthor, post: NewPost): Result<Omit<BoardMessage, 'num'>> => {
    const message = cleanForModel(post.message);
    const who = oneLine(post.who);
    if (message.trim() === '' || who === '') return fail('invalid_request', 'the post is empty');
    if (Buffer.byteLength(message) > MAX_POST_BYTES)
      return fail('too_large', `a post may have ${MAX_POST_BYTES} bytes`, { max_bytes: MAX_POST_BYTES });
    const answered = post.reply_to == null ? null : opened.log.brief(post.reply_to);
    if (post.reply_to != null && answered === null) return fail('not_found', `there is no message ${post.reply_to}`);
    const all = known(opened);
    const to = post.to == null ? null : resolveIn(all, post.to);
    if (to?.ok === false) return to;
    const own = author.kind === 'conversation' ? author.conversationId : who;
    const mentions = findMentions(message, all);
    const keys = [to?.value.key, ...mentions.map(({ key }) => key), answered?.conversationId ?? answered?.who];
    return ok({
      ts: new Date(clock.now()).toISOString(),
      who,
      kind: author.kind,
      conversation_id: author.kind === 'conversation' ? author.conversationId : null,
      message,
      topic: post.topic == null ? (answered?.topic ?? null) : oneLine(post.topic),
      reply_to: post.reply_to ?? null,
      to: to?.value.label ?? null,
      mentions: mentions.map(({ label, conversationId }) => ({ label, conversation_id: conversationId })),
      for: [...new Set(keys)].filter((key) => key !== undefined && key !== own).flatMap((key) => key ?? []),
      hops: author.kind === 'conversation' || author.kind === 'agent' ? hopsOfPost(hops, own) : 0,
    });
  };

  return {
    async post(author, post) {
      const opened = await open();
      const { log } = opened;
      const id = post.client_message_id ?? null;
      const before = id === null ? null : log.postedAs(id);
      if (before !== null) return ok(await before);
      if (log.state() !== 'ok') return fail('storage_full', 'the disk is full: the post was not stored');
      if (log.queuedBytes() > MAX_QUEUED_BYTES)
        return fail('rate_limited', 'posts come faster than the disk takes them');
      const composed = compose(opened, author, post);
      if (!composed.ok) return composed;
      return ok(await announce(opened, log.append(composed.value, id)));
    },
    async list({ limit, after, before, match }) {
      const { log } = await open();
      const isForward = after !== undefined;
      const range = { ...(after !== undefined && { after }), ...(before !== undefined && { before }) };
      const inOrder = [...log.briefs(range)];
      const { messages, hasMore } = await collect(log, isForward ? inOrder : inOrder.reverse(), match, limit);
      return { messages: isForward ? messages : messages.reverse(), lastNum: log.lastNum(), hasMore };
    },
    async get(num) {
      const { log } = await open();
      const message = await log.read(num);
      if (message === null) return fail('not_found', `there is no message ${num}`);
      const replies = [...log.briefs({ after: num })].filter(({ replyTo }) => replyTo === num).slice(0, MAX_REPLIES);
      return ok({ message, replies: await log.readMany(replies) });
    },
    async remove(num) {
      const { log } = await open();
      if (log.brief(num) === null) return fail('not_found', `there is no message ${num}`);
      if (log.state() !== 'ok') return fail('storage_full', 'the disk is full: nothing was deleted');
      await log.remove(num, new Date(clock.now()).toISOString());
      tell({ type: 'deleted', num });
      return ok(null);
    },
    async topics() {
      const { log } = await open();
      const topics = new Map<string, { topic: string; messages: number; last_num: number }>();
      for (const { topic, num } of log.briefs({})) {
        if (topic === null) continue;
        topics.set(topic, { topic, messages: (topics.get(topic)?.messages ?? 0) + 1, last_num: num });
      }
      return [...topics.values()].sort((a, b) => b.last_num - a.last_num).slice(0, MAX_TOPICS);
    },
    async wait(request) {
      const { waiters, pending, log } = await open();
      const { holder, timeoutMs, match = {} } = request;
      if (holder === undefined || timeoutMs === 0) return waiters.wait(request);
      const after = request.after ?? log.lastNum();
      const done = await pending.add({ conversation_id: holder, after, match, until: clock.now() + timeoutMs });
      try {
        return await waiters.wait({ ...request, after });
      } finally {
        await done();
      }
    },
    async endWaits() {
      if (opening !== null) (await opening).waiters.stop();
    },
    async markRead(reader, num) {
      const { readers, log } = await open();
      await readers.mark(reader, Math.min(num, log.lastNum()));
    },
    async unread(reader) {
      const { readers, log } = await open();
      const read = readers.of(reader);
      let unread = 0;
      for (const { who, conversationId } of log.briefs({ after: read }))
        if ((conversationId ?? who) !== reader) unread += 1;
      return { unread, read_num: read };
    },
    resolve: async (name) => resolveIn(known(await open()), name),
    async subscribe(listener) {
      const { log } = await open();
      listeners.add(listener);
      return { lastNum: log.lastNum(), stop: () => void listeners.delete(listener) };
    },
    personSpoke(conversationId) {
      hops = personSpoke(hops, conversationId);
    },
    async redeliver(conversationId) {
      const { log, deliveries } = await open();
      await deliveries.drain();
      // Those behind are brought in their turn, and it can be told of them by now.
      const brought = [...log.briefs({ before: deliveries.reached() + 1 })];
      const posts = brought.filter((brief) => brief.for.includes(conversationId)).slice(-MAX_REDELIVERED);
      for (const message of await log.readMany(posts))
        await options.deliver({ conversationId, message, wakes: true, isRepeat: true });
    },
    waiting: () => waiting(),
    async close() {
      if (opening === null) return;
      isClosing = true;
      const { log, deliveries, waiters } = await opening;
      waiters.stop();
      const settling = announcing.run(() => deliveries.settle(log.lastNum()));
      const isSettled = await within(clock, STOP_MS, settling);
      if (!isSettled) options.log.warn('posts that could not be delivered are brought at the next start');
      deliveries.stop();
      await log.close();
    },
  };
}

/** The first `limit` that fit, in the order given; text is read only where the rest fits, and a slice at a time. */
async function collect(
  log: BoardLog,
  briefs: readonly Brief[],
  match: BoardMatch,
  limit: number,
): Promise<{ messages: BoardMessage[]; hasMore: boolean }> {
  const messages: BoardMessage[] = [];
  const { topic, for: key, reply_to } = match;
  const likely = briefs.filter(
    (brief) =>
      (topic === undefined || brief.topic === topic) &&
      (key === undefined || brief.for.includes(key)) &&
      (reply_to === undefined || brief.replyTo === reply_to),
  );
  for (let at = 0; at < likely.length; at += SLICE_MESSAGES) {
    const slice = likely.slice(at, at + SLICE_MESSAGES);
    const read = new Map((await log.readMany(slice)).map((message) => [message.num, message]));
    for (const { num } of slice) {
      const message = read.get(num);
      if (message === undefined || !fitsMatch(message, match)) continue;
      if (messages.length === limit) return { messages, hasMore: true };
      messages.push(message);
    }
  }
  return { messages, hasMore: false };
}

function resolveIn(known: readonly Addressee[], name: string): Result<Addressee> {
  const word = name.replace(/^@/, '').replace(/^"(.*)"$/, '$1');
  const [one, ...more] = addresseesOf(word, known);
  if (one === undefined)
    return fail('unknown_conversation', `there is no conversation and nobody on the board called ${word}`, {
      to: word,
    });
  if (more.length > 0)
    return fail('conflict', `${word} means several conversations: give the id of one`, {
      candidates: [one, ...more].map(({ key }) => key),
    });
  return ok(one);
}

function oneLine(text: string): string {
  return cleanForModel(text).replace(/\s+/g, ' ').trim();
}
