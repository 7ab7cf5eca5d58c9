/** What a person can do, as functions. Each says its failure in a toast unless the caller shows it better itself. */
import type { ApprovalAnswer } from '../../contract/approval.ts';
import type { ImageInput, SettingsPatch } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Failure, Result } from '../../contract/result.ts';
import type { RouteCall, RouteOutput } from '../../contract/routes.ts';
import type { ServerFrame } from '../../contract/ui-event.ts';
import { renderPlace } from '../route.ts';
import { en } from '../strings/en.ts';
import { type AccountCommands, createAccountCommands } from './account-commands.ts';
import { type BoardCommands, createBoardCommands } from './board-commands.ts';
import type { Call } from './call.ts';
import { type ContextCommands, createContextCommands } from './context-commands.ts';
import { applyTheme, type Device, writeDevice } from './device.ts';
import { createEventCommands, type EventCommands } from './event-commands.ts';
import { createFileCommands, type FileCommands } from './file-commands.ts';
import { createFindCommands, type FindCommands } from './find-commands.ts';
import { quoteIntoDraft } from './quote.ts';
import { createShellCommands, type ShellCommands } from './shell-commands.ts';
import type { AppState, AppStore, Overlay, Toast } from './store.ts';
import { createTerminalCommands, type TerminalCommands } from './terminal-commands.ts';

export type SendMode = 'send' | 'steer' | 'queue';

export interface Commands
  extends AccountCommands,
    ContextCommands,
    EventCommands,
    FileCommands,
    TerminalCommands,
    BoardCommands,
    ShellCommands,
    Omit<FindCommands, 'noticeSync' | 'leavePast'> {
  go(conversationId: ConversationId | null): void;
  show(overlay: Overlay): void;
  setDevice(change: Partial<Device>): void;
  toast(toast: Omit<Toast, 'id'>): void;
  dismiss(toastId: number): void;
  /** Reads list, models and preferences again: at start and after each reconnect. */
  refresh(): Promise<void>;
  loadMoreConversations(): Promise<void>;
  search(query: string): Promise<RouteOutput<'listConversations'>['conversations']>;
  readMeta(): Promise<void>;
  noticeFrames(frames: readonly ServerFrame[]): void;
  create(settings: RouteCall<'createConversation'>): Promise<ConversationId | null>;
  patch(id: ConversationId, settings: SettingsPatch): Promise<boolean>;
  setArchived(id: ConversationId, archived: boolean): Promise<void>;
  remove(id: ConversationId): Promise<void>;
  /** With a turn: shares the history up to and with it. */
  fork(id: ConversationId, turnId?: string): Promise<void>;
  /** What the turn began with goes back into the box, to be said differently. */
  revert(id: ConversationId, beforeTurnId: string, text: string): Promise<void>;
  listArchived(): Promise<RouteOutput<'listConversations'>['conversations'] | null>;
  compact(id: ConversationId): Promise<void>;
  review(id: ConversationId): Promise<void>;
  /** Null when it was taken; else what went wrong, for the composer to say beside the text it kept. */
  send(id: ConversationId, text: string, images: readonly ImageInput[], mode: SendMode): Promise<Failure | null>;
  runShell(id: ConversationId, command: string): Promise<Failure | null>;
  interrupt(id: ConversationId): Promise<void>;
  writeQueue(id: ConversationId, queue: RouteCall<'writeQueue'>['queue']): Promise<void>;
  resumeQueue(id: ConversationId): Promise<void>;
  answer(approvalId: string, answer: ApprovalAnswer): Promise<Failure | null>;
  setFollow(follow: AppState['follow']): void;
  markRead(): void;
  startCodex(): Promise<void>;
  writePreferences(change: RouteCall<'writeConfig'>): Promise<boolean>;
}

const LIST_PAGE = 200;
const READ_DELAY_MS = 600;
const META_DELAY_MS = 120;
/** Agents may write quickly; a count may lag. */
const BOARD_DELAY_MS = 300;

export function createCommands(store: AppStore, call: Call): Commands {
  let toastId = 0;
  let readTimer: ReturnType<typeof setTimeout> | undefined;
  let metaTimer: ReturnType<typeof setTimeout> | undefined;
  let metaAsked = 0;
  const get = store.getState;
  const set = store.setState;
  const { noticeSync, leavePast, ...find } = createFindCommands(store, call, go);
  const account = createAccountCommands(store, call);
  const board = createBoardCommands(store, call);
  let boardTimer: ReturnType<typeof setTimeout> | undefined;
  const events = createEventCommands(store, call, toast);

  function toast(one: Omit<Toast, 'id'>): void {
    toastId += 1;
    const added = { ...one, id: toastId };
    set((state) => ({ toasts: [...state.toasts.slice(-2), added] }));
  }

  /** The value, or null after the failure was said. */
  async function said<T>(result: Promise<Result<T>>): Promise<T | null> {
    const settled = await result;
    if (settled.ok) return settled.value;
    toast({ text: settled.error.message, tone: 'error' });
    return null;
  }

  function setDevice(change: Partial<Device>): void {
    const device = { ...get().device, ...change };
    const isOpened = (change.drawer ?? null) !== null;
    set((state) => ({ device, drawerCount: state.drawerCount + (isOpened ? 1 : 0) }));
    writeDevice(device);
    applyTheme(device.theme);
  }

  function go(conversationId: ConversationId | null): void {
    location.hash = renderPlace({ conversationId });
  }

  async function readMeta(): Promise<void> {
    const id = get().openId;
    if (id === null) return;
    metaAsked += 1;
    const asked = metaAsked;
    const read = await call('readConversation', { id });
    // A newer question is on its way, or a change was answered meanwhile: this answer may be older than what is shown.
    if (get().openId !== id || asked !== metaAsked) return;
    if (read.ok) {
      const list = new Map(get().list).set(id, read.value.row);
      set({ meta: read.value.conversation, list, openState: 'ready' });
      const threadId = read.value.conversation.thread_id;
      if (threadId !== null) void events.countEvents({ conversationId: id, threadId });
    } else if (read.error.code === 'unknown_conversation') set({ openState: 'missing' });
  }

  async function readList(): Promise<void> {
    const page = await call('listConversations', { limit: LIST_PAGE });
    if (!page.ok) {
      set({ listState: 'failed' });
      return;
    }
    const list = new Map(page.value.conversations.map((row) => [row.id, row]));
    set({ list, listState: 'ready', nextCursor: page.value.next_cursor });
  }

  /** Not over news that came by the socket meanwhile: the answer may be the older of the two. */
  async function readStatus(): Promise<void> {
    const { codex } = get();
    const status = await call('status', {});
    if (status.ok) set({ serverCwd: status.value.cwd });
    if (status.ok && get().codex === codex) set({ codex: status.value.codex, storage: status.value.storage });
  }

  async function refresh(): Promise<void> {
    // What was told while the socket was away is not known.
    set({ unreadEvents: new Map() });
    const [preferences, models] = await Promise.all([
      call('readConfig', {}),
      call('models', {}),
      readList(),
      readMeta(),
      account.readAccount(),
      board.countBoard(),
      readStatus(),
    ]);
    if (preferences.ok) set({ preferences: preferences.value });
    if (models.ok) set({ models: models.value.models });
  }

  async function readModels(): Promise<void> {
    const models = await call('models', {});
    if (models.ok) set({ models: models.value.models });
  }

  return {
    ...find,
    ...account,
    ...createFileCommands(call),
    ...createContextCommands(call),
    ...createTerminalCommands(store, call, setDevice),
    ...board,
    ...createShellCommands(call, said),
    ...events,
    go,
    toast,
    readMeta,
    refresh,
    show: (overlay) => set({ overlay }),
    dismiss: (id) => set((state) => ({ toasts: state.toasts.filter((one) => one.id !== id) })),
    setDevice,
    loadMoreConversations: async () => {
      const cursor = get().nextCursor;
      if (cursor === null) return;
      const page = await said(call('listConversations', { limit: LIST_PAGE, cursor }));
      if (page === null) return;
      const list = new Map(get().list);
      for (const row of page.conversations) list.set(row.id, row);
      set({ list, nextCursor: page.next_cursor });
    },
    search: async (q) => {
      const found = await call('listConversations', { limit: 50, q });
      return found.ok ? found.value.conversations : [];
    },
    noticeFrames: (frames) => {
      const { openId, models } = get();
      if (
        frames.some((one) => one.type === 'conversation' && 'conversation' in one && one.conversation.id === openId)
      ) {
        clearTimeout(metaTimer);
        metaTimer = setTimeout(() => void readMeta(), META_DELAY_MS);
      }
      const { account: known, codex } = get();
      const isOther = known === null || known.demo !== codex?.demo;
      if (codex?.state === 'ready' && frames.some((one) => one.type === 'server_status')) {
        // Another account may have other models.
        if (models.length === 0 || isOther) void readModels();
        if (isOther) void account.readAccount();
      }
      if (frames.some((one) => one.type === 'account')) void account.readAccount();
      if (frames.some((one) => one.type === 'board_news')) {
        clearTimeout(boardTimer);
        boardTimer = setTimeout(() => void board.countBoard(), BOARD_DELAY_MS);
      }
      noticeSync(frames);
      scheduleRead();
    },
    create: async (settings) => {
      const made = await said(call('createConversation', settings));
      if (made === null) return null;
      go(made.id);
      return made.id;
    },
    patch: async (id, settings) => {
      const done = await said(call('patchConversation', { id, ...settings }));
      if (done === null) return false;
      if (get().openId === id) {
        metaAsked += 1;
        set({ meta: done.conversation });
      }
      return true;
    },
    setArchived: async (id, archived) => {
      const done = await said(call(archived ? 'archiveConversation' : 'unarchiveConversation', { id }));
      if (done === null) return;
      const back = () => void call(archived ? 'unarchiveConversation' : 'archiveConversation', { id });
      toast({
        text: archived ? en.sidebar.archived : en.sidebar.unarchived,
        tone: 'plain',
        action: { label: en.undo, run: back },
      });
    },
    remove: async (id) => {
      const done = await said(call('deleteConversation', { id }));
      if (done === null) return;
      const list = new Map(get().list);
      list.delete(id);
      set({ list });
      if (get().openId === id) go(null);
      toast({
        text: en.sidebar.deleted,
        tone: 'plain',
        action: {
          label: en.undo,
          run: () => void said(call('restoreConversation', { id })).then((restored) => restored !== null && go(id)),
        },
      });
    },
    fork: async (id, turnId) => {
      const made = await said(call('forkConversation', { id, ...(turnId !== undefined && { turn_id: turnId }) }));
      if (made !== null) go(made.id);
    },
    revert: async (id, beforeTurnId, text) => {
      const done = await said(call('revertConversation', { id, before_turn_id: beforeTurnId }));
      if (done === null) return;
      toast({ text: en.message.reverted, tone: 'plain' });
      if (get().openId === id) quoteIntoDraft(text);
    },
    listArchived: async () => {
      const page = await said(call('listConversations', { limit: LIST_PAGE, archived: 'true' }));
      return page?.conversations ?? null;
    },
    compact: async (id) => {
      await said(call('compact', { conversation_id: id }));
    },
    review: async (id) => {
      await said(call('reviewConversation', { id }));
    },
    send: async (id, text, images, mode) => {
      const clientMessageId = crypto.randomUUID();
      const outgoing = { conversationId: id, clientMessageId, text, imageCount: images.length, isTaken: false };
      if (mode !== 'queue') leavePast();
      if (mode !== 'queue') set((state) => ({ outbox: [...state.outbox, outgoing], follow: 'pinned' }));
      const sent = await call('sendMessage', {
        conversation_id: id,
        text,
        mode,
        client_message_id: clientMessageId,
        ...(images.length > 0 && { images: [...images] }),
      });
      const isShown = sent.ok && (sent.value.outcome === 'started' || sent.value.outcome === 'steered');
      set((state) => ({
        outbox: state.outbox.flatMap((one) => {
          if (one.clientMessageId !== clientMessageId) return [one];
          return isShown ? [{ ...one, isTaken: true }] : [];
        }),
      }));
      if (sent.ok && sent.value.outcome === 'queued') await readMeta();
      return sent.ok ? null : sent.error;
    },
    runShell: async (id, command) => {
      leavePast();
      set({ follow: 'pinned' });
      const ran = await call('shellExec', { conversation_id: id, command });
      return ran.ok ? null : ran.error;
    },
    interrupt: async (id) => {
      await said(call('interrupt', { conversation_id: id }));
    },
    writeQueue: async (id, queue) => {
      await said(call('writeQueue', { id, queue }));
      await readMeta();
    },
    resumeQueue: async (id) => {
      await said(call('resumeQueue', { id }));
      await readMeta();
    },
    answer: async (approvalId, answer) => {
      const done = await call('answerApproval', { approval_id: approvalId, ...answer });
      if (done.ok) return null;
      // The card may be gone before its message could be read.
      if (done.error.code === 'already_answered') toast({ tone: 'plain', text: en.approval.answeredElsewhere });
      return done.error;
    },
    setFollow: (follow) => {
      if (follow === 'pinned') leavePast();
      const { transcript } = get();
      set({ follow, lastSeenKey: follow === 'free' ? (transcript.keys.at(-1) ?? null) : null });
      if (follow === 'pinned') scheduleRead();
    },
    markRead: scheduleRead,
    startCodex: async () => {
      await said(call('start', {}));
    },
    writePreferences: async (change) => {
      const preferences = await said(call('writeConfig', change));
      if (preferences !== null) set({ preferences });
      return preferences !== null;
    },
  };

  /** Read means: at the end, in view, for a moment. */
  function scheduleRead(): void {
    clearTimeout(readTimer);
    readTimer = setTimeout(() => {
      const { openId, view, follow, list } = get();
      if (openId === null || follow === 'free' || document.visibilityState === 'hidden') return;
      if (view.lastSeq > (list.get(openId)?.read_seq ?? 0)) void call('markRead', { id: openId, seq: view.lastSeq });
    }, READ_DELAY_MS);
  }
}
