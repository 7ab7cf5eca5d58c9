/** Everything the page shows, in one vanilla store; the frames of the server are folded into it by core's reducer. */

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ConfirmationDetails } from '../../contract/access.ts';
import type { Checkpoint } from '../../contract/changes.ts';
import type { ConversationMeta, ConversationRow, ImageInput, Model, Preferences } from '../../contract/conversation.ts';
import type { MessageMode } from '../../contract/entry.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { PageSettings } from '../../contract/page-settings.ts';
import type { AccountState } from '../../contract/routes-server.ts';
import type { LoginRequest } from '../../contract/routes-session.ts';
import type { BlockId } from '../../contract/terminal.ts';
import type { CodexStatus } from '../../contract/ui-event.ts';
import { type ConversationView, EMPTY_VIEW } from '../../core/conversations/reduce.ts';
import { EMPTY_TRANSCRIPT, type Transcript } from '../transcript/rows.ts';
import type { Said } from './confirm-calls.ts';
import type { LinkState } from './connection.ts';
import { type Device, readBeside, readDevice } from './device.ts';
import { readCachedPage } from './look.ts';
import type { Jump, Past } from './past.ts';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'error';
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Says that server or Codex cannot be reached: taken away once both can be. */
  readonly isOfOutage?: boolean;
}

/** A message handed to the server that its transcript does not show yet. */
export interface Outgoing {
  readonly conversationId: ConversationId;
  readonly clientMessageId: string;
  readonly text: string;
  readonly images: readonly ImageInput[];
  readonly mode: MessageMode;
}

/** A message that goes back into the message box to be changed. */
interface ToEdit {
  readonly conversationId: ConversationId;
  readonly text: string;
  readonly images: readonly ImageInput[];
  /** The message that was not delivered and that the next message repeats. */
  readonly retryOf?: string;
}

/** The next message takes the place of a turn: sending it makes Codex forget that turn and all after it. */
export interface Editing {
  readonly conversationId: ConversationId;
  readonly turnId: string;
  /** How many turns would be forgotten. */
  readonly turns: number;
}

/** The file the drawer shows. */
export interface ShownFile {
  readonly path: string;
  readonly line: number | null;
  /** Grows each time a file is asked for, so that the same place is gone to again. */
  readonly count: number;
}

/** Overlays that are loaded with the first of them. */
export type DialogName = 'shortcuts' | 'details' | 'account' | 'rename' | 'review' | 'finish' | 'fork' | 'attempts';

export type Overlay = 'none' | 'palette' | 'settings' | 'sidebar' | 'project' | DialogName;

interface Confirmation {
  readonly details: ConfirmationDetails;
  answer(said: Said): void;
}

export interface AppState {
  readonly link: LinkState;
  readonly codex: CodexStatus | null;
  /** What Codex warned of that belongs to no conversation. */
  readonly codexWarnings: readonly string[];
  readonly storage: 'ok' | 'full' | 'failed';
  /** Where the server was started; empty until it said so. */
  readonly serverCwd: string;
  readonly list: ReadonlyMap<ConversationId, ConversationRow>;
  /** Of conversations in linked work trees. */
  readonly branches: ReadonlyMap<ConversationId, string>;
  readonly listState: 'loading' | 'ready' | 'failed';
  readonly nextCursor: string | null;
  readonly models: readonly Model[];
  readonly preferences: Preferences | null;
  /** Look, keys and notices; what this browser last knew of them until the server has said. */
  readonly page: PageSettings;
  readonly account: AccountState | null;
  /** New browsers that wait to be let in. */
  readonly logins: readonly LoginRequest[];
  /** Grows with each change of a schedule: whoever shows them reads them again. */
  readonly schedules: number;
  readonly boardUnread: number;
  /** Events nobody has looked at, by conversation, as far as told. */
  readonly unreadEvents: ReadonlyMap<ConversationId, number>;
  /** Grows when events of the open conversation arrive or change. */
  readonly eventNews: number;
  /** The newest critical event, told once while nobody looks. */
  readonly alarm: { readonly conversationId: ConversationId; readonly eventSeq: number; readonly title: string } | null;
  /** The event the drawer shows whole; null for the list. */
  readonly shownEvent: number | null;
  /** The open conversation's; null until they were read. */
  readonly checkpoints: readonly Checkpoint[] | null;
  /** Grows when files of the open conversation's work tree may have changed. */
  readonly fileNews: number;
  /** The file the drawer shows; null: none was asked for. */
  readonly shownFile: ShownFile | null;

  /** Where a new conversation begins, if somebody came from a project; null for the usual place. */
  readonly newCwd: string | null;
  /** The turn that the dialog forks from. */
  readonly forkTurn: string | null;
  readonly openId: ConversationId | null;
  /** The conversation beside the one that the address names. */
  readonly beside: ConversationId | null;
  /** This is the state of the conversation beside. */
  readonly isBeside: boolean;
  /** Keys, drawer and dialogs act on the conversation beside. */
  readonly isBesideFocused: boolean;
  readonly openState: 'loading' | 'ready' | 'missing';
  readonly view: ConversationView;
  readonly transcript: Transcript;
  readonly meta: ConversationMeta | null;
  readonly hasMore: boolean;
  readonly isPaging: boolean;
  /** Pinned follows the end; Free stays where the reader is. */
  readonly follow: 'pinned' | 'free';
  /** Shell commands that were sent from this page, the newest last: their cards are open, since the person waits for the output. */
  readonly sentCommands: readonly string[];
  /** The last row there was when the reader left the end. */
  readonly lastSeenKey: string | null;
  /** Shown instead of the live window after a jump. */
  readonly past: Past | null;
  readonly jump: Jump | null;
  readonly isFinding: boolean;
  /** The text that is sought in the conversation; empty: none. */
  readonly sought: string;
  /** How far the running command of the terminal has printed, as far as told. */
  readonly printed: { readonly blockId: BlockId; readonly bytes: number } | null;
  /** The composer is a prompt. */
  readonly isShellMode: boolean;
  readonly outbox: readonly Outgoing[];
  /** Messages this page has sent again: id of the message that was not delivered → id of its newest repetition. */
  readonly repeats: ReadonlyMap<string, string>;
  /** Taken by the message box as soon as it is shown. */
  readonly toEdit: ToEdit | null;
  readonly editing: Editing | null;
  /** Notes of a revert whose forgotten turns are shown. */
  readonly unfolded: ReadonlySet<number>;
  /** The sub-agent whose thread is shown. */
  readonly shownAgent: string | null;

  readonly device: Device;
  readonly overlay: Overlay;
  /** Grows when somebody opens a panel: then it may take the focus, which one that was open before may not. */
  readonly drawerCount: number;
  readonly toasts: readonly Toast[];
  /** What the server wants confirmed by a person. */
  readonly confirmation: Confirmation | null;
  /** Finished text for screen readers. */
  readonly spoken: string;
}

export type AppStore = StoreApi<AppState>;

export const CLOSED_CONVERSATION = {
  openState: 'loading',
  view: EMPTY_VIEW,
  transcript: EMPTY_TRANSCRIPT,
  meta: null,
  hasMore: true,
  isPaging: false,
  follow: 'pinned',
  sentCommands: [],
  lastSeenKey: null,
  past: null,
  jump: null,
  isFinding: false,
  sought: '',
  printed: null,
  isShellMode: false,
  shownEvent: null,
  editing: null,
  unfolded: new Set<number>(),
  shownAgent: null,
  shownFile: null,
  checkpoints: null,
} as const satisfies Partial<AppState>;

export function createAppStore(): AppStore {
  return createStore<AppState>(() => ({
    link: 'connecting',
    codex: null,
    codexWarnings: [],
    storage: 'ok',
    serverCwd: '',
    list: new Map(),
    branches: new Map(),
    listState: 'loading',
    nextCursor: null,
    models: [],
    preferences: null,
    page: readCachedPage(),
    account: null,
    logins: [],
    schedules: 0,
    boardUnread: 0,
    unreadEvents: new Map(),
    eventNews: 0,
    fileNews: 0,
    alarm: null,
    newCwd: null,
    forkTurn: null,
    openId: null,
    beside: readBeside(),
    isBeside: false,
    isBesideFocused: false,
    ...CLOSED_CONVERSATION,
    outbox: [],
    repeats: new Map(),
    toEdit: null,
    device: readDevice(),
    overlay: 'none',
    drawerCount: 0,
    toasts: [],
    confirmation: null,
    spoken: '',
  }));
}

/** The server answers, and Codex behind it. */
export const isReachable = ({ link, codex }: AppState): boolean => link === 'open' && codex?.state === 'ready';

/** Rows that came since the reader left the end. */
export function countUnseen(state: AppState): number {
  if (state.follow === 'pinned' || state.lastSeenKey === null) return 0;
  const at = state.transcript.keys.lastIndexOf(state.lastSeenKey);
  return at < 0 ? 0 : state.transcript.keys.length - 1 - at;
}
