/** Everything the page shows, in one vanilla store; the frames of the server are folded into it by core's reducer. */

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ConfirmationDetails } from '../../contract/access.ts';
import type { ConversationMeta, ConversationRow, ImageInput, Model, Preferences } from '../../contract/conversation.ts';
import type { MessageMode } from '../../contract/entry.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { AccountState } from '../../contract/routes-server.ts';
import type { BlockId } from '../../contract/terminal.ts';
import type { CodexStatus } from '../../contract/ui-event.ts';
import { type ConversationView, EMPTY_VIEW } from '../../core/conversations/reduce.ts';
import { EMPTY_TRANSCRIPT, type Transcript } from '../transcript/rows.ts';
import type { Said } from './confirm-calls.ts';
import type { LinkState } from './connection.ts';
import { type Device, readDevice } from './device.ts';
import type { Jump, Past } from './past.ts';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'error';
  readonly action?: { readonly label: string; readonly run: () => void };
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
  readonly retryOf: string;
}

export type Overlay =
  | 'none'
  | 'palette'
  | 'shortcuts'
  | 'settings'
  | 'sidebar'
  | 'details'
  | 'account'
  | 'rename'
  | 'project';

interface Confirmation {
  readonly details: ConfirmationDetails;
  answer(said: Said): void;
}

export interface AppState {
  readonly link: LinkState;
  readonly codex: CodexStatus | null;
  readonly storage: 'ok' | 'full' | 'failed';
  /** Where the server was started; empty until it said so. */
  readonly serverCwd: string;
  readonly list: ReadonlyMap<ConversationId, ConversationRow>;
  readonly listState: 'loading' | 'ready' | 'failed';
  readonly nextCursor: string | null;
  readonly models: readonly Model[];
  readonly preferences: Preferences | null;
  readonly account: AccountState | null;
  readonly boardUnread: number;
  /** Events nobody has looked at, by conversation, as far as told. */
  readonly unreadEvents: ReadonlyMap<ConversationId, number>;
  /** Grows when events of the open conversation arrive or change. */
  readonly eventNews: number;
  /** The event the drawer shows whole; null for the list. */
  readonly shownEvent: number | null;

  readonly openId: ConversationId | null;
  readonly openState: 'loading' | 'ready' | 'missing';
  readonly view: ConversationView;
  readonly transcript: Transcript;
  readonly meta: ConversationMeta | null;
  readonly hasMore: boolean;
  readonly isPaging: boolean;
  /** Pinned follows the end; Free stays where the reader is. */
  readonly follow: 'pinned' | 'free';
  /** The last row there was when the reader left the end. */
  readonly lastSeenKey: string | null;
  /** Shown instead of the live window after a jump. */
  readonly past: Past | null;
  readonly jump: Jump | null;
  readonly isFinding: boolean;
  /** How far the running command of the terminal has printed, as far as told. */
  readonly printed: { readonly blockId: BlockId; readonly bytes: number } | null;
  /** The composer is a prompt. */
  readonly isShellMode: boolean;
  readonly outbox: readonly Outgoing[];
  /** Messages this page has sent again: id of the message that was not delivered → id of its newest repetition. */
  readonly repeats: ReadonlyMap<string, string>;
  /** Taken by the message box as soon as it is shown. */
  readonly toEdit: ToEdit | null;

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
  lastSeenKey: null,
  past: null,
  jump: null,
  isFinding: false,
  printed: null,
  isShellMode: false,
  shownEvent: null,
} as const satisfies Partial<AppState>;

export function createAppStore(): AppStore {
  return createStore<AppState>(() => ({
    link: 'connecting',
    codex: null,
    storage: 'ok',
    serverCwd: '',
    list: new Map(),
    listState: 'loading',
    nextCursor: null,
    models: [],
    preferences: null,
    account: null,
    boardUnread: 0,
    unreadEvents: new Map(),
    eventNews: 0,
    openId: null,
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

/** Rows that came since the reader left the end. */
export function countUnseen(state: AppState): number {
  if (state.follow === 'pinned' || state.lastSeenKey === null) return 0;
  const at = state.transcript.keys.lastIndexOf(state.lastSeenKey);
  return at < 0 ? 0 : state.transcript.keys.length - 1 - at;
}
