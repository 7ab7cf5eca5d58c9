/** What this browser remembers by itself: drafts that have not reached the server, notices, the drawer. */
import type { ConversationId } from '../../contract/ids.ts';
import {
  boundShare,
  boundSidebar,
  boundWidth,
  DEFAULT_DRAWER_WIDTH,
  DEFAULT_SIDEBAR_WIDTH,
  DEFAULT_UPPER_SHARE,
} from '../drawer/drawer-width.ts';
import { parsePlace, renderPlace } from '../route.ts';

export interface Device {
  readonly notify: boolean;
  /** A short tone with each notice. */
  readonly sound: boolean;
  /** The offer to notify is made once. */
  readonly wasAskedToNotify: boolean;
  readonly isSidebarShown: boolean;
  readonly sidebarWidth: number;
  /** Directories whose conversations are folded away in the list. */
  readonly foldedProjects: readonly string[];
  /** The id of the open panel. */
  readonly drawer: string | null;
  /** The id of a second panel under it. */
  readonly drawerBelow: string | null;
  /** The share of the height that the upper panel has, in percent. */
  readonly drawerShare: number;
  readonly drawerWidth: number;
  /** Of a conversation beside the first one; 0: half of the room. */
  readonly besideWidth: number;
  /** How this person signs on the board. */
  readonly boardName: string;
  readonly terminalFontSize: number;
  /** The terminal's lines are given to a screen reader. */
  readonly isTerminalSpoken: boolean;
  /** What opens files: the id of a known editor, or a template of an address or command. */
  readonly editor: string;
  /** The column of the conversation uses the width of the window. */
  readonly isWide: boolean;
}

const DEVICE_KEY = 'signalbox.device';
const DEFAULT_DEVICE: Device = {
  notify: false,
  sound: true,
  wasAskedToNotify: false,
  isSidebarShown: true,
  sidebarWidth: DEFAULT_SIDEBAR_WIDTH,
  foldedProjects: [],
  drawer: null,
  drawerBelow: null,
  drawerShare: DEFAULT_UPPER_SHARE,
  drawerWidth: DEFAULT_DRAWER_WIDTH,
  besideWidth: 0,
  boardName: 'me',
  terminalFontSize: 13,
  isTerminalSpoken: false,
  editor: 'vscode',
  isWide: false,
};

const MIN_FONT_SIZE = 9;
const MAX_FONT_SIZE = 28;

export function fontSizeWithin(size: number): number {
  return Math.min(MAX_FONT_SIZE, Math.max(MIN_FONT_SIZE, size));
}

export function readDevice(): Device {
  const saved: Partial<Device> = readJson(DEVICE_KEY) ?? {};
  return {
    notify: saved.notify === true,
    sound: saved.sound !== false,
    wasAskedToNotify: saved.wasAskedToNotify === true,
    isSidebarShown: saved.isSidebarShown !== false,
    sidebarWidth: boundSidebar(saved.sidebarWidth ?? DEFAULT_DEVICE.sidebarWidth),
    foldedProjects: Array.isArray(saved.foldedProjects)
      ? saved.foldedProjects.filter((one) => typeof one === 'string')
      : [],
    drawer: typeof saved.drawer === 'string' ? saved.drawer : DEFAULT_DEVICE.drawer,
    drawerBelow: typeof saved.drawerBelow === 'string' ? saved.drawerBelow : DEFAULT_DEVICE.drawerBelow,
    drawerShare: boundShare(saved.drawerShare ?? DEFAULT_DEVICE.drawerShare),
    drawerWidth: boundWidth(saved.drawerWidth ?? DEFAULT_DEVICE.drawerWidth),
    besideWidth: Number(saved.besideWidth) || 0,
    boardName: typeof saved.boardName === 'string' ? saved.boardName : DEFAULT_DEVICE.boardName,
    terminalFontSize: fontSizeWithin(Number(saved.terminalFontSize) || DEFAULT_DEVICE.terminalFontSize),
    isTerminalSpoken: saved.isTerminalSpoken === true,
    editor: typeof saved.editor === 'string' ? saved.editor : DEFAULT_DEVICE.editor,
    isWide: saved.isWide === true,
  };
}

export function writeDevice(device: Device): void {
  write(DEVICE_KEY, JSON.stringify(device));
}

export function readDraft(conversationId: string): string {
  return read(`signalbox.draft.${conversationId}`) ?? '';
}

export function writeDraft(conversationId: string, text: string): void {
  write(`signalbox.draft.${conversationId}`, text === '' ? null : text);
}

/** Storage may be off or full; then the page works and forgets. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function readJson<T extends object>(key: string): T | null {
  try {
    return JSON.parse(read(key) ?? 'null');
  } catch {
    return null;
  }
}

export function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Nothing to do: see `read`.
  }
}

/** Of this tab, so that a new one begins with one conversation. */
const BESIDE_KEY = 'signalbox.beside';

export function readBeside(): ConversationId | null {
  try {
    return parsePlace(sessionStorage.getItem(BESIDE_KEY) ?? '').conversationId;
  } catch {
    return null;
  }
}

export function writeBeside(conversationId: ConversationId | null): void {
  try {
    sessionStorage.setItem(BESIDE_KEY, renderPlace({ conversationId }));
  } catch {
    // Nothing to do: see `read`.
  }
}
