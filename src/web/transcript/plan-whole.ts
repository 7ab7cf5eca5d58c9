/** How each file of a diff is shown where all of it must be readable without scrolling inside: as rows, or as text. */
import type { FileDiff } from './parse-diff.ts';

export type WholeView = 'rows' | 'text';

/** Rows of all files together; each is several elements. A diff with more of them is text from there on, which costs one. */
const MAX_ROWS = 800;

export function planWhole(files: readonly FileDiff[]): readonly WholeView[] {
  let left = MAX_ROWS;
  return files.map(({ hunks }) => {
    const rows = hunks.reduce((sum, hunk) => sum + hunk.lines.length + 1, 0);
    if (rows > left) return 'text';
    left -= rows;
    return 'rows';
  });
}
