/** All conversations: those with a folder here, those only Codex knows, those open now; and which one a signal belongs to. */

import type { ConversationMeta, ConversationRow } from '../../contract/conversation.ts';
import { type ConversationId, conversationIdOfThread, type RpcId, threadIdOfConversation } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { autoReply } from '../../core/approvals/reply.ts';
import type { ThreadPage } from '../../core/codex/operations.ts';
import { APP_SERVER } from '../../core/codex/program-name.ts';
import type { Signal, ThreadRecord } from '../../core/codex/signal.ts';
import { hasText, rowOfMeta, rowOfThread } from '../../core/conversations/row.ts';
import type { RpcReply } from '../../core/conversations/thread-state.ts';
import type { Logger } from '../../node/logger.ts';
import { resolveDirectory } from '../../node/path-kind.ts';
import { type Conversation, type ConversationPorts, openConversation } from './conversation.ts';
import { type ExposurePort, warnOfExposure } from './exposure.ts';
import { mergeDuplicates, readMerged } from './merge-duplicates.ts';
import type { ConversationStore } from './store.ts';

export interface Registry {
  /** Finds the conversations on disk. `portsOf` is what open conversations work with: none can be opened before. */
  boot(portsOf: PortsOf): Promise<void>;
  /** Opens it; a thread only Codex knows gets a folder here. An id that follows from a thread somebody here owns opens the owner. */
  open(id: ConversationId): Promise<Result<Conversation>>;
  /** The conversation an id stands for: itself, or the owner of the thread it follows from. */
  resolve(id: ConversationId): ConversationId;
  /** `isForged`: its settings were replaced by safe ones, which the conversation says. */
  add(meta: ConversationMeta, isForged?: boolean): Promise<Result<Conversation>>;
  /** Closes it and takes it out of every list; its files are the caller's to move. */
  drop(id: ConversationId): Promise<void>;
  rows(query: ListQuery): Promise<{ rows: ConversationRow[]; nextCursor: string | null }>;
  threads(query: { readonly limit: number; readonly cursor?: string | undefined }): Promise<Result<ThreadPage>>;
  loaded(): readonly Conversation[];
  /** Of every conversation with a folder here, open or not. */
  metas(): readonly ConversationMeta[];
  /** Null for a conversation without a folder here. */
  metaOf(id: ConversationId): ConversationMeta | null;
  /** The open one; null when it is not open. */
  peek(id: ConversationId): Conversation | null;
  isKnown(id: ConversationId): boolean;
  /** Whose thread it is, also when it is a sub-agent's; null for one nobody here knows. */
  ownerOf(threadId: string): ConversationId | null;
  accept(signal: Signal): void;
  onCodexReady(isAdopted: boolean): Promise<void>;
  onCodexGone(reason: string): void;
  close(): Promise<void>;
}

export type PortsOf = (id: ConversationId, registry: RegistryHooks) => ConversationPorts;

interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly archived?: boolean | undefined;
  readonly q?: string | undefined;
}

export interface RegistryOptions {
  readonly store: ConversationStore;
  readonly home: string;
  readonly log: Logger;
  readonly codex: ConversationPorts['codex'];
  readonly reply: (epoch: string, id: RpcId, body: RpcReply) => void;
  readonly now: () => number;
  /** A conversation that was not in the lists before. */
  readonly onAdded: (row: ConversationRow) => void;
  /** The conversation can be reached by its id from now on. */
  readonly onOpened: (id: ConversationId) => void;
  /** What a thread of Codex's becomes when it is opened here for the first time. */
  readonly metaOfThread: (thread: ThreadRecord) => ConversationMeta;
  readonly exposureOf: ExposurePort;
}

/** What an open conversation tells the registry. */
interface RegistryHooks {
  readonly claim: (threadId: string) => void;
}

interface Known {
  meta: ConversationMeta;
  /** To be said in the conversation when it is opened. */
  isForged: boolean;
  lastSeq: number;
  isUnsettled: boolean;
}

const FORGED =
  'The settings of this conversation were changed outside Signalbox, or an older version of them was put back. They are not used: Codex asks for everything and writes nothing (read only). Choose approval, sandbox and directory again if you want others.';

export function createRegistry(options: RegistryOptions): Registry {
  const { store, log, codex } = options;
  const known = new Map<ConversationId, Known>();
  const open = new Map<ConversationId, Promise<Conversation>>();
  const ready = new Map<ConversationId, Conversation>();
  /** The turn each open conversation had when it was opened or when Codex became ready: only that one can be a turn of an older Codex. */
  const inherited = new Map<ConversationId, string | null>();
  const byThread = new Map<string, ConversationId>();
  /** The threads of conversations that were merged into the owner of their thread. */
  let merged: ReadonlyMap<ConversationId, string> = new Map();
  /** Threads of Codex's that are being taken in: asked for twice at the same time, each is one conversation. */
  const adopting = new Map<ConversationId, Promise<Result<Conversation>>>();
  /** Signals of a thread whose conversation is still being opened. */
  const early = new Map<string, Signal[]>();
  /** The Codex that runs: the threads it had loaded when it became ready, and whether it was there before this server. */
  let codexReady: { readonly alive: ReadonlySet<string>; readonly isAdopted: boolean } | null = null;
  let portsOf: PortsOf = () => {
    throw new Error('a conversation is opened before the registry has booted');
  };

  const load = (meta: ConversationMeta): Promise<Conversation> => {
    const id = meta.conversation_id;
    const existing = open.get(id);
    if (existing !== undefined) return existing;
    if (meta.thread_id !== null) byThread.set(meta.thread_id, id);
    const hooks = { claim: (threadId: string) => void byThread.set(threadId, id) };
    const opening = openConversation(meta, portsOf(id, hooks)).then((conversation) => {
      ready.set(id, conversation);
      inherit(id, conversation);
      options.onOpened(id);
      sayForged(conversation);
      // Opened while Codex runs: it is reconciled now.
      if (codexReady !== null)
        settle(conversation, codexReady).catch((error: unknown) =>
          log.error({ error, id }, 'not reconciled with Codex'),
        );
      return conversation;
    });
    open.set(id, opening);
    opening.catch(() => open.delete(id));
    return opening;
  };

  const resolve = (id: ConversationId): ConversationId =>
    known.has(id) ? id : (byThread.get(merged.get(id) ?? threadIdOfConversation(id)) ?? id);

  const openId = async (asked: ConversationId): Promise<Result<Conversation>> => {
    const id = resolve(asked);
    const stored = known.get(id);
    if (stored !== undefined) return ok(await load(ready.get(id)?.meta() ?? stored.meta));
    const running = adopting.get(id) ?? adopt(id).finally(() => adopting.delete(id));
    adopting.set(id, running);
    return running;
  };

  const adopt = async (id: ConversationId): Promise<Result<Conversation>> => {
    const threadId = threadIdOfConversation(id);
    // Codex still has the thread of one that was deleted, for as long as it can be restored: that is not a reason to bring it back.
    const thread = (await store.trashedThreads()).has(threadId) ? null : await readThread(threadId);
    if (thread === null) return fail('unknown_conversation', `there is no conversation ${id}`);
    // While Codex was asked, a conversation of ours may have said that the thread is its own.
    const owner = byThread.get(threadId);
    if (owner !== undefined) return openId(owner);
    const added = await add(options.metaOfThread(thread));
    if (added.ok) await warnOfExposure(added.value, options.exposureOf);
    return added;
  };

  const readThread = async (threadId: string): Promise<ThreadRecord | null> => {
    const found = await codex.readThread(threadId);
    return found.ok ? found.value : null;
  };

  const add = async (given: ConversationMeta, isForged = false): Promise<Result<Conversation>> => {
    const meta = { ...given, real_cwd: given.real_cwd ?? (await resolveDirectory(given.cwd)) };
    const saved = await store.saveMeta(meta);
    if (!saved.ok) return saved;
    known.set(meta.conversation_id, { meta, isForged, lastSeq: 0, isUnsettled: false });
    const conversation = await load(meta);
    options.onAdded(conversation.row());
    return ok(conversation);
  };

  const ownRows = (query: ListQuery): ConversationRow[] =>
    [...known.values()]
      .map(({ meta, lastSeq }) => ready.get(meta.conversation_id)?.row() ?? rowOfMeta(meta, lastSeq))
      .filter((row) => row.archived === (query.archived ?? false) && hasText(row, query.q ?? ''));

  const foreignRows = async (query: ListQuery): Promise<ThreadPage> => {
    const page = await codex.listThreads(query);
    if (!page.ok) return { threads: [], nextCursor: null };
    // Codex keeps the thread of a deleted conversation in its archive for as long as the conversation can be restored.
    const trashed = await store.trashedThreads();
    return { ...page.value, threads: page.value.threads.filter((thread) => !trashed.has(thread.threadId)) };
  };

  /** A request on a thread nobody here follows: its thread is opened, so that there is a place to answer it. */
  const acceptStray = (signal: Signal) => {
    if (signal.type === 'request' && signal.auto !== null) {
      options.reply(signal.epoch, signal.rpcId, autoReply(signal.auto, options.now()));
      return;
    }
    const threadId = 'threadId' in signal ? signal.threadId : null;
    if (signal.type === 'warning' || signal.type === 'noise' || signal.type === 'unknown') {
      log.info({ signal }, 'codex says');
      return;
    }
    if (signal.type !== 'request' || threadId === null) return;
    const waiting = early.get(threadId);
    if (waiting !== undefined) {
      waiting.push(signal);
      return;
    }
    early.set(threadId, [signal]);
    void openId(conversationIdOfThread(threadId)).then((opened) => {
      const signals = early.get(threadId) ?? [];
      early.delete(threadId);
      for (const one of signals) {
        if (opened.ok) opened.value.session.accept(one);
        else if (one.type === 'request')
          options.reply(one.epoch, one.rpcId, { error: { code: -32_000, message: 'no client follows this thread' } });
      }
    });
  };

  return {
    async boot(given) {
      portsOf = given;
      let found = await store.loadAll();
      const metas = found.map(({ meta }) => meta);
      if (await mergeDuplicates({ home: options.home, store, log }, metas)) found = await store.loadAll();
      merged = await readMerged(options.home);
      for (const stored of found) known.set(stored.meta.conversation_id, { ...stored });
      for (const { meta } of known.values())
        if (meta.thread_id !== null) byThread.set(meta.thread_id, meta.conversation_id);
    },
    open: openId,
    resolve,
    add,
    async drop(id) {
      const conversation = ready.get(id);
      known.delete(id);
      inherited.delete(id);
      ready.delete(id);
      open.delete(id);
      for (const [threadId, owner] of byThread) if (owner === id) byThread.delete(threadId);
      await conversation?.close();
    },
    async rows(query) {
      const own = query.cursor === undefined ? ownRows(query) : [];
      const foreign = await foreignRows(query);
      const fresh = foreign.threads
        .filter((thread) => !byThread.has(thread.threadId))
        .map((thread) => rowOfThread(thread, query.archived ?? false));
      const rows = [...own, ...fresh].sort((a, b) => b.active_at.localeCompare(a.active_at));
      return { rows, nextCursor: foreign.nextCursor };
    },
    async threads(query) {
      const page = await foreignRows(query);
      return ok(page);
    },
    loaded: () => [...ready.values()],
    metas: () => [...known.values()].map(({ meta }) => ready.get(meta.conversation_id)?.meta() ?? meta),
    metaOf: (id) => ready.get(id)?.meta() ?? known.get(id)?.meta ?? null,
    peek: (id) => ready.get(id) ?? null,
    isKnown: (id) => known.has(id),
    ownerOf: (threadId) => byThread.get(threadId) ?? null,
    accept(signal) {
      const threadId = 'threadId' in signal ? signal.threadId : null;
      const id = threadId === null ? undefined : byThread.get(threadId);
      const conversation = id === undefined ? undefined : ready.get(id);
      if (conversation === undefined || threadId === null) {
        acceptStray(signal);
        return;
      }
      const isOwnThread = conversation.meta().thread_id === null || conversation.meta().thread_id === threadId;
      // A thread that was lost, and another one took its place.
      if (!isOwnThread && !conversation.session.state().children.includes(threadId)) return;
      if (signal.type === 'thread.settings') conversation.thread.noteSettings(signal.settings);
      // The next message loads the thread again, which tells that it cannot be read any more.
      if (signal.type === 'thread.gone' && signal.how === 'deleted' && isOwnThread) conversation.thread.forget();
      conversation.session.accept(signal);
    },
    async onCodexReady(isAdopted) {
      // Before the first await: a turn that begins while the others are reconciled is a turn of this Codex.
      for (const [id, conversation] of ready) {
        inherit(id, conversation);
        conversation.thread.forget();
      }
      const alive = isAdopted ? await loadedThreads() : new Set<string>();
      // Whatever Codex has loaded may be going on; whatever we left unsettled must be settled.
      for (const one of known.values()) {
        const isAlive = one.meta.thread_id !== null && alive.has(one.meta.thread_id);
        if (!isAlive && !one.isUnsettled && one.meta.queue.length === 0) continue;
        one.isUnsettled = false;
        await load(ready.get(one.meta.conversation_id)?.meta() ?? one.meta);
      }
      codexReady = { alive, isAdopted };
      for (const conversation of [...ready.values()]) await settle(conversation, codexReady);
    },
    onCodexGone(reason) {
      codexReady = null;
      for (const conversation of ready.values()) {
        conversation.thread.forget();
        // Before the turn is recorded as over: whatever was given is uncertain from now on.
        conversation.outbox.accept({ type: 'codex_gone' });
        conversation.reservation.release();
        conversation.session.accept({ type: 'codex.gone', reason });
      }
    },
    async close() {
      for (const conversation of ready.values()) await conversation.close();
    },
  };

  /** Once: the sidecar that is stored then has a seal of ours. */
  function sayForged(conversation: Conversation): void {
    const one = known.get(conversation.meta().conversation_id);
    if (one?.isForged !== true) return;
    one.isForged = false;
    const said = conversation.session.append({ role: 'warning', code: 'settings_forged', text: FORGED });
    void said
      .then(() => conversation.changeMeta((meta) => meta))
      .catch((error: unknown) => log.error({ error }, 'the warning about changed settings was not stored'));
  }

  function inherit(id: ConversationId, conversation: Conversation): void {
    inherited.set(id, conversation.session.state().turn?.id ?? null);
  }

  async function loadedThreads(): Promise<Set<string>> {
    const loaded = await codex.listLoadedThreads();
    return new Set(loaded.ok ? loaded.value : []);
  }

  /** Reconciles one conversation with a Codex that is ready: hears the rest of a turn that goes on, ends one that does not. */
  async function settle(
    conversation: Conversation,
    { alive, isAdopted }: { readonly alive: ReadonlySet<string>; readonly isAdopted: boolean },
  ): Promise<void> {
    const { thread_id, conversation_id } = conversation.meta();
    if (thread_id !== null && alive.has(thread_id)) await conversation.thread.ensure();
    const isAlive = thread_id !== null && alive.has(thread_id);
    const isOver = () => {
      const { turn } = conversation.session.state();
      return turn !== null && !isAlive && turn.id === inherited.get(conversation_id);
    };
    if (isOver()) await conversation.thread.catchUp();
    // A turn that a person runs in another program goes on. Another app server may be an older Codex of ours that is about to end.
    const holder = conversation.thread.holder();
    if (isOver() && (holder === null || holder.name === APP_SERVER)) {
      conversation.session.accept({ type: 'codex.gone', reason: 'The turn was lost when Codex was restarted.' });
    }
    conversation.outbox.accept({ type: 'codex_ready', isAdopted });
  }
}
