/** Long preformatted text as boxes of a few KB: one that did not change is neither rendered nor laid out again. */
import { memo } from 'react';
import { linkFiles } from '../files/FileText.tsx';
import { showText } from '../transcript/ansi.ts';
import styles from './CodeBlock.module.css';

/** Small enough that laying out the last one is cheap, large enough that 200 KB are few. */
const PIECE_CHARS = 4_096;

export const Piece = memo(function Piece({ text }: { readonly text: string }) {
  return <span className={styles.piece}>{linkFiles(showText(text), false)}</span>;
});

/** Cut at line ends, since each is a box of its own. */
export function cutPieces(text: string): readonly string[] {
  const all: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.length - at <= PIECE_CHARS ? -1 : text.indexOf('\n', at + PIECE_CHARS);
    const next = end < 0 ? text.length : end + 1;
    all.push(text.slice(at, next));
    at = next;
  }
  return all;
}
