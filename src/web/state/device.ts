/** What this browser remembers by itself: theme, drafts that have not reached the server, notices, the drawer. */
import { boundWidth, DEFAULT_DRAWER_WIDTH } from '../drawer/drawer-width.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface Device {
  readonly theme: Theme;
  readonly notify: boolean;
  /** A short tone with each notice. */
  readonly sound: boolean;
  /** The offer to notify is made once. */
  readonly wasAskedToNotify: boolean;
  readonly isSidebarShown: boolean;
  /** The id of the open panel. */
  readonly drawer: string | null;
  readonly drawerWidth: number;
  /** How this person signs on the board. */
  readonly boardName: string;
  readonly terminalFontSize: number;
  /** The terminal's lines are given to a screen reader. */
  readonly isTerminalSpoken: boolean;
}

const DEVICE_KEY = 'signalbox.device';
const DEFAULT_DEVICE: Device = {
  theme: 'system',
  notify: false,
  sound: true,
  wasAskedToNotify: false,
  isSidebarShown: true,
  drawer: null,
  drawerWidth: DEFAULT_DRAWER_WIDTH,
  boardName: 'me',
  terminalFontSize: 13,
  isTerminalSpoken: false,
};

const MIN_FONT_SIZE = 9;
const MAX_FONT_SIZE = 28;

export function fontSizeWithin(size: number): number {
  return Math.min(MAX_FONT_SIZE, Math.max(MIN_FONT_SIZE, size));
}

export function readDevice(): Device {
  const saved: Partial<Device> = readJson(DEVICE_KEY) ?? {};
  return {
    theme: THEMES.find((one) => one === saved.theme) ?? DEFAULT_DEVICE.theme,
    notify: saved.notify === true,
    sound: saved.sound !== false,
    wasAskedToNotify: saved.wasAskedToNotify === true,
    isSidebarShown: saved.isSidebarShown !== false,
    drawer: typeof saved.drawer === 'string' ? saved.drawer : DEFAULT_DEVICE.drawer,
    drawerWidth: boundWidth(saved.drawerWidth ?? DEFAULT_DEVICE.drawerWidth),
    boardName: typeof saved.boardName === 'string' ? saved.boardName : DEFAULT_DEVICE.boardName,
    terminalFontSize: fontSizeWithin(Number(saved.terminalFontSize) || DEFAULT_DEVICE.terminalFontSize),
    isTerminalSpoken: saved.isTerminalSpoken === true,
  };
}

export function writeDevice(device: Device): void {
  write(DEVICE_KEY, JSON.stringify(device));
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
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

function readJson<T extends object>(key: string): T | null {
  try {
    return JSON.parse(read(key) ?? 'null');
  } catch {
    return null;
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Nothing to do: see `read`.
  }
}
