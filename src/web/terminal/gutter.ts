/** Which marks stand beside the lines in view, and where. Pure. */
import type { BlockId } from '../../contract/terminal.ts';

export interface Placed {
  readonly blockId: BlockId;
  /** Line of the buffer, from its top. */
  readonly line: number;
}

export interface GutterView {
  /** Line of the buffer at the top of what is in view. */
  readonly top: number;
  readonly rows: number;
  readonly cellHeight: number;
}

export interface GutterMark {
  readonly blockId: BlockId;
  readonly y: number;
}

/** In order of lines; of several on one line the last begun is shown, since the others printed nothing. */
export function layoutGutter(placed: readonly Placed[], { top, rows, cellHeight }: GutterView): readonly GutterMark[] {
  const byLine = new Map<number, BlockId>();
  for (const { blockId, line } of placed) {
    if (line >= top && line < top + rows) byLine.set(line, blockId);
  }
  return [...byLine]
    .sort(([a], [b]) => a - b)
    .map(([line, blockId]) => ({ blockId, y: Math.round((line - top) * cellHeight) }));
}

/** The same array while nothing moved, so that a flood of output does not render the gutter. */
export function sameMarks(before: readonly GutterMark[], after: readonly GutterMark[]): readonly GutterMark[] {
  const isSame =
    before.length === after.length &&
    after.every((one, at) => one.blockId === before[at]?.blockId && one.y === before[at]?.y);
  return isSame ? before : after;
}
