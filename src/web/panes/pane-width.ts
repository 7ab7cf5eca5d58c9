/** How two conversations share the width of a window. Pure. */
import { MIN_CONVERSATION_WIDTH } from '../drawer/drawer-width.ts';

export interface PaneRoom {
  /** Of both conversations together. */
  readonly room: number;
  /** What the second one gets. */
  readonly width: number;
  readonly max: number;
}

/** `wanted`: what the person chose; 0: half. */
export function placeBeside(room: number, wanted: number): PaneRoom {
  const max = Math.max(MIN_CONVERSATION_WIDTH, room - MIN_CONVERSATION_WIDTH);
  const half = Math.round(room / 2);
  const width = Math.min(max, Math.max(MIN_CONVERSATION_WIDTH, wanted === 0 ? half : Math.round(wanted)));
  return { room, width, max };
}
