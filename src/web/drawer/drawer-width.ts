/** How wide the drawer may be: enough for eighty columns of a terminal, never so much that the conversation cannot be read. */
export const MIN_DRAWER_WIDTH = 320;
export const MAX_DRAWER_WIDTH = 1000;
export const DEFAULT_DRAWER_WIDTH = 520;

export function boundWidth(width: number): number {
  if (!Number.isFinite(width)) return DEFAULT_DRAWER_WIDTH;
  return Math.round(Math.min(MAX_DRAWER_WIDTH, Math.max(MIN_DRAWER_WIDTH, width)));
}
