/** What a person can do, as functions. Each says its failure in a toast unless the caller shows it better itself. */
import type { ConversationId } from '../../contract/ids.ts';
import type { PageSettings } from '../../contract/page-settings.ts';
import type { RouteCall } from '../../contract/routes.ts';
import { MIN_TWO_PANES, openPanels } from '../drawer/drawer-width.ts';
import { type AccessCommands, createAccessCommands } from './access-commands.ts';
import { type AccountCommands, createAccountCommands } from './account-commands.ts';
import { type BoardCommands, createBoardCommands } from './board-commands.ts';
import type { Call } from './call.ts';
import { type ChangeCommands, createChangeCommands } from './change-commands.ts';
import { type CommandPorts, createPorts, type Go, go as goTo } from './command-ports.ts';
import { type ContextCommands, createContextCommands } from './context-commands.ts';
import { type ConversationCommands, createConversationCommands } from './conversation-commands.ts';
import { type Device, writeBeside, writeDevice } from './device.ts';
import { createEventCommands, type EventCommands } from './event-commands.ts';
import { createExportCommands, type ExportCommands } from './export-commands.ts';
import { createFileCommands, type FileCommands } from './file-commands.ts';
import { createFindCommands, type FindCommands } from './find-commands.ts';
import { createMessageCommands, type MessageCommands } from './message-commands.ts';
import { createNews, type News } from './news.ts';
import { createProjectCommands, type ProjectCommands } from './project-commands.ts';
import { createRunningCommands, type RunningCommands } from './running-commands.ts';
import { createShellCommands, type ShellCommands } from './shell-commands.ts';
import type { AppState, AppStore, Overlay } from './store.ts';
import { createTerminalCommands, type TerminalCommands } from './terminal-commands.ts';
import { createTrustCommands, type TrustCommands } from './trust-commands.ts';

export interface Commands
  extends AccessCommands,
    AccountCommands,
    ContextCommands,
    Omit<ConversationCommands, 'readList'>,
    MessageCommands,
    EventCommands,
    ExportCommands,
    FileCommands,
    TerminalCommands,
    BoardCommands,
    ChangeCommands,
    ShellCommands,
    RunningCommands,
    ProjectCommands,
    TrustCommands,
    News,
    Pick<CommandPorts, 'toast'>,
    Omit<FindCommands, 'noticeSync' | 'leavePast'> {
  readonly go: Go;
  /** Opens a conversation beside the one that is open; null closes it. One that is open gets the focus instead. */
  setBeside(id: ConversationId | null): void;
  /** Keys, drawer and dialogs act on this conversation from now on. */
  focusPane(): void;
  focusOther(): void;
  /** The page for a new conversation, in the given directory or that of the open conversation. */
  startNew(cwd?: string): void;
  show(overlay: Overlay): void;
  setDevice(change: Partial<Device>): void;
  dismiss(toastId: number): void;
  /** Reads list, models and preferences again: at start and after each reconnect. */
  refresh(): Promise<void>;
  setFollow(follow: AppState['follow']): void;
  startCodex(): Promise<void>;
  restartCodex(): Promise<void>;
  writePreferences(change: RouteCall<'writeConfig'>): Promise<boolean>;
  /** Shown at once; taken back if the server refuses it. */
  setPage(change: Partial<PageSettings>): Promise<boolean>;
}

/** `go`: what going to a conversation means; the conversation beside has another first one. */
export function createCommands(store: AppStore, call: Call, go: Go = goTo): Commands {
  const get = store.getState;
  const set = store.setState;
  const ports = createPorts(store, call, go);
  const { said, toast } = ports;
  const { noticeSync, leavePast, ...find } = createFindCommands(store, call, go);
  const account = createAccountCommands(store, call);
  const board = createBoardCommands(store, call);
  const events = createEventCommands(store, call, toast);
  const { readList, ...conversations } = createConversationCommands({ ...ports, ...events });
  const { readMeta } = conversations;
  const access = createAccessCommands(ports);
  const changes = createChangeCommands(ports);
  const news = createNews({
    ...account,
    ...changes,
    ...access,
    ...board,
    store,
    call,
    readMeta,
    readModels,
    noticeSync,
  });

  function setDevice(change: Partial<Device>): void {
    const before = get().device;
    const device = { ...before, ...change, ...openPanels(before, change) };
    const isOpened = (change.drawer ?? null) !== null;
    set((state) => ({ device, drawerCount: state.drawerCount + (isOpened ? 1 : 0) }));
    writeDevice(device);
  }

  /** Not over news that came by the socket meanwhile: the answer may be the older of the two. */
  async function readStatus(): Promise<void> {
    const { codex } = get();
    const status = await call('status', {});
    if (status.ok) set({ serverCwd: status.value.cwd });
    if (status.ok && get().codex === codex)
      set({
        codex: status.value.codex,
        codexWarnings: status.value.codex_warnings,
        storage: status.value.storage,
      });
  }

  async function readModels(): Promise<void> {
    const models = await call('models', {});
    if (models.ok) set({ models: models.value.models });
  }

  async function readPreferences(): Promise<void> {
    const preferences = await call('readConfig', {});
    if (preferences.ok) set({ preferences: preferences.value, page: preferences.value.page });
  }

  const messages = createMessageCommands({ ...ports, readMeta, leavePast });
  return {
    ...find,
    ...account,
    ...access,
    ...createFileCommands(store, call, setDevice),
    ...createExportCommands(ports),
    ...createContextCommands({ ...ports, readMeta }),
    ...createTerminalCommands({ store, call, setDevice, runShell: messages.runShell }),
    ...board,
    ...changes,
    ...createShellCommands(call, said),
    ...createRunningCommands(ports),
    ...createTrustCommands(call),
    ...createProjectCommands(ports),
    ...events,
    ...conversations,
    ...messages,
    ...news,
    go,
    startNew: (cwd) => {
      const { openId, list, newCwd } = get();
      const here = openId === null ? undefined : list.get(openId)?.cwd;
      set({ newCwd: cwd ?? here ?? newCwd, overlay: 'none' });
      go(null);
    },
    toast,
    setDevice,
    setBeside: (id) => {
      const { openId } = get();
      if (id !== null && (openId === null || innerWidth < MIN_TWO_PANES)) go(id);
      else if (id !== null && id === openId) set({ isBesideFocused: false });
      else {
        set({ beside: id, isBesideFocused: id !== null, overlay: 'none' });
        writeBeside(id);
      }
    },
    focusPane: () => {
      const { isBeside, isBesideFocused } = get();
      if (isBeside !== isBesideFocused) set({ isBesideFocused: isBeside });
    },
    focusOther: () => set((state) => ({ isBesideFocused: !state.isBesideFocused })),
    show: (overlay) => set({ overlay }),
    dismiss: (id) => set((state) => ({ toasts: state.toasts.filter((one) => one.id !== id) })),
    refresh: async () => {
      // What was told while the socket was away is not known.
      set((state) => ({ unreadEvents: new Map(), eventNews: state.eventNews + 1 }));
      await Promise.all([
        readPreferences(),
        readModels(),
        readList(),
        readMeta(),
        account.readAccount(),
        board.countBoard(),
        access.readLogins(),
        readStatus(),
      ]);
    },
    setFollow: (follow) => {
      if (follow === 'pinned') leavePast();
      const { transcript } = get();
      set({ follow, lastSeenKey: follow === 'free' ? (transcript.keys.at(-1) ?? null) : null });
      if (follow === 'pinned') news.markRead();
    },
    startCodex: async () => {
      await said(call('start', {}));
    },
    restartCodex: async () => {
      if ((await said(call('stop', {}))) !== null) await said(call('start', {}));
    },
    writePreferences: async (change) => {
      const preferences = await said(call('writeConfig', change));
      if (preferences !== null) set({ preferences });
      return preferences !== null;
    },
    setPage: async (change) => {
      const before = get().page;
      const shown = { ...before, ...change };
      set({ page: shown });
      const page = await said(call('writePage', change));
      if (page !== null) set({ page });
      else if (get().page === shown) set({ page: before });
      return page !== null;
    },
  };
}
