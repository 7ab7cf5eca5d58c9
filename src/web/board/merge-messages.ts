/** The messages the panel holds, as pages and live frames come in. Pure. */
import type { BoardFrame, BoardMessage } from '../../contract/board.ts';

/** Held at once while they come in; older ones are a click away. */
export const MAX_HELD = 2_000;

/** Each number once, in order. */
export function mergeMessages(held: readonly BoardMessage[], more: readonly BoardMessage[]): readonly BoardMessage[] {
  if (more.length === 0) return held;
  const all = new Map([...held, ...more].map((message) => [message.num, message]));
  return [...all.values()].sort((a, b) => a.num - b.num);
}

export function takeFrame(held: readonly BoardMessage[], frame: BoardFrame): readonly BoardMessage[] {
  switch (frame.type) {
    case 'message':
      return mergeMessages(held, [frame.message]).slice(-MAX_HELD);
    case 'deleted':
      return held.filter(({ num }) => num !== frame.num);
    case 'hello':
      return held;
    default:
      return frame satisfies never;
  }
}
