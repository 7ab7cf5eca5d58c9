/** How wide the drawer may be: enough for eighty columns of a terminal, never so much that the conversation cannot be read. */
export const MIN_DRAWER_WIDTH = 320;
export const MAX_DRAWER_WIDTH = 1000;
export const DEFAULT_DRAWER_WIDTH = 520;

export function boundWidth(width: number): number {
  if (!Number.isFinite(width)) return DEFAULT_DRAWER_WIDTH;
  return Math.round(Math.min(MAX_DRAWER_WIDTH, Math.max(MIN_DRAWER_WIDTH, width)));
}

/** Of a conversation beside the drawer: a line of an answer stays readable, and the header keeps its title and what Codex may do. */
export const MIN_CONVERSATION_WIDTH = 400;
/** A window as wide as this has room for two conversations beside the widest list. */
export const MIN_TWO_PANES = 1280;
/** Of the conversation that stays in sight under a drawer that covers it. */
const MIN_UNCOVERED_WIDTH = 48;

export interface DrawerPlace {
  /** The drawer lies over the conversation, which keeps its width. */
  readonly isOver: boolean;
  readonly width: number;
  /** The widest that the drawer can be here. */
  readonly max: number;
}

/** `sidebar`: the width that the list of conversations takes; `wanted`: what the person chose. */
export function placeDrawer(window: number, sidebar: number, wanted: number): DrawerPlace {
  const room = window - sidebar - MIN_CONVERSATION_WIDTH;
  const isOver = room < MIN_DRAWER_WIDTH;
  const max = Math.max(MIN_DRAWER_WIDTH, Math.min(MAX_DRAWER_WIDTH, isOver ? window - MIN_UNCOVERED_WIDTH : room));
  return { isOver, width: Math.min(wanted, max), max };
}

/** The share of the drawer's height, in percent, that the upper of two panels has: each keeps room for its head and a few lines. */
export const MIN_UPPER_SHARE = 20;
export const MAX_UPPER_SHARE = 80;
export const DEFAULT_UPPER_SHARE = 55;

export function boundShare(share: number): number {
  if (!Number.isFinite(share)) return DEFAULT_UPPER_SHARE;
  return Math.round(Math.min(MAX_UPPER_SHARE, Math.max(MIN_UPPER_SHARE, share)));
}

interface OpenPanels {
  /** The upper panel, or the only one; null: the drawer is closed. */
  readonly drawer: string | null;
  /** The panel under it; null: none. */
  readonly drawerBelow: string | null;
}

/** Opening the panel that lies below brings it up; the one that was above takes its place, so that both stay in sight. */
export function openPanels(before: OpenPanels, change: Partial<OpenPanels>): OpenPanels {
  const next = { drawer: before.drawer, drawerBelow: before.drawerBelow, ...change };
  if (next.drawer === null || next.drawer !== next.drawerBelow) return next;
  return { drawer: next.drawer, drawerBelow: before.drawer === next.drawer ? null : before.drawer };
}

/** The list of conversations: from a few words of a name to a whole line of one. */
export const MIN_SIDEBAR_WIDTH = 200;
export const MAX_SIDEBAR_WIDTH = 480;
export const DEFAULT_SIDEBAR_WIDTH = 264;

export function boundSidebar(width: number): number {
  if (!Number.isFinite(width)) return MIN_SIDEBAR_WIDTH;
  return Math.round(Math.min(MAX_SIDEBAR_WIDTH, Math.max(MIN_SIDEBAR_WIDTH, width)));
}
